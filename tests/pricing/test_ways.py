"""Ways of paying, each bill worked out by hand."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from planner.pricing import best_prices, bill, break_evens, tariff, ways_of_paying
from planner.pricing.ways import as_written
from planner.reading import read_catalog
from planner.values.billing import Counts
from planner.values.catalog import Offer
from planner.values.invoice import NoWay, Rental, Way, WayKind
from planner.values.lease import Use
from planner.values.tariff import Bundle
from tests.conftest import ROOT

MONDAY = date(2026, 11, 2)
DAY = 24 * 60
FREE = {"stopped": {"charge": "0"}}
HOUR, TERM, MIX, RELEASE, ANEW = WayKind.HOUR, WayKind.TERM, WayKind.MIX, WayKind.RELEASE, WayKind.ANEW


def offer(*, billing: dict[str, Any] | None = None, per: str = "gpu", **prices: Any) -> Offer:
    """One node of eight cards."""
    extra = {key: prices.pop(key) for key in ("fees",) if key in prices}
    return Offer.model_validate(
        {
            "id": "o",
            "seller": "s",
            "gpu": "T",
            "gpus_per_node": 8,
            "prices": {"per": per, **prices},
            "currency": "CNY",
            "kind": "list",
            "source": "made up",
            "observed": MONDAY,
            "billing": billing or {},
            **extra,
        }
    )


def node(*, billing: dict[str, Any] | None = None, **prices: Any) -> Offer:
    return offer(billing=billing, per="node", **prices)


def rental(of: Offer, days: int, hours: int = 24, *, nodes: int = 1, start: date = MONDAY) -> Rental:
    return Rental(of, start, start + timedelta(days=days), hours * 60, nodes)


def possible(one: Rental, *kinds: WayKind) -> list[Way]:
    return [way for way in ways_of_paying(one)[0] if not kinds or way.kind in kinds]


def impossible(one: Rental) -> dict[tuple[WayKind, str], tuple[str, str]]:
    return {(way.kind, way.term): (way.reason, way.found) for way in ways_of_paying(one)[1]}


def totals(one: Rental, *kinds: WayKind) -> list[tuple[WayKind, tuple[tuple[str, int], ...], int]]:
    return [(way.kind, way.bundle.counts, way.total_minor) for way in possible(one, *kinds)]


CATALOG = read_catalog([ROOT / "catalogs"])


def listed(name: str) -> Offer:
    return next(one for one in CATALOG.offers if one.id == name)


def test_ten_hours_a_day_on_eight_4090_for_thirty_days() -> None:
    assert totals(rental(listed("jizhisuan-4090-24g-x8"), 30, 10)) == [
        (HOUR, (), 300 * 8 * 157),  # 3,768.00
        (TERM, (("month", 1),), 8 * 107_300),  # 8,584.00
        (WayKind.HOUR_RUNNING, (), 720 * 8 * 157),  # 9,043.20
    ]


def test_a_month_for_ten_days_costs_the_month() -> None:
    one = rental(listed("jygpu-4090-24g-x8"), 10)
    assert totals(one) == [(TERM, (("month", 1),), 792_000)]
    assert possible(one)[0].paid_minutes == 30 * DAY
    assert impossible(one) == {
        (HOUR, "hour"): ("not_sold", ""),
        **{(TERM, term): ("not_sold", "") for term in ("day", "week", "quarter", "year")},
        (RELEASE, "month"): ("refund_not_said", ""),
    }


def test_nodes_multiply() -> None:
    assert totals(rental(node(hour="10"), 1, nodes=3)) == [(HOUR, (), 3 * 24 * 1000)]


# What stopping does


def test_around_the_clock_there_is_one_way_by_the_hour_and_nothing_to_say_about_stopping() -> None:
    assert [(way.kind, way.notes) for way in possible(rental(node(hour="10", billing=FREE), 3))] == [(HOUR, ())]


@pytest.mark.parametrize(
    ("billing", "note"),
    [
        ({}, ("stopping_not_said",)),
        ({"stopped": {"charge": "0", "allowed": "false"}}, ("no_stopping",)),
        ({"stopped": {"charge": "0"}}, ("cards_not_said",)),
        ({"stopped": {"charge": "0", "gpu_held": "false"}}, ("cards_may_be_lost",)),
        ({"stopped": {"charge": "0", "gpu_held": "true"}}, ()),
    ],
)
def test_what_to_know_of_stopping(billing: dict[str, Any], note: tuple[str, ...]) -> None:
    ways = possible(rental(node(hour="10", billing=billing), 2, 10))
    by_hour = next(way for way in ways if way.kind is HOUR)
    assert by_hour.notes == note
    can_stop = note in {("cards_not_said",), ("cards_may_be_lost",), ()}
    assert by_hour.total_minor == (20 if can_stop else 48) * 1000, "waiting is free, or costs like running"
    assert [way.kind for way in ways] == ([HOUR, WayKind.HOUR_RUNNING] if can_stop else [HOUR])


def test_a_day_of_a_machine_that_cannot_be_stopped_has_24_hours() -> None:
    """An hour and a half of running, rounded up, and 22.5 idle hours, rounded up, would be 25."""
    one = Rental(node(hour="10"), MONDAY, MONDAY + timedelta(days=1), 90)
    assert totals(one) == [(HOUR, (), 24 * 1000)]


def test_half_price_while_stopped() -> None:
    terms = node(hour="10", billing={"stopped": {"charge": "50 %"}})
    assert totals(rental(terms, 2, 10)) == [(HOUR, (), 20 * 1000 + 28 * 500), (WayKind.HOUR_RUNNING, (), 48 * 1000)]


# Counts of one term


def test_the_smallest_count_of_each_term_that_covers_45_days() -> None:
    terms = node(day="100", week="600", month="2000", quarter="5000", year="15000")
    assert totals(rental(terms, 45), TERM) == [
        (TERM, (("month", 2),), 400_000),
        (TERM, (("week", 7),), 420_000),  # 49 days
        (TERM, (("day", 45),), 450_000),
        (TERM, (("quarter", 1),), 500_000),
        (TERM, (("year", 1),), 1_500_000),
    ]


def test_only_counts_that_are_sold() -> None:
    terms = node(day={"amount": "100", "allowed_counts": "1-14, 21-182/7"})
    assert totals(rental(terms, 14), TERM) == [(TERM, (("day", 14),), 140_000)]
    assert totals(rental(terms, 15), TERM) == [(TERM, (("day", 21),), 210_000)]
    assert totals(rental(terms, 183)) == []
    assert impossible(rental(terms, 183))[TERM, "day"] == ("counts", "1-14, 21-182/7")


@given(st.sets(st.integers(1, 60), min_size=1))
def test_counts_are_written_as_they_are_read(counts: set[int]) -> None:
    assert TypeAdapter(Counts).validate_python(as_written(sorted(counts))) == tuple(sorted(counts))


def test_a_calendar_month_is_as_long_as_it_is() -> None:
    """28 days of February 2027; one day more takes a second month."""
    terms = node(month="1000", billing={"month": "calendar"})
    assert totals(rental(terms, 28, start=date(2027, 2, 1)), TERM) == [(TERM, (("month", 1),), 100_000)]
    assert totals(rental(terms, 29, start=date(2027, 2, 1)), TERM) == [(TERM, (("month", 2),), 200_000)]


def test_a_component_without_the_price_keeps_a_term_from_being_sold() -> None:
    host = {"name": "host", "per": "node", "hour": "4"}
    one = rental(offer(hour="2", month="1000", components=[host]), 1)
    assert totals(one) == [(HOUR, (), 24 * (8 * 200 + 400))]
    assert impossible(one)[TERM, "month"] == ("part_not_sold", "")
    other = rental(offer(hour="2", month="1000", components=[host | {"hour": None, "month": "50"}]), 1)
    assert impossible(other)[HOUR, "hour"] == ("part_not_sold", "")


# The cheapest mix


def test_a_mix_is_told_where_it_is_cheaper_than_any_plain_way() -> None:
    """35 days: a month and five days. 2 months 6,000, 35 days 4,550, 840 hours 5,208."""
    assert totals(rental(node(hour="6.20", day="130", month="3000"), 35)) == [
        (MIX, (("month", 1), ("day", 5)), 300_000 + 5 * 13_000),
        (TERM, (("day", 35),), 455_000),
        (HOUR, (), 520_800),
        (TERM, (("month", 2),), 600_000),
    ]


def test_hours_after_a_month_are_a_mix_that_may_be_stopped() -> None:
    (mix,) = possible(rental(node(hour="10", month="2000", billing=FREE), 31, 10), MIX)
    assert mix.total_minor == 200_000 + 10 * 1000, "310 hours would be 3,100"
    assert mix.notes == ("cards_not_said",)


def test_a_mix_that_costs_as_much_as_a_plain_way_is_not_told() -> None:
    assert MIX not in {way.kind for way in possible(rental(node(day="100", week="700"), 10))}


# Given back early


def released(of: Offer, days: int, term: str = "month", **more: Any) -> Way:
    return next(way for way in possible(rental(of, days, **more), RELEASE) if way.bundle.count(term))


def test_a_penalty_on_the_share_used() -> None:
    """UCloud: 800 a month, 10 of 30 days at 1.5 times their share: 800 x 10/30 x 1.5 = 400 kept, 400 back."""
    way = released(node(month="800", billing={"refund": {"rule": "penalty", "factor": "1.5", "to": "cash"}}), 10)
    assert [(charge.what, charge.cost_minor) for charge in way.charges] == [("month", 80_000), ("refund", -40_000)]
    assert (way.total_minor, way.paid_minutes, way.notes) == (40_000, 10 * DAY, ())


def test_a_refund_as_credit_is_said() -> None:
    way = released(node(month="900", billing={"refund": {"rule": "daily", "fee": "0", "to": "credit"}}), 10)
    assert [(charge.what, charge.cost_minor) for charge in way.charges] == [("month", 90_000), ("credit", -60_000)]
    assert way.notes == ("refund_as_credit",)


def test_a_year_at_ten_months_is_reckoned_at_twelve_when_it_is_given_back() -> None:
    """8,000 - 12 x 800 x 73/365 = 6,080 back."""
    terms = node(month="800", year="8000", billing={"refund": {"rule": "clawback", "to": "cash"}})
    assert released(terms, 73, "year").total_minor == 192_000


def test_a_discount_is_taken_back_with_a_fee() -> None:
    """Vast.ai: 576 for a month of 720, day 15: 288 - 1.05 x 72 = 212.40 back."""
    month = {"amount": "720", "discounts": [{"from": "1", "off": "20 %"}]}
    terms = node(month=month, billing={"refund": {"rule": "clawback_with_fee", "fee": "5 %", "to": "cash"}})
    assert released(terms, 15).total_minor == 57_600 - 21_240


def test_a_public_discount_counts_as_one_that_was_received() -> None:
    """The same, where the list price stands beside the price."""
    month = {"amount": "576", "before_discount": "720"}
    terms = node(month=month, billing={"refund": {"rule": "clawback_with_fee", "fee": "5 %", "to": "cash"}})
    assert released(terms, 15).total_minor == 57_600 - 21_240


def test_whole_months_and_the_hours_over_are_kept() -> None:
    """45 days of a quarter for 2,700: a month of 1,000 and 360 hours at 2 are kept."""
    terms = node(hour="2", month="1000", quarter="2700", billing={"refund": {"rule": "months_then_hours"}})
    way = released(terms, 45, "quarter")
    assert (way.total_minor, way.notes) == (172_000, ("refund_to_not_said",))


def test_the_list_price_at_the_discount_of_what_was_used() -> None:
    """100 of 120 days, four months at 900: three whole ones have 10 % off, so 4,000 x 0.9 x 100/120 = 3,000 is kept."""
    month = {"amount": "1000", "discounts": [{"from": "3", "off": "10 %"}]}
    assert released(node(month=month, billing={"refund": {"rule": "list_at_discount"}}), 100).total_minor == 300_000


def test_everything_comes_back_in_the_days_of_grace_but_fees_do_not() -> None:
    fees = [{"name": "set-up", "amount": "50", "per": "once"}]
    terms = node(month="800", fees=fees, billing={"refund": {"rule": "none", "grace_days": "5", "to": "cash"}})
    way = released(terms, 5)
    assert (way.total_minor, way.notes) == (5_000, ("refund_once",))
    assert impossible(rental(terms, 6))[RELEASE, "month"] == ("nothing_back", "")


@pytest.mark.parametrize(
    ("refund", "reason"),
    [({}, "refund_not_said"), ({"refund": {"rule": "penalty"}}, "refund_unclear"), ({"refund": {}}, "refund_unclear")],
)
def test_a_refund_that_is_not_known_is_no_way(refund: dict[str, Any], reason: str) -> None:
    assert impossible(rental(node(month="800", billing=refund), 10))[RELEASE, "month"] == (reason, "")


def test_what_is_used_up_is_not_given_back() -> None:
    one = rental(node(month="800", billing={"refund": {"rule": "daily", "fee": "0"}}), 30)
    assert not possible(one, RELEASE)
    assert (RELEASE, "month") not in impossible(one)


# Renting anew


def test_three_first_months_against_one_lease_that_is_renewed() -> None:
    fees = [{"name": "set-up", "amount": "50", "per": "once"}]
    one = rental(node(month={"amount": "500", "renewal_price": "1000"}, fees=fees), 90)
    assert totals(one) == [
        (ANEW, (("month", 1),), 3 * 50_000 + 3 * 5_000),
        (TERM, (("month", 3),), 50_000 + 2 * 100_000 + 5_000),
    ]
    anew = possible(one, ANEW)[0]
    assert (anew.leases, anew.notes, anew.paid_minutes) == (3, ("seller_must_agree",), 90 * DAY)
    assert [(charge.what, charge.quantity, charge.cost_minor) for charge in anew.charges] == [
        ("month", 3, 150_000),
        ("set-up", 3, 15_000),
    ]


def test_each_lease_has_the_price_of_its_own_day() -> None:
    """From 10 December a first month costs 600: those of 2 November and 2 December do not, that of 1 January does."""
    month = {"amount": "500", "renewal_price": "1000"}
    change = {"from": "2026-12-10", "month": {"amount": "600", "renewal_price": "1000"}}
    (anew,) = possible(rental(node(month=month, changes=[change]), 90), ANEW)
    assert anew.total_minor == 2 * 50_000 + 60_000


def test_one_alone_must_be_sold_to_rent_anew() -> None:
    one = rental(node(month={"amount": "500", "renewal_price": "1000", "allowed_counts": "2-12"}), 90)
    assert impossible(one)[ANEW, "month"] == ("counts", "2-12")
    assert not possible(rental(node(month={"amount": "500", "renewal_price": "1000"}), 30), ANEW), "one lease is enough"


# Break-even


@pytest.mark.parametrize(
    ("name", "month", "hour", "shown"),
    [
        ("jizhisuan-h20-96g-x8", "4464", "6.20", "720.0"),
        ("jizhisuan-h200-141g-x8", "10036", "13.94", "719.9"),
        ("jizhisuan-4090-24g-x8", "1073", "1.57", "683.4"),
        ("jizhisuan-4090-48g-x1", "1956", "2.86", "683.9"),
    ],
)
def test_public_break_evens(name: str, month: str, hour: str, shown: str) -> None:
    (one,) = break_evens(rental(listed(name), 30))
    assert (one.term, one.count, one.term_minutes, one.is_rented) == ("month", 1, 720 * 60, False)
    assert one.equal_hours == Fraction(month) / Fraction(hour)
    assert f"{float(one.equal_hours):.1f}" == shown
    assert one.beyond_hours == (None if shown == "720.0" else one.equal_hours)


def test_stopped_hours_that_cost_bring_a_term_forward() -> None:
    """360 hours at 10 and 360 at 5 are 5,400, the price of the month."""
    (one,) = break_evens(rental(node(hour="10", month="5400", billing={"stopped": {"charge": "50 %"}}), 30))
    assert (one.equal_hours, one.beyond_hours, one.is_rented) == (540, 360, False)


def test_a_flat_price_while_stopped_does_so_too() -> None:
    """A stopped hour is 720 / 720 = 1: 500 hours at 10 and 220 at 1 are 5,220."""
    billing = {"stopped": {"charge": "0", "flat_fee": "720"}}
    (one,) = break_evens(rental(node(hour="10", month="5220", billing=billing), 30))
    assert (one.equal_hours, one.beyond_hours) == (522, 500)


def test_where_stopping_saves_nothing_the_hours_are_those_rented() -> None:
    (one,) = break_evens(rental(node(hour="10", month="5400"), 30))
    assert (one.equal_hours, one.beyond_hours, one.is_rented) == (540, 540, True)


def test_components_and_cards_are_added_up() -> None:
    """(8 x 1,000 + 1,000) / (8 x 2 + 4) = 450."""
    host = {"name": "host", "per": "node", "hour": "4", "month": "1000"}
    (one,) = break_evens(rental(offer(hour="2", month="1000", components=[host], billing=FREE), 30, nodes=3))
    assert one.equal_hours == 450


def test_a_renewed_month_has_a_break_even_of_its_own_and_shorter_terms_come_first() -> None:
    terms = node(hour="10", day="200", month={"amount": "3000", "renewal_price": "6000"}, billing=FREE)
    found = [(one.term, one.is_renewal, one.equal_hours, one.term_minutes) for one in break_evens(rental(terms, 1))]
    assert found == [
        ("day", False, 20, DAY),
        ("month", False, 300, 30 * DAY),
        ("month", True, 600, 30 * DAY),
    ]


def test_the_fewest_that_are_sold_together_are_held_against_the_hour() -> None:
    day = {"amount": "100", "allowed_counts": "21-182/7"}
    (one,) = break_evens(rental(node(hour="10", day=day, billing=FREE), 30))
    assert (one.count, one.equal_hours, one.term_minutes) == (21, 210, 21 * DAY)


def test_a_month_that_ends_with_the_calendars_is_held_against_a_whole_one() -> None:
    """November has 720 hours, whichever day a lease begins."""
    terms = node(hour="10", month="5400", billing=FREE | {"month": "month_end"})
    (one,) = break_evens(rental(terms, 30, start=date(2026, 11, 15)))
    assert (one.equal_hours, one.term_minutes) == (540, 720 * 60)


# For every rental

ALL = node(hour="1", day="20", week="120", month="450", quarter="1300", year="5000", billing=FREE)


@given(st.integers(1, 400), st.integers(1, 24), st.integers(1, 3))
def test_the_cheapest_comes_first_and_every_way_covers_the_rental(days: int, hours: int, nodes: int) -> None:
    one = rental(ALL, days, hours, nodes=nodes)
    ways = possible(one)
    assert [way.total_minor for way in ways] == sorted(way.total_minor for way in ways)
    assert ways[0].total_minor == best_prices(tariff(ALL, nodes, starts=MONDAY), [one.use])[0].cost_minor
    assert all(way.paid_minutes >= one.span_minutes for way in ways)


@pytest.mark.parametrize("rule", ["calendar", "month_end"])
@given(st.integers(1, 75), st.integers(4, 20), st.data())
def test_the_mix_of_calendar_months_is_the_cheapest_of_all_counts(rule: str, days: int, hour: int, data: Any) -> None:
    """Counts are left out only where no mix with them is cheaper."""
    price = {term: Decimal(data.draw(st.integers(1, 40), term)) * factor for term, factor in FACTORS.items()}
    terms = tariff(node(hour=str(hour), billing={"month": rule} | FREE, **price), 1, starts=date(2027, 1, 12))
    use = Use(0, days * 240, days * 240, 240)
    bundles = (Bundle.of(week=w, month=m, quarter=q) for w, m, q in product(range(12), range(5), range(2)))
    every = [billed.cost_minor for bundle in bundles if (billed := bill(terms, [use], bundle)) is not None]
    assert best_prices(terms, [use])[0].cost_minor == min(every)


FACTORS = {"week": 1, "month": 4, "quarter": 11}


def test_a_year_of_calendar_months_is_no_endless_list() -> None:
    """Twelve months are never cheaper than a year for less, so neither are 366 days: few mixes are left."""
    prices = {"hour": "10", "day": "200", "week": "1200", "month": "4500", "quarter": "13000", "year": "50000"}
    terms = tariff(node(billing={"month": "calendar"}, **prices), 1, starts=MONDAY)
    assert sum(1 for _ in terms.bundles(365 * DAY)) < 2000


def test_more_months_than_are_laid_out_count_their_shortest() -> None:
    terms = tariff(node(month="1", billing={"month": "calendar"}), 1, starts=date(2026, 11, 1))
    twelve_years = (date(2038, 11, 1) - date(2026, 11, 1)).days
    assert terms.prepaid_minutes(Bundle.of(month=144)) == twelve_years * DAY
    assert terms.prepaid_minutes(Bundle.of(month=200)) == (twelve_years + 56 * 28) * DAY


def test_no_way_names_itself_once() -> None:
    ways = ways_of_paying(rental(ALL, 200, 5))[1]
    assert len(ways) == len({(way.kind, way.term) for way in ways})
    assert all(isinstance(way, NoWay) for way in ways)
