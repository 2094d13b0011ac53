"""Keeping, stopping or giving back is decided with everything else. The arithmetic is in the tests."""

from decimal import Decimal

from planner.planning import Options, plan
from planner.values.catalog import Offer
from planner.values.report import Report
from tests.matching.world import SMALL, TRAIN, asking, catalog_of, stated

DAYTIME = TRAIN | {"name": "again", "work": {"hours": "200 h"}, "hours_per_day": "10 h/day"}


def planned(offer: Offer, *phases: dict, **asked: object) -> Report:
    scenario = asking(asked or None, *phases)
    models = {phase.name: SMALL for phase in scenario.phases}
    return plan(scenario, models, catalog_of(offer), Options(runners_up=0))


def cost(report: Report) -> Decimal:
    assert report.plans[0].proven_optimal
    return Decimal(report.plans[0].cost)


def offer(month: str) -> Offer:
    """2.00 an hour, whether it runs or waits, or a month of 720 h."""
    return stated("o", {"prices": {"hour": "2", "month": month}})


def test_a_machine_that_is_given_back_at_night_may_still_be_shared_by_the_month() -> None:
    """Alone, twenty days of 10 h cost 200 h and 19 begun hours of setting up, 438.00, and the 100 h before them 200.00.
    One month of 500.00 holds both: 100 h and 20 days.
    """
    report = planned(offer("500"), TRAIN, DAYTIME)
    assert cost(report) == Decimal(500)
    assert len(report.plans[0].leases) == 1


def test_it_is_given_back_where_the_month_costs_more_than_both() -> None:
    report = planned(offer("640"), TRAIN, DAYTIME)
    assert cost(report) == Decimal(638)
    assert [lease.restart_minutes is None for lease in report.plans[0].leases] == [True, False]
    assert report.held is not None
    assert report.held.restarts == {"o": 19}
    assert report.held.cost == "640.00"


def test_cards_that_must_be_kept_are_not_given_back() -> None:
    report = planned(offer("640"), TRAIN, DAYTIME, capacity_held="required")
    assert cost(report) == Decimal(640)
    assert report.held is None


def test_the_proof_says_where_leases_were_shared_in_one_shape_alone() -> None:
    fee = stated("o", {"fees": [{"name": "set-up", "amount": "5", "per": "once"}]})
    assert "one_shape" in {one.why for one in planned(fee, TRAIN, DAYTIME).assumptions}
    assert "one_shape" not in {one.why for one in planned(offer("500"), TRAIN, DAYTIME).assumptions}
