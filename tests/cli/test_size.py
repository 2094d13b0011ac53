"""`planner size` as a person uses it: as a process, with its exit status."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

ORDER = ("adapters", "checkpointing", "smaller_micro_batch", "zero", "quantization")
JOBS = """\
gpu,model,gpus,method,framework
H20,70B,8,full,
4090,7B,1,qlora,"=HYPERLINK(""http://x"",""y"")"
H200,14B,8,full,"two
lines"
"""


@pytest.fixture(scope="module")
def sizing(planner: Run) -> dict[str, Any]:
    done = planner("size", "7B", "--method", "full", "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("regime", "bytes_each"), [("mixed", 16), ("fp32", 16), ("bf16", 8)])
def test_weights_gradients_and_adamw_of_a_7b(sizing: dict[str, Any], regime: str, bytes_each: int) -> None:
    """Mixed: 2 weights, 2 gradients, 4 master, 4 + 4 moments: 112 GB. Pure bf16: 2 + 2 + 2 + 2: 56 GB."""
    found = {one["name"]: one for one in sizing["regimes"]}[regime]
    assert found["bytes_per_parameter"] == bytes_each
    assert found["states_gb"] == pytest.approx(bytes_each * 7)


def test_leaner_regimes_are_leaner(sizing: dict[str, Any]) -> None:
    states = {one["name"]: one["states_gb"] for one in sizing["regimes"]}
    assert states["bf16_adamw_8bit"] == pytest.approx(7 * (2 + 2 + 1 + 1)), "two moments of a byte each"
    assert states["bf16_adamw_8bit_in_backward"] < states["bf16_adamw_8bit"] < states["bf16"] < states["mixed"]
    assert states["bf16_adamw_8bit_in_backward"] >= 7 * (2 + 1 + 1), "the gradients are gone, the rest is not"


def test_the_folk_rule_is_shown_beside_the_estimate(sizing: dict[str, Any]) -> None:
    assert sizing["folk_gib"] * 2**30 == pytest.approx(7e9 * 16 * 1.3)
    assert sizing["states_gib"] * 2**30 == pytest.approx(7e9 * 16)


def test_levers_come_in_the_order_in_which_to_pull_them_and_each_saves_something(sizing: dict[str, Any]) -> None:
    levers = sizing["pulled"]["levers"]
    kinds = ["zero" if one["name"].startswith("zero") else one["name"] for one in levers]
    known = [kind for kind in dict.fromkeys(kinds) if kind in ORDER]
    assert tuple(known) == ORDER
    for lever in levers:
        assert lever["saves_gib"] > 0
        assert lever["peak_gib"] == pytest.approx(sizing["pulled"]["peak_gib"] - lever["saves_gib"])


def test_no_card_is_said_to_hold_what_its_memory_cannot(sizing: dict[str, Any]) -> None:
    assert {row["verdict"] for row in sizing["rows"]} >= {"fits", "does_not_fit"}
    for row in sizing["rows"]:
        if row["verdict"] == "fits":
            assert row["memory"]["high_gib"] <= row["memory"]["capacity_gib"]
            assert row["gpu_count"] * row["memory"]["capacity_gib"] >= sizing["states_gib"]


def test_a_table_of_jobs_is_written_whole_beside_what_came_of_each(planner: Run, tmp_path: Path) -> None:
    given, target = tmp_path / "jobs.csv", tmp_path / "sized.csv"
    given.write_text(JOBS, encoding="utf-8")
    done = planner("size", "--rows", given, "--out", target)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with target.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    assert (reader.fieldnames or [])[:5] == ["gpu", "model", "gpus", "method", "framework"]
    assert [(row["model"], row["gpu"]) for row in rows] == [("70B", "H20"), ("7B", "4090"), ("14B", "H200")]
    assert [row["verdict"] for row in rows] == ["does_not_fit", "fits", "fits"]
    assert rows[1]["framework"] == '\'=HYPERLINK("http://x","y")'
    assert rows[2]["framework"] == "two\nlines"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jobs.csv", "sized.csv"], "no file half written"


def test_a_table_with_mistakes_is_not_sized_at_all(planner: Run, tmp_path: Path) -> None:
    given, target = tmp_path / "jobs.csv", tmp_path / "sized.csv"
    given.write_text("model,gpu,method\n14B,H20,full\n14B,H2O,full\n14B,H20,ful\n", encoding="utf-8")
    target.write_text("as it was", encoding="utf-8")
    done = planner("size", "--rows", given, "--out", target)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert f"{given}:3:2" in done.stderr
    assert f"{given}:4:3" in done.stderr
    assert target.read_text(encoding="utf-8") == "as it was"


def test_a_place_that_cannot_be_written_is_told(planner: Run, tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("model,gpu\n14B,H20\n", encoding="utf-8")
    done = planner("size", "--rows", tmp_path / "jobs.csv", "--out", tmp_path / "no folder" / "sized.csv")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "sized.csv" in done.stderr


def test_a_model_or_a_table_is_needed(planner: Run) -> None:
    done = planner("size")
    assert done.returncode == 2
    assert "--rows" in done.stderr


def test_options_that_do_not_go_together_are_refused(planner: Run, tmp_path: Path) -> None:
    """--out belongs to --rows, and a table names its models itself."""
    for arguments in (("7B", "--out", tmp_path / "out.csv"), ("7B", "--rows", tmp_path / "rows.csv")):
        done = planner("size", *arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
