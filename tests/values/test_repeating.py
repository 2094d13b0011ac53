"""Recurring work spelled out, by hand."""

from datetime import date
from typing import Any

from planner.values.quantities import MINUTES_PER_DAY
from planner.values.repeating import by_repetition, spelled_out
from planner.values.scenario import Scenario

DAY = MINUTES_PER_DAY
AGAIN = {"times": 3, "every": "14 days"}


def scenario(*phases: dict[str, Any], **frame: Any) -> Scenario:
    return Scenario.model_validate({"name": "test", "currency": "CNY", "phases": phases} | frame)


def train(**changes: Any) -> dict[str, Any]:
    return {"name": "train", "kind": "train", "method": "lora", "work": {"hours": "10 h"}} | changes


def evaluate(**changes: Any) -> dict[str, Any]:
    return {"name": "evaluate", "kind": "evaluate", "work": {"hours": "2 h"}} | changes


def told(one: Scenario) -> list[tuple[str, tuple[str, ...] | None, object]]:
    return [(phase.name, phase.after, phase.not_before) for phase in spelled_out(one).phases]


def test_nothing_changes_where_nothing_repeats() -> None:
    one = scenario(train(), evaluate())
    assert spelled_out(one) is one


def test_a_retraining_every_two_weeks_is_a_chain_with_releases() -> None:
    assert told(scenario(train(repeat=AGAIN))) == [
        ("train 1", (), None),
        ("train 2", ("train 1",), 14 * DAY),
        ("train 3", ("train 2",), 28 * DAY),
    ]


def test_phases_that_repeat_alike_repeat_together_and_what_follows_waits_for_the_last() -> None:
    again = {"times": 2, "every": "14 days"}
    found = told(scenario(train(repeat=again), evaluate(repeat=again), train(name="more", after=["train"])))
    assert found == [
        ("train 1", (), None),
        ("evaluate 1", ("train 1",), None),
        ("train 2", ("evaluate 1",), 14 * DAY),
        ("evaluate 2", ("train 2",), 14 * DAY),
        ("more", ("train 2",), None),
    ]


def test_data_is_taken_from_the_same_round_or_from_the_last() -> None:
    again = {"times": 2, "every": "14 days"}
    one = scenario(
        train(repeat=again),
        evaluate(repeat=again, takes={"train": "3 GB"}),
        train(name="more", takes={"train": "2 GB", "evaluate": "1 GB"}),
    )
    assert {phase.name: dict(phase.takes) for phase in spelled_out(one).phases if phase.takes} == {
        "evaluate 1": {"train 1": 3 * 10**9},
        "evaluate 2": {"train 2": 3 * 10**9},
        "more": {"train 2": 2 * 10**9, "evaluate 2": 10**9},
    }


def test_a_date_moves_by_days_and_the_deadline_is_of_the_last() -> None:
    one = scenario(train(repeat=AGAIN, not_before="2026-11-02", deadline="2026-12-20"), start="2026-11-02")
    phases = spelled_out(one).phases
    assert [phase.not_before for phase in phases] == [date(2026, 11, 2), date(2026, 11, 16), date(2026, 11, 30)]
    assert [phase.deadline for phase in phases] == [None, None, date(2026, 12, 20)]


def test_what_holds_of_a_phase_holds_of_each_repetition() -> None:
    one = scenario(train(repeat=AGAIN), evaluate())
    assert by_repetition(one, {"train": 1, "evaluate": 2}) == {"train 1": 1, "train 2": 1, "train 3": 1, "evaluate": 2}
