"""Data that goes from one phase to the next: what leaving a seller costs, and how long the way is, worked out by hand.

A training of 100 hours at 6.00 with seller a, then another of 50 hours that takes 200 GB from it, at 6.00 with a or at
4.00 elsewhere: 600 + 300 with a alone. 200 GB at 100 Mb/s are 16,000 s: 266 min and two thirds.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from planner.planning import Options, plan
from planner.reporting import report_text
from planner.values.catalog import Offer
from planner.values.report import Report
from tests.matching.world import SMALL, TRAIN, asking, catalog_of, stated

Map = Mapping[str, Any]
FIRST: Map = {**TRAIN, "requirements": {"sellers_allowed": ["a"]}}
SECOND: Map = {**TRAIN, "name": "tune", "work": {"hours": "50 h"}, "takes": {"train": "200 GB"}}


def sold(name: str, seller: str, hour: str, gb: str | None = None, **more: Any) -> Offer:
    """An offer with what a GB costs that leaves it."""
    traffic = {} if gb is None else {"bandwidth": {"traffic": {"flat": gb, "both_ways": False}}}
    return stated(name, {"seller": seller, "prices": {"hour": hour}} | traffic | more)


def answered(*offers: Offer, first: Map = FIRST, second: Map = SECOND, **frame: Any) -> Report:
    return plan(asking({}, first, second, **frame), {"train": SMALL, "tune": SMALL}, catalog_of(*offers), Options())


def rented(report: Report) -> dict[str, str]:
    leases = {lease.id: lease.offer for lease in report.plans[0].leases}
    return {phase.name: leases[phase.lease] for phase in report.plans[0].phases}


@pytest.mark.parametrize(
    ("gb", "offer", "cost"),
    [
        ("0", "cheap", "800.00"),
        ("0.40", "cheap", "880.00"),  # 600 + 200 + 80
        ("0.49", "cheap", "898.00"),
        ("0.51", "home", "900.00"),  # 902 elsewhere
    ],
)
def test_what_leaves_a_seller_is_in_the_cost_that_is_least(gb: str, offer: str, cost: str) -> None:
    """https://github.com/skypilot-org/skypilot/issues/7849: is egress in the objective? Here it is."""
    report = answered(sold("home", "a", "6", gb), sold("cheap", "b", "4", "0"))
    assert rented(report) == {"train": "home", "tune": offer}
    assert report.plans[0].cost == cost
    assert report.plans[0].proven_optimal


def test_the_bill_has_a_line_for_it_and_the_next_phase_waits_for_it() -> None:
    report = answered(sold("home", "a", "6", "0.40"), sold("cheap", "b", "4", "0"))
    (move,) = report.plans[0].moves
    assert (move.from_offer, move.to_offer, move.gb, move.cost) == ("home", "cheap", 200, "80.00")
    train, tune = (phase for phase in report.plans[0].phases)
    waits = datetime.fromisoformat(tune.start) - datetime.fromisoformat(train.end)
    assert waits == timedelta(minutes=267)
    assert move.hours == pytest.approx(267 / 60, abs=0.001)
    text = " ".join(report_text(report).split())
    assert "move-1 traffic over the public network 200 GB x 0.40 CNY = 80.00 CNY" in text
    assert "200.0 GB of train from home to tune on cheap" in text


def test_the_slower_end_sets_the_time_and_a_gap_that_is_longer_hides_it() -> None:
    """10 Mb/s take ten times as long: 2,666 min and two thirds. In a review of two days (2,880 min) they are over."""
    home = sold("home", "a", "6", "0")
    slow = sold("cheap", "b", "4", "0", bandwidth={"public": "10 Mb/s", "traffic": {"flat": "0", "both_ways": False}})
    for gap, minutes in (("0 h", 2667), ("2 days", 2880)):
        train, tune = answered(home, slow, second=SECOND | {"gap": gap}).plans[0].phases
        assert datetime.fromisoformat(tune.start) - datetime.fromisoformat(train.end) == timedelta(minutes=minutes)


@pytest.mark.parametrize(("deadline_minutes", "offer"), [(150 * 60 + 267, "cheap"), (150 * 60 + 266, "home")])
def test_a_deadline_that_the_way_would_break_keeps_the_phase_where_the_data_is(
    deadline_minutes: int, offer: str
) -> None:
    second = SECOND | {"deadline": f"{deadline_minutes} min"}
    assert rented(answered(sold("home", "a", "6", "0"), sold("cheap", "b", "4", "0"), second=second))["tune"] == offer


@pytest.mark.parametrize(
    ("place", "there", "is_moved"),
    [
        ({"country": "CN", "city": "Beijing"}, {"country": "CN", "city": "Beijing"}, False),
        ({"country": "CN", "city": "Beijing"}, {"country": "CN", "city": "Wuhan"}, True),
        ({"country": "CN"}, {"country": "CN"}, True),  # a country is not a region: it is not known to be near
        ({"site": "DC1"}, {"site": "DC1"}, False),
    ],
)
def test_nothing_moves_inside_one_region_of_one_seller(place: Map, there: Map, *, is_moved: bool) -> None:
    home = sold("home", "a", "6", "0.10", place=place)
    other = sold("there", "a", "4", "0.10", place=there, gpu="H200")
    second = SECOND | {"requirements": {"hardware": {"gpus_allowed": ["H200"]}}}
    first = FIRST | {"requirements": {"hardware": {"gpus_allowed": ["T"]}}}
    report = answered(home, other, first=first, second=second)
    assert rented(report)["tune"] == "there"
    assert report.plans[0].cost == ("820.00" if is_moved else "800.00")
    assert len(report.plans[0].moves) == is_moved


def test_a_price_that_is_not_stated_is_told_and_not_taken_for_nothing_said() -> None:
    report = answered(sold("home", "a", "6"), sold("cheap", "b", "4", "0"))
    assert report.plans[0].cost == "800.00"
    assert ("traffic_unknown", "home", "200 GB") in {(one.rule, one.subject, one.value) for one in report.warnings}
    assert "What a GB over the public network costs at home is not stated" in " ".join(report_text(report).split())


def test_both_sellers_bill_where_the_second_counts_what_comes_in_and_each_in_its_currency() -> None:
    """80.00 CNY to a; 200 GB x 0.02 USD at b, at 7.00 CNY, are 28.00. 200 h x 4 USD would be dear, so 0.50 an hour."""
    both = {"bandwidth": {"traffic": {"flat": "0.02", "both_ways": True}}, "currency": "USD"}
    report = answered(sold("home", "a", "6", "0.40"), sold("cheap", "b", "0.50", **both), exchange_rates={"USD": "7"})
    (move,) = report.plans[0].moves
    assert move.cost == "108.00"
    assert [(line.cost, line.currency) for line in move.charges] == [("80.00", "CNY"), ("4.00", "USD")]
    assert report.plans[0].cost == "883.00"  # 600 + 50 x 0.50 x 7 + 108


def test_the_free_band_is_used_up_by_what_the_phase_sends_itself() -> None:
    """The weights that the training sends take some of the 100 GB that are free: as many more of the 200 cost 1.00."""
    tiers = {"tiers": [{"from": "0 GB", "price": "0"}, {"from": "100 GB", "price": "1"}], "resets": "month"}
    traffic = {"bandwidth": {"traffic": tiers | {"both_ways": False}}}
    first = FIRST | {"work": {"tokens": "1 million"}}
    second = SECOND | {"requirements": {"sellers_allowed": ["b"]}}
    report = answered(sold("home", "a", "6", **traffic), sold("cheap", "b", "4", "0"), first=first, second=second)
    (move,) = report.plans[0].moves
    weights_gb = 2 * SMALL.parameters / 1e9
    assert 0.1 < weights_gb < 1
    assert float(move.cost) == pytest.approx(100 + weights_gb, abs=0.006)


def test_in_a_budget_it_counts() -> None:
    offers = (sold("home", "a", "6", "0.40"), sold("cheap", "b", "4", "0"))
    second = SECOND | {"requirements": {"sellers_allowed": ["b"]}}
    assert answered(*offers, second=second, budget="880").status == "chosen"
    refused = answered(*offers, second=second, budget="879.99")
    assert refused.status == "impossible"
    assert {line.rule for line in refused.conflict} == {"budget"}
