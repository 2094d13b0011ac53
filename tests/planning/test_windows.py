"""Windows of time of a whole question: its dates, worked out by hand, and what conflicts where they leave no room."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from planner.planning import Options, plan
from planner.values.report import Report
from tests.matching.world import SMALL, TRAIN, asking, catalog_of, stated

# From Sunday 2026-11-01: 100 hours on one machine at 6.00, then 24 hours on it. Hours count from the start.
FIRST: Mapping[str, Any] = {**TRAIN, "name": "first", "not_before": "2026-11-03"}
SECOND: Mapping[str, Any] = {**TRAIN, "name": "second", "work": {"hours": "24 h"}, "gap": "2 h"}
SATURDAY = {"from": "2026-11-07", "to": "2026-11-07"}  # hours 144 to 168
FRIDAY = {"from": "2026-11-13", "to": "2026-11-13"}  # hours 288 to 312


def answered(first: Mapping[str, Any], second: Mapping[str, Any], *blackouts: Mapping[str, str]) -> Report:
    scenario = asking({}, first, second, blackouts=blackouts, utc_offset="+08:00")
    return plan(scenario, {"first": SMALL, "second": SMALL}, catalog_of(stated()), Options())


def dates(report: Report) -> list[tuple[str, str]]:
    """Start and end of each phase of the best plan, without their offset."""
    return [
        tuple(datetime.fromisoformat(str(moment)).strftime("%m-%d %H:%M") for moment in (phase.start, phase.end))
        for phase in report.plans[0].phases
    ]


@pytest.mark.parametrize(
    ("close", "blackouts", "expected"),
    [
        # 48 + 100 = 148, and two hours later
        (None, (), [("11-03 00:00", "11-07 04:00"), ("11-07 06:00", "11-08 06:00")]),
        # 148 lies in Saturday, so it starts on Sunday, at 168, and ends at 268; 270 to 294
        (None, (SATURDAY,), [("11-08 00:00", "11-12 04:00"), ("11-12 06:00", "11-13 06:00")]),
        # 294 lies in Friday, so the second starts at 312
        (None, (FRIDAY, SATURDAY), [("11-08 00:00", "11-12 04:00"), ("11-14 00:00", "11-15 00:00")]),
        # and no more than 24 hours before that the first must end: at 288, so it starts at 188
        ("24 h", (FRIDAY, SATURDAY), [("11-08 20:00", "11-13 00:00"), ("11-14 00:00", "11-15 00:00")]),
    ],
)
def test_a_plan_stands_in_its_windows(
    close: str | None, blackouts: tuple[Mapping[str, str], ...], expected: list[tuple[str, str]]
) -> None:
    report = answered(FIRST, SECOND | ({} if close is None else {"gap_at_most": close}), *blackouts)
    assert report.status == "chosen"
    assert dates(report) == expected
    assert Decimal(report.plans[0].cost) == 124 * 6, "what waits is given back and rented again"


def test_windows_that_leave_no_room_are_the_conflict_and_each_is_waived_in_turn() -> None:
    """The second must end by 312, so before Friday, at 288. The first ends at 268 at the earliest, and 270 + 24 is 294.

    Without its release the first runs before Saturday, from 0 to 100; without blackouts from 48 to 148; without
    its deadline the second runs from 312 to 336.
    """
    report = answered(FIRST, SECOND | {"deadline": "2026-11-13"}, FRIDAY, SATURDAY)
    assert report.status == "impossible"
    assert {line.rule for line in report.conflict} == {"deadline", "release", "blackout"}
    found = {one.rule: (one.from_, one.to, Decimal(one.cost)) for one in report.relaxations}
    assert found == {
        "deadline": ("312.0 h", "336.0 h", 744),
        "release": ("48.0 h", "0.0 h", 744),
        "blackout": ("", "", 744),
    }


def test_a_longest_gap_that_cannot_be_kept_is_named_with_what_it_would_have_to_be() -> None:
    """The first must end by 168, and the second starts at 312."""
    first = FIRST | {"not_before": "2 days", "deadline": "2026-11-07"}
    report = answered(first, SECOND | {"not_before": "2026-11-14", "gap_at_most": "6 days"})
    assert report.status == "chosen", "6 days of 24 hours are the 144 from 168 to 312"
    report = answered(first, SECOND | {"not_before": "2026-11-14", "gap_at_most": "143 h"})
    assert report.status == "impossible"
    assert {line.rule for line in report.conflict} == {"deadline", "release", "gap_at_most"}
    (gap,) = [one for one in report.relaxations if one.rule == "gap_at_most"]
    assert (gap.from_, gap.to) == ("143.0 h", "164.0 h"), "the first as early as it can: from 148 to 312"


def test_an_offer_that_is_too_slow_for_a_release_and_a_deadline_is_refused_with_when_it_would_be_done() -> None:
    report = answered(FIRST | {"deadline": "147 h"}, SECOND)
    assert report.status == "impossible"
    (line,) = [one for one in report.rejections if one.phase == "first"]
    assert (line.reason, line.needs, line.has) == ("deadline", "<= 147.0 h", "148.0 h")
    assert answered(FIRST | {"deadline": "148 h"}, SECOND).status == "chosen"
