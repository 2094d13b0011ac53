"""A load that changes over the day, as a person writes it and reads the answer."""

from pathlib import Path

from tests.conftest import Run

SCENARIO = """name: chat
currency: CNY
start: 2026-11-02
requirements: {{terms: [hour]}}
phases:
  - name: serve
    kind: serve
    model: 14B
    period: 10 days
    hours_per_day: {per_day} h/day
    load: {{output_tokens_per_second: 100, by_hour_percent: [{shares}]}}
"""
BY_DAY = ", ".join(["0"] * 8 + ["30"] * 4 + ["100"] * 12)


def test_the_answer_says_how_many_replicas_each_hour_needs(planner: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "chat.yaml"
    scenario.write_text(SCENARIO.format(per_day=16, shares=BY_DAY), encoding="utf-8")
    done = planner("solve", str(scenario))
    assert done.returncode == 0, done.stderr
    assert "needs    0 replicas 00:00-08:00, 1 replica 08:00-24:00" in done.stdout


def test_fewer_hours_than_the_load_lasts_are_a_fault_at_their_line(planner: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "chat.yaml"
    scenario.write_text(SCENARIO.format(per_day=12, shares=BY_DAY), encoding="utf-8")
    done = planner("solve", str(scenario))
    assert done.returncode == 2
    assert ">= 16 h/day" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_mix_names_each_offer_its_count_and_its_hours(planner: Run, tmp_path: Path) -> None:
    """Twice what a card of the cheap kind carries by day: a base all day, and more from 8 o'clock."""
    scenario = tmp_path / "chat.yaml"
    by_day = ", ".join(["20"] * 12 + ["100"] * 6 + ["20"] * 6)
    text = SCENARIO.format(per_day=24, shares=by_day).replace("    load:", "    mix: true\n    load:")
    text = text.replace("[hour]", "[hour, month]").replace("10 days", "30 days").replace("second: 100", "second: 3000")
    scenario.write_text(text, encoding="utf-8")
    done = planner("solve", str(scenario))
    assert done.returncode == 0, done.stderr
    assert "for serve 1, beside" in " ".join(done.stdout.split())
    assert "00:00-24:00" in done.stdout
    assert "0 replicas 00:00-12:00" in done.stdout
    assert "0 replicas 18:00-24:00" in done.stdout
    assert "Serving from one offer alone, the cheapest plan costs" in done.stdout
