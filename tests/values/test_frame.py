"""Days and minutes: spans, sessions, deadlines, the day of signing."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.values.frame import Frame, frame_of
from planner.values.lease import run_minutes_within, span_minutes
from planner.values.scenario import Scenario
from tests.matching.world import EVALUATE, SERVE, TRAIN, asking

DAY = 1440
NEWEST = date(2026, 11, 1)


def framed(scenario: Scenario, order_by: date | None = None) -> Frame:
    return frame_of(scenario, NEWEST, order_by)


@pytest.mark.parametrize(
    ("hours", "per_day", "span_hours"),
    [
        (300, 10, 30 * 24),
        (305, 10, 30 * 24 + 5),
        (10, 10, 24),
        (9, 10, 9),
        (720, 24, 720),
        (1, 24, 1),
    ],
)
def test_hours_a_day_span_whole_days_and_a_rest(hours: int, per_day: int, span_hours: int) -> None:
    assert span_minutes(hours * 60, per_day * 60) == span_hours * 60


@given(st.integers(0, 5 * DAY), st.integers(1, DAY))
def test_running_minutes_are_those_of_a_walk_minute_by_minute(elapsed: int, per_day: int) -> None:
    walked = sum(minute % DAY < per_day for minute in range(elapsed))
    assert run_minutes_within(elapsed, per_day) == walked


@given(st.integers(1, 100_000), st.integers(1, DAY))
def test_what_runs_in_its_own_span_is_all_of_it(run: int, per_day: int) -> None:
    span = span_minutes(run, per_day)
    assert run_minutes_within(span, per_day) == run
    assert span >= run


def test_the_start_is_the_newest_observation_unless_it_is_said() -> None:
    assert framed(asking()).start == NEWEST
    assert framed(asking(start="2027-01-05")).start == date(2027, 1, 5)


def test_signing_is_at_the_start_unless_the_scenario_says_or_is_overruled() -> None:
    assert framed(asking()).order_by == NEWEST
    assert framed(asking(start="2027-01-05")).order_by == date(2027, 1, 5)
    said = asking(start="2027-01-05", order_by="2026-12-24")
    assert framed(said).order_by == date(2026, 12, 24)
    assert framed(said, date(2026, 12, 31)).order_by == date(2026, 12, 31)
    assert framed(said, date(2026, 12, 31)).start == date(2027, 1, 5)


def test_a_date_holds_to_the_end_of_its_day() -> None:
    frame = framed(asking({}, TRAIN | {"deadline": "2026-11-10"}, start="2026-11-10"))
    assert frame.deadlines_minutes == (DAY,)
    frame = framed(asking({}, TRAIN | {"deadline": "2026-11-12"}, start="2026-11-10"))
    assert frame.deadlines_minutes == (3 * DAY,)


def test_a_length_counts_from_the_start() -> None:
    assert framed(asking({}, TRAIN | {"deadline": "3 weeks"})).deadlines_minutes == (21 * DAY,)


def test_the_scenarios_deadline_holds_for_the_last_training_alone() -> None:
    phases = ({**TRAIN, "name": "first"}, {**TRAIN, "name": "second"}, EVALUATE, SERVE)
    assert framed(asking({}, *phases, deadline="3 weeks")).deadlines_minutes == (None, 21 * DAY, None, None)


@pytest.mark.parametrize(("own", "expected"), [("1 week", 7), ("9 weeks", 21)])
def test_of_two_deadlines_both_hold_so_the_earlier_one_binds(own: str, expected: int) -> None:
    frame = framed(asking({}, TRAIN | {"deadline": own}, deadline="3 weeks"))
    assert frame.deadlines_minutes == (expected * DAY,)


def test_a_release_that_is_a_date_counts_from_the_beginning_of_its_day() -> None:
    phases = (
        {**TRAIN, "name": "a", "not_before": "2026-11-12"},
        {**TRAIN, "name": "b", "not_before": "36 h"},
        {**TRAIN, "name": "c", "not_before": "2026-11-10"},
        {**TRAIN, "name": "d", "not_before": "2026-10-01"},  # long past: it asks for nothing
        {**TRAIN, "name": "e"},
    )
    assert framed(asking({}, *phases, start="2026-11-10")).releases_minutes == (2 * DAY, 36 * 60, 0, 0, 0)


def test_a_blackout_lasts_from_the_beginning_of_its_first_day_to_the_end_of_its_last() -> None:
    blackouts = [
        {"from": "2026-11-20", "to": "2026-11-20"},
        {"from": "2026-11-12", "to": "2026-11-14"},
        {"from": "2026-11-08", "to": "2026-11-10"},  # of three days the last one is the first of the project
        {"from": "2026-11-01", "to": "2026-11-09"},  # past
    ]
    frame = framed(asking(start="2026-11-10", blackouts=blackouts))
    assert frame.blackouts_minutes == ((0, DAY), (2 * DAY, 5 * DAY), (10 * DAY, 11 * DAY))
    assert framed(asking()).blackouts_minutes == ()


def test_a_phase_stands_behind_the_one_before_it_unless_it_says_otherwise() -> None:
    phases = (TRAIN, EVALUATE, SERVE | {"after": ["train"]}, {**EVALUATE, "name": "again", "after": []})
    more = {**EVALUATE, "name": "last", "after": ["evaluate", "serve"]}
    assert framed(asking({}, *phases, more)).after == ((), (0,), (0,), (), (1, 2))


@given(st.integers(0, 10**6), st.sampled_from(["+00:00", "+08:00", "-05:30"]))
def test_a_moment_is_so_many_minutes_after_the_first_midnight_with_its_offset(minutes: int, offset: str) -> None:
    frame = framed(asking())
    moment = frame.moment(minutes, offset)
    assert moment.isoformat().endswith(offset)
    assert moment - frame.moment(0, offset) == timedelta(minutes=minutes)
    assert frame.moment(0, offset).isoformat() == f"2026-11-01T00:00:00{offset}"


def test_minutes_until_a_day_are_whole_days() -> None:
    frame = framed(asking())
    days: dict[Any, int] = {date(2026, 11, 1): 0, date(2026, 11, 4): 3, date(2026, 10, 30): -2}
    assert {day: frame.minutes_until(day) // DAY for day in days} == days
