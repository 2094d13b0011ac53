"""Terms against plain enumeration, and what holds of every bill."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import floor
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from planner.pricing import best_prices, bill, tariff
from planner.values.lease import Bill, Use
from planner.values.tariff import Bundle, Tariff
from tests.pricing.invoices import DAY, HOUR, run, sold
from tests.pricing.meter import Lease
from tests.pricing.test_meter import FAMILIES, leases, tariff_of

COUNTS = ["1-14", "1-3, 5", "2, 4, 8", "3", "1-20/3"]


def cents(least: int, most: int) -> st.SearchStrategy[str]:
    return st.integers(least, most).map(lambda minor: str(Decimal(minor) / 100))


@st.composite
def rates(draw: st.DrawFn, least: int, most: int) -> Any:
    """A plain price, or one with renewals, counts that are sold, and discounts by count."""
    rate: dict[str, Any] = {"amount": draw(cents(least, most))}
    if draw(st.integers(0, 2)) == 0:
        rate["renewal_price"] = draw(cents(least, 2 * most))
    if draw(st.integers(0, 2)) == 0:
        rate["allowed_counts"] = draw(st.sampled_from(COUNTS))
    if draw(st.integers(0, 2)) == 0:
        steps = draw(st.lists(st.integers(1, 9), min_size=1, max_size=2, unique=True))
        rate["discounts"] = [{"from": step, "off": draw(st.sampled_from([10, 25, 50]))} for step in steps]
    return rate


TERMS = {"day": (100, 4_000), "week": (500, 20_000), "month": (1_000, 50_000)}


@st.composite
def offers(draw: st.DrawFn, *, with_hours: bool | None = None) -> Tariff:
    """Of days, weeks and short months (or calendar ones), by themselves or with hours, cards alone or with a host."""
    names = draw(st.sets(st.sampled_from(sorted(TERMS)), min_size=1))
    prices: dict[str, Any] = {name: draw(rates(*TERMS[name])) for name in sorted(names)}
    sells_hours = draw(st.booleans()) if with_hours is None else with_hours
    if sells_hours:
        prices["hour"] = draw(cents(1, 300))
    if draw(st.integers(0, 3)) == 0:
        part = {name: draw(rates(*TERMS[name])) for name in sorted(names)}
        prices["components"] = [{"name": "host", "per": "node", **part} | ({"hour": "0.10"} if sells_hours else {})]
    month = draw(st.sampled_from(["10 days", "12 days", "calendar", "month_end"]))
    billing = {"month": month, "on_expiry": draw(st.sampled_from(["hourly", "stop"]))}
    starts = draw(st.sampled_from([None, date(2027, 1, 31), date(2027, 2, 20)]))
    return tariff(sold("s", prices, billing=billing | {"stopped": {"charge": "0"}}), 1, starts=starts)


def every_bill(terms: Tariff, use: Use, most: dict[str, int]) -> Iterator[Bill]:
    """Bills of all counts that every part is sold in."""
    names = [term.name for term in terms.terms]
    for counts in product(*(range(most[name] + 1) for name in names)):
        wanted = dict(zip(names, counts, strict=True))
        own = [(part.term(name), count) for part in terms.parts for name, count in wanted.items() if count]
        if all(term is not None and (not term.counts or count in term.counts) for term, count in own):
            billed = bill(terms, [use], Bundle.of(**wanted))
            if billed is not None:
                yield billed


@settings(max_examples=150)
@given(offers(), st.integers(1, 18), st.sampled_from([24, 24, 9]), st.integers(0, 5))
def test_the_cheapest_is_as_cheap_as_any_count_of_any_terms(
    terms: Tariff, days: int, per_day: int, more_hours: int
) -> None:
    hours = max(1, days * per_day - more_hours)
    use = run(hours, per_day=per_day)
    best = best_prices(terms, [use])
    every = list(every_bill(terms, use, {"day": 20, "week": 9, "month": 10}))
    assert bool(best) == bool(every)
    if every:
        assert best[0].cost_minor == min(billed.cost_minor for billed in every)
        assert best[-1].cost_safe_minor == min(billed.cost_safe_minor for billed in every)


@given(offers(with_hours=False), st.integers(1, 24 * 20), st.integers(1, 24 * 10))
def test_terms_for_a_longer_span_never_cost_less(terms: Tariff, hours: int, more: int) -> None:
    shorter, longer = best_prices(terms, [run(hours)]), best_prices(terms, [run(hours + more)])
    if longer:
        assert shorter[0].cost_minor <= longer[0].cost_minor


@given(offers(), st.integers(1, 24 * 20))
def test_a_way_that_is_offered_covers_the_lease_and_costs_its_bill(terms: Tariff, hours: int) -> None:
    """None beats another in both costs, and each is what its own bill says."""
    best = best_prices(terms, [run(hours)])
    for price in best:
        billed = bill(terms, [run(hours)], price.bundle)
        assert billed is not None
        assert (billed.cost_minor, billed.cost_safe_minor) == (price.cost_minor, price.cost_safe_minor)
        assert terms.hour is not None or terms.prepaid_minutes(price.bundle) >= hours * HOUR
    assert all(a.cost_minor < b.cost_minor and a.cost_safe_minor > b.cost_safe_minor for a, b in pairwise(best))


def half_up(amount: Fraction) -> int:
    return floor(amount * 100 + Fraction(1, 2))


prices_at_most = st.integers(1, 10**13).map(lambda digits: Decimal(digits).scaleb(-4))  # up to 10**9


@given(prices_at_most, prices_at_most, prices_at_most, st.integers(1, 9), st.integers(0, 9), st.integers(1, 64))
def test_terms_cost_what_the_list_says(
    month: Decimal, renewal: Decimal, day: Decimal, months: int, days: int, nodes: int
) -> None:
    """Quantity times price for each line, rounded by itself."""
    offer = sold("s", {"month": {"amount": month, "renewal_price": renewal}, "day": day}, gpus=8)
    billed = bill(tariff(offer, nodes), [run(1)], Bundle.of(month=months, day=days))
    assert billed is not None
    cards = 8 * nodes
    assert billed.billed_minor == (
        half_up(cards * Fraction(month))
        + half_up((months - 1) * cards * Fraction(renewal))
        + half_up(days * cards * Fraction(day))
    )


@given(
    prices_at_most, st.integers(1, 10 * 366 * 24 * 60), st.sampled_from(["1 s", "1 min", "1 h"]), st.integers(1, 999)
)
def test_ten_years_at_any_price_lose_no_cent(hour: Decimal, minutes: int, increment: str, nodes: int) -> None:
    offer = sold("s", {"hour": hour}, gpus=8, billing={"increment": increment})
    billed = bill(tariff(offer, nodes), [run(minutes=minutes)], Bundle())
    assert billed is not None
    step = 60 if increment == "1 h" else 1
    started = -(-minutes // step) * step
    assert (
        billed.billed_minor == billed.billed_safe_minor == half_up(Fraction(started, 60) * 8 * nodes * Fraction(hour))
    )


@given(
    prices_at_most, st.integers(1, 10), st.integers(1, 10**6), st.sampled_from([Fraction(71, 10), Fraction(113, 100)])
)
def test_years_in_another_currency_lose_no_cent(year: Decimal, years: int, nodes: int, basis: Fraction) -> None:
    """Half a fen rounded up twice at most: what is billed, and what is borne."""
    terms = tariff(sold("s", {"year": year}), nodes, basis=basis)
    billed = bill(terms, [run(years * 365 * 24)], Bundle.of(year=years))
    assert billed is not None
    exact = half_up(years * nodes * Fraction(year))
    assert billed.billed_minor == exact
    assert billed.cost_minor == floor(exact * basis + Fraction(1, 2))


def inside(value: object) -> Iterator[object]:
    """A value and everything that it holds."""
    yield value
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from inside(getattr(value, field.name))
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from inside(one)


EVERYTHING = FAMILIES[-1]


@given(leases(EVERYTHING))
def test_no_float_stands_between_price_and_total(lease: Lease) -> None:
    terms = tariff_of(lease)
    billed = bill(terms, lease.uses, Bundle.of(**lease.terms))
    assert billed is not None
    held = [*inside(terms), *inside(billed), billed.cost_minor, billed.billed_minor, billed.cost_safe_minor]
    assert not [value for value in held if isinstance(value, float)]
    assert {type(charge.cost_minor) for charge in billed.charges} <= {int}
    assert {type(charge.unit_price) for charge in billed.charges} <= {Decimal}


@given(leases(EVERYTHING))
def test_lines_add_up_and_each_is_its_quantity_times_its_price(lease: Lease) -> None:
    """A quantity that no decimal holds is shown to six places, so a line may be off by as much."""
    billed = bill(tariff_of(lease), lease.uses, Bundle.of(**lease.terms))
    assert billed is not None
    assert billed.billed_minor == sum(charge.cost_minor for charge in billed.charges)
    for charge in billed.charges:
        exact = 100 * Fraction(charge.quantity) * Fraction(charge.unit_price)
        shown_off = 100 * Fraction(charge.unit_price) / (2 * 10**6)
        assert abs(charge.cost_minor - exact) <= Fraction(1, 2) + shown_off


@given(leases(EVERYTHING))
def test_the_order_of_the_uses_changes_nothing(lease: Lease) -> None:
    terms, bundle = tariff_of(lease), Bundle.of(**lease.terms)
    bills = [bill(terms, order, bundle) for order in permutations(lease.uses)]
    assert all(one == bills[0] for one in bills)


@given(leases([rule for rule in EVERYTHING if rule != "minimum"]))
def test_expected_hours_never_cost_more_than_all_booked_ones(lease: Lease) -> None:
    billed = bill(tariff_of(lease), lease.uses, Bundle.of(**lease.terms))
    assert billed is not None
    assert billed.billed_minor <= billed.billed_safe_minor


@given(offers(with_hours=True), st.integers(1, 24 * 12), st.integers(0, 12))
def test_what_is_paid_for_is_not_metered(terms: Tariff, hours: int, days: int) -> None:
    """Hours after so many days are those of the lease less 24 a day."""
    sold = terms.terms[-1].counts
    if terms.terms[-1].name != "day" or not terms.hours_follow or (days and sold and days not in sold):
        return
    billed = bill(terms, [run(hours)], Bundle.of(day=days))
    assert billed is not None
    metered = sum(charge.quantity for charge in billed.charges if charge.what == "run")
    assert metered == max(0, hours - days * DAY // HOUR)
