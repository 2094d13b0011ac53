"""Recurring work as a person writes it, planned by the command line."""

import json
from pathlib import Path

from tests.conftest import Run

SCENARIO = """\
schema: planner.scenario/1
name: retraining
currency: CNY
start: 2026-11-02
requirements: {sellers_allowed: [极智算]}
phases:
  - name: train
    kind: train
    model: 7B
    method: lora
    sequence_tokens: 2048
    work: {hours: 10 h}
    repeat: {times: 3, every: 14 days}
"""


def test_three_trainings_two_weeks_apart_are_three_leases_of_ten_hours(planner: Run, tmp_path: Path) -> None:
    """An RTX 4090 at 1.57 an hour: 3 x 15.70. Nothing is rented in between: keeping it would cost 336 h more."""
    path = tmp_path / "scenario.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    done = planner("solve", path, "--json", "-")
    assert done.returncode == 0, done.stderr
    best = json.loads(done.stdout)["plans"][0]
    assert best["cost"] == "47.10"
    assert [phase["name"] for phase in best["phases"]] == ["train 1", "train 2", "train 3"]
    assert [phase["start"][:10] for phase in best["phases"]] == ["2026-11-02", "2026-11-16", "2026-11-30"]


def test_too_many_repetitions_are_a_fault_with_its_place(planner: Run, tmp_path: Path) -> None:
    path = tmp_path / "scenario.yaml"
    other = SCENARIO[SCENARIO.index("  - name") :].replace("name: train", "name: other")
    path.write_text(SCENARIO.replace("times: 3", "times: 8") + other, encoding="utf-8")
    done = planner("solve", path)
    assert done.returncode == 2
    assert "scenario.yaml:13:" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
