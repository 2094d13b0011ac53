"""A serving phase whose load several offers carry together: the bill by hand, and what a mix must keep."""

import random
from typing import Any

import pytest
from pydantic import ValidationError

from planner.planning import Options, mixes, plan
from planner.values.catalog import Offer
from planner.values.report import Report
from tests.matching.world import SERVE, SMALL, TRAIN, asking, catalog_of, matched, stated, the_candidate

CARRIES = the_candidate(matched(asking({}, SERVE), stated()), "serve").time.tokens_per_second
"""Tokens a second that one node carries; all offers here are of the same card."""
MONTH = {"prices": {"hour": None, "month": "1000"}, "billing": {"month": "720 h"}}
HOUR = {"prices": {"hour": "5"}, "billing": {"stopped": {"charge": "0"}}}
# What one node carries with a tenth to spare all day, and that of two in the four hours from 18 o'clock.
EVENING = [45.0] * 18 + [100.0] * 4 + [45.0] * 2


def chat(**changes: Any) -> dict[str, Any]:
    load = {"output_tokens_per_second": 1.9 * CARRIES, "by_hour_percent": EVENING}
    return SERVE | {"hours_per_day": "24 h/day", "mix": True, "load": load} | changes


def planned(*offers: Offer, phases: tuple[dict[str, Any], ...] = (), **frame: Any) -> Report:
    scenario = asking({}, *(phases or (chat(),)), **({"nodes_at_most": 4} | frame))
    return plan(scenario, {phase.name: SMALL for phase in scenario.phases}, catalog_of(*offers), Options())


def leases(report: Report) -> list[tuple[str, int, tuple[str, ...], str]]:
    return [(one.offer, one.nodes, one.terms, one.cost) for one in report.plans[0].leases]


def test_a_base_by_the_month_and_the_evening_by_the_hour() -> None:
    """1000.00, and 30 days x 4 h x 5.00 = 600.00. Two months are 2000.00; by the hour alone it is
    30 x (24 + 4) x 5.00 = 4200.00.
    """
    report = planned(stated("base", MONTH), stated("peak", HOUR))
    assert leases(report) == [("base", 1, ("month",), "1000.00"), ("peak", 1, ("hour",), "600.00")]
    assert report.plans[0].cost == "1600.00"
    assert report.plans[0].proven_optimal
    base, peak = report.plans[0].phases
    assert base.replicas_by_hour == (1,) * 24
    assert peak.replicas_by_hour == (0,) * 18 + (1,) * 4 + (0,) * 2
    assert base.start == peak.start
    assert [one.value for one in report.warnings if one.rule == "unmixed"] == ["2000.00 CNY"]


def test_one_offer_remains_where_a_mix_is_no_cheaper() -> None:
    """At 20.00 an hour the evenings are 2400.00: a second month is 1000.00."""
    dear = HOUR | {"prices": {"hour": "20"}}
    report = planned(stated("base", MONTH), stated("peak", dear))
    assert report.plans[0].cost == "2000.00"
    assert [phase.name for phase in report.plans[0].phases] == ["serve"]


def test_a_load_that_no_offer_carries_alone_is_carried_together() -> None:
    """One machine of each: two are needed in the evening."""
    report = planned(stated("base", MONTH | {"stock": 1}), stated("peak", HOUR | {"stock": 1}))
    assert report.status == "chosen"
    assert report.plans[0].cost == "1600.00"


@pytest.mark.parametrize(
    ("cities", "status", "cost"), [(("a", "b"), "chosen", "2100.00"), (("a", "a"), "impossible", "")]
)
def test_nodes_run_in_as_many_cities_as_asked(cities: tuple[str, str], status: str, cost: str) -> None:
    """A month in the one city, and one at 1100.00 in the other: two at 1000.00 would do, but stand in one."""
    offers = [
        stated(
            f"in-{index}", MONTH | {"prices": {"hour": None, "month": price}, "place": {"country": "CN", "city": city}}
        )
        for index, (city, price) in enumerate(zip(cities, ("1000", "1100"), strict=True))
    ]
    report = planned(*offers, phases=(chat(places_at_least=2),))
    assert report.status == status
    assert [one.cost for one in report.plans] == ([cost] if cost else [])
    assert [need.rule for need in report.conflict] == ([] if cost else ["places_at_least"])


def test_the_way_out_of_too_many_places_is_the_mix_in_fewer() -> None:
    """Both months in the one city that there is: 2000.00, and 1600.00 with the evenings by the hour."""
    city = {"place": {"country": "CN", "city": "a"}}
    offers = stated("base", MONTH | city), stated("peak", HOUR | city)
    report = planned(*offers, phases=(chat(places_at_least=2),))
    assert [(need.rule, need.phase) for need in report.conflict] == [("places_at_least", "serve")]
    assert [(r.rule, r.from_, r.to, r.cost) for r in report.relaxations] == [("places_at_least", "2", "1", "1600.00")]


def test_a_mix_that_a_requirement_forbids_is_told_with_what_it_costs_without_it() -> None:
    """Two cities of which only one is in the country that is asked for: 1000.00 and 1100.00 without that."""
    here, there = ({"place": {"country": country, "city": country}} for country in ("CN", "US"))
    dear = {"prices": {"hour": None, "month": "1100"}}
    offers = stated("here", MONTH | here), stated("there", MONTH | there | dear)
    report = planned(*offers, phases=(chat(places_at_least=2, requirements={"place": {"country": "CN"}}),))
    assert {need.rule for need in report.conflict} == {"place", "places_at_least"}
    found = {r.rule: (r.to, r.cost) for r in report.relaxations}
    assert found["places_at_least"] == ("1", "2000.00")
    assert found["place"][1] == "2100.00"


def test_a_mix_beyond_the_budget_is_told_as_that() -> None:
    """In two cities it costs 2100.00, in one 2000.00."""
    offers = [
        stated(city, MONTH | {"prices": {"hour": None, "month": price}, "place": {"country": "CN", "city": city}})
        for city, price in (("a", "1000"), ("b", "1100"))
    ]
    report = planned(*offers, phases=(chat(places_at_least=2),), budget="2050")
    assert {need.rule for need in report.conflict} == {"budget", "places_at_least"}
    assert {r.rule: r.cost for r in report.relaxations} == {"budget": "2100.00", "places_at_least": "2000.00"}


def test_a_mix_comes_after_its_training_and_before_what_follows() -> None:
    """Twice 100 h of training at 5.00 are 1000.00 beside the 1600.00."""
    report = planned(stated("base", MONTH), stated("peak", HOUR), phases=(TRAIN, chat(), TRAIN | {"name": "again"}))
    first, base, peak, again = report.plans[0].phases
    assert first.end <= base.start == peak.start
    assert again.start >= base.end
    assert report.plans[0].cost == "2600.00"
    assert not report.plans[0].proven_optimal  # a training could share the month of a mix


def test_beside_phases_on_other_offers_a_mix_is_proven() -> None:
    train = TRAIN | {"requirements": {"sellers_allowed": ["trainer"]}}
    serve = chat(requirements={"sellers_allowed": ["s"]})
    offers = (stated("base", MONTH), stated("peak", HOUR), stated("own", {"seller": "trainer"}))
    report = planned(*offers, phases=(train, serve))
    assert report.plans[0].cost == "2200.00"  # 100 h at 6.00, and the mix
    assert report.plans[0].proven_optimal


def test_several_places_without_a_mix_are_a_fault() -> None:
    with pytest.raises(ValidationError, match="several places need a mix"):
        asking({}, SERVE | {"places_at_least": 2})


def test_a_load_that_changes_may_be_mixed_unless_it_is_said_that_it_may_not() -> None:
    offers = (stated("base", MONTH), stated("peak", HOUR))
    assert planned(*offers, phases=(chat(mix=None),)).plans[0].cost == "1600.00"
    assert planned(*offers, phases=(chat(mix=False),)).plans[0].cost == "2000.00"


SIZES = ({"context": 2048, "output_tokens": 512}, {"context": 400_000, "output_tokens": 1000})
SMALL_CARD = stated("small", MONTH | {"gpu": "RTX 4090", "prices": {"hour": None, "month": "100"}})
BIG_CARD = stated("big", MONTH | {"gpu": "H200"})


def requests_per_second(offer: Offer, size: dict[str, int]) -> float:
    """What one node carries of requests of one size."""
    phase = SERVE | {"load": {"output_tokens_per_second": 1e-9} | size}
    return the_candidate(matched(asking({}, phase), offer), "serve").time.tokens_per_second / size["output_tokens"]


def test_long_requests_go_to_cards_that_hold_them_and_short_ones_to_cheap_cards() -> None:
    """400,000 tokens do not fit a card of 24 GB: their cache takes 13, and more must stay free. Each size fills nine
    tenths of a node of its own, so one of each kind, 1100.00, is enough; two big ones are 2000.00.
    """
    short = 0.9 * requests_per_second(SMALL_CARD, SIZES[0])
    long = 0.9 * requests_per_second(BIG_CARD, SIZES[1])
    percents = [100 * load / (short + long) for load in (short, long)]
    sizes = [size | {"share_percent": percent} for size, percent in zip(SIZES, percents, strict=True)]
    load = {"requests_per_second": short + long, "sizes": sizes}
    report = planned(SMALL_CARD, BIG_CARD, phases=(chat(mix=None, load=load),))
    assert sorted(one.offer for one in report.plans[0].leases) == ["big", "small"]
    assert report.plans[0].cost == "1100.00"
    taken = {
        lease.offer: phase.sizes for lease, phase in zip(report.plans[0].leases, report.plans[0].phases, strict=True)
    }
    assert [size.context_tokens for size in taken["small"]] == [2048]
    assert (400_000, 100.0) in [(size.context_tokens, size.percent) for size in taken["big"]]


@pytest.mark.parametrize(
    ("load", "mix", "fault"),
    [
        ({"output_tokens_per_second": 9}, None, "sizes are of requests"),
        ({"requests_per_second": 9}, False, "several sizes need a mix"),
        ({"requests_per_second": 9, "sizes": [SIZES[0] | {"share_percent": 90}]}, None, "sizes are not all requests"),
        (
            {"requests_per_second": 9, "sizes": [{"context": 9, "output_tokens": 9, "share_percent": 100}]},
            None,
            "longer",
        ),
    ],
)
def test_sizes_that_contradict_the_rest_are_a_fault(load: dict[str, Any], mix: bool | None, fault: str) -> None:
    load = {"sizes": [SIZES[0] | {"share_percent": 100}]} | load
    with pytest.raises(ValidationError, match=fault):
        asking({}, SERVE | {"load": load, "mix": mix})


@pytest.mark.parametrize("seed", range(8))
def test_offers_that_another_stands_in_for_change_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As cheap with every offer asked as with those that no other is as good as; some stocks are scarce."""
    dice = random.Random(seed)  # noqa: S311, no secret
    offers = []
    for index in range(6):
        prices = {"hour": str(dice.choice([3, 5, 5, 8])), "month": str(dice.choice([900, 1000, 2500]))}
        stock = dice.choice([None, 1, 2, 9])
        fees = [{"name": "start", "amount": "50", "per": "once"}] if dice.random() < 0.3 else []
        offers.append(stated(f"o{index}", HOUR | {"prices": prices, "stock": stock, "fees": fees}))
    times = dice.choice([1.0, 2.5, 4.0])
    load = {"output_tokens_per_second": 1.9 * CARRIES * times, "by_hour_percent": EVENING}
    reduced = planned(*offers, phases=(chat(load=load),))
    monkeypatch.setattr(mixes, "undominated", lambda alike, *_: {one.offer.id for one in alike})
    whole = planned(*offers, phases=(chat(load=load),))
    assert [one.cost for one in reduced.plans[:1]] == [one.cost for one in whole.plans[:1]]
