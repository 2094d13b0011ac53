"""Bills against a meter that walks each lease tick by tick, and against the second reckoning of the checking room."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.checking.metering import metered_again
from planner.pricing import bill, tariff
from planner.values.catalog import Offer
from planner.values.lease import Bill, Use
from planner.values.plans import Assignment, ChosenLease
from planner.values.tariff import Bundle, Tariff
from tests.choosing.instances import candidate
from tests.choosing.instances import offer as plain_offer
from tests.pricing.meter import DAY, Lease, metered_minor

# Ends of months long and short, a leap February, the nights when clocks change, and the middle of a month.
STARTS = [date(2026, 1, 31), date(2028, 2, 10), date(2026, 3, 28), date(2026, 10, 24), date(2026, 11, 16)]
MONTHS = ["36 h", "72 h", "30 days", "720 h", "730 h", "calendar", "month_end"]
# Minutes of a tick, and the most ticks that one use runs, so that a walk is of some hundred steps.
TICKS = [(1, 300), (20, 120), (60, 180)]


def money(digits: int = 99_999) -> st.SearchStrategy[str]:
    """Prices down to a tenth of a cent, so that rounding has work to do."""
    return st.integers(1, digits).map(lambda thousandths: str(Decimal(thousandths).scaleb(-3)))


percents = st.sampled_from(["0", "12.5", "33", "50", "100"])


@st.composite
def uses(draw: st.DrawFn, tick: int, most_ticks: int) -> tuple[Use, ...]:
    """One to three after another, with or without a gap between, some of them for hours of each day."""
    found: list[Use] = []
    start = 0
    for _ in range(draw(st.integers(1, 3))):
        per_day = draw(st.sampled_from([DAY, DAY, 10 * 60, 7 * 60]))
        safe = tick * draw(st.integers(1, most_ticks))
        run = safe - tick * draw(st.integers(0, min(safe // tick - 1, 40)))
        found.append(Use(start, run, safe, per_day))
        start = found[-1].end_minutes + tick * draw(st.sampled_from([0, 0, 1, 7, 30]))
    return tuple(found)


def _stopped(draw: st.DrawFn) -> dict[str, Any]:
    stopped: dict[str, Any] = {"charge": draw(percents)}
    way = draw(st.sampled_from(["share", "flat", "not_allowed"]))
    if way == "flat":
        stopped["flat_fee"] = draw(money())
    return stopped | ({"allowed": False} if way == "not_allowed" else {})


def _prices(draw: st.DrawFn, starts: date, rules: Sequence[str], per: str) -> dict[str, Any]:
    prices: dict[str, Any] = {"per": per, "hour": draw(money(20_000))}
    if "terms" in rules:
        prices |= {term: draw(money()) for term in ("day", "week", "month", "quarter")}
        prices["month"] = {"amount": draw(money()), "renewal_price": draw(money())}
        prices["week"] = {"amount": draw(money()), "discounts": [{"from": 2, "off": draw(percents)}]}
    if "quota" in rules:
        hours = draw(st.integers(1, 200))
        prices["week"] = {"amount": draw(money()), "included_hours": hours, "overage": draw(money(20_000))}
        prices["day"] = {"amount": draw(money()), "included_hours": 1 + hours % 24, "overage": draw(money(20_000))}
    if "changes" in rules:
        days = draw(st.lists(st.integers(-3, 40), min_size=1, max_size=3, unique=True))
        prices["changes"] = [
            {"from": (starts + timedelta(days=days_on)).isoformat(), "hour": draw(money(20_000))} for days_on in days
        ]
    return prices


def _billing(draw: st.DrawFn, span_minutes: int, rules: Sequence[str]) -> dict[str, Any]:
    billing: dict[str, Any] = {"increment": draw(st.sampled_from(["1 s", "1 min", "15 min", "1 h", "7 h"]))}
    if draw(st.booleans()):
        billing["rounding"] = draw(st.sampled_from(["lease", "start"]))
    billing["month"] = draw(st.sampled_from(MONTHS))
    if "stopped" in rules:
        billing["stopped"] = _stopped(draw)
    if "cap" in rules:
        billing["monthly_cap"] = draw(money(900_000))
    if "discounts" in rules:
        span_hours = max(1, span_minutes // 60)
        lengths = draw(
            st.lists(st.sampled_from([1, span_hours]) | st.integers(1, 2 * span_hours), max_size=2, unique=True)
        )
        billing["length_discounts"] = [{"from": f"{hours} h", "off": draw(percents)} for hours in lengths]
        billing["volume_discounts"] = [{"from": 2, "off": draw(percents)}]
    if "minimum" in rules:
        billing |= {"min_charge": draw(money()), "min_time": f"{draw(st.integers(0, 3000))} min"}
    return billing


@st.composite
def leases(draw: st.DrawFn, rules: Sequence[str]) -> Lease:
    tick, most_ticks = draw(st.sampled_from(TICKS))
    starts = draw(st.sampled_from(STARTS) | st.dates(date(2026, 1, 1), date(2028, 12, 31)))
    prices = _prices(draw, starts, rules, draw(st.sampled_from(["gpu", "node"])))
    sold: dict[str, Any] = {"gpus_per_node": draw(st.sampled_from([1, 8])), "prices": prices}
    if "components" in rules:
        part = _prices(
            draw, starts, [rule for rule in rules if rule != "changes"], draw(st.sampled_from(["gpu", "node"]))
        )
        prices["components"] = [part | {"name": "host"}]
    wanted = draw(uses(tick, most_ticks))
    sold["billing"] = _billing(draw, wanted[-1].end_minutes, rules)
    if "fees" in rules:
        periods = draw(st.lists(st.sampled_from(["once", "hour", "day", "month"]), min_size=1, max_size=2))
        sold["fees"] = [
            {"name": per, "amount": draw(money()), "per": per, "of": draw(st.sampled_from(["node", "lease"]))}
            for per in periods
        ]
    terms = {}
    if "terms" in rules:
        counts = {"quarter": [0, 0, 1], "month": [0, 1, 2], "week": [0, 1, 2], "day": [0, 1, 3]}
        terms = {name: count for name, some in counts.items() if (count := draw(st.sampled_from(some)))}
    return Lease(sold, draw(st.integers(1, 3)), starts, wanted, terms, tick)


def offer_of(lease: Lease) -> Offer:
    written = {"id": "o", "seller": "s", "gpu": "T", "currency": "CNY", "kind": "list", "source": "made up"}
    return Offer.model_validate(written | {"observed": "2026-11-01"} | lease.sold)


def tariff_of(lease: Lease) -> Tariff:
    return tariff(offer_of(lease), lease.nodes, starts=lease.starts)


def billed(terms: Tariff, lease: Lease) -> Bill:
    found = bill(terms, lease.uses, Bundle.of(**lease.terms))
    assert found is not None
    return found


FAMILIES = [
    (),
    ("stopped",),
    ("stopped", "cap"),
    ("stopped", "changes", "discounts"),
    ("stopped", "minimum"),
    ("stopped", "components", "fees"),
    ("stopped", "terms"),
    ("stopped", "components", "terms", "quota"),
    ("stopped", "cap", "changes", "discounts", "minimum", "components", "fees", "terms"),
]


@pytest.mark.parametrize("rules", FAMILIES, ids="-".join)
@settings(max_examples=200)
@given(st.data())
def test_a_bill_is_what_a_meter_counts(rules: tuple[str, ...], data: st.DataObject) -> None:
    lease = data.draw(leases(rules))
    found = billed(tariff_of(lease), lease)
    assert found.billed_minor == metered_minor(lease, is_safe=False)
    assert found.billed_safe_minor == metered_minor(lease, is_safe=True)


def chosen(lease: Lease, terms: Tariff) -> ChosenLease:
    """The lease as a plan holds it."""
    assignments = tuple(
        Assignment(
            step,
            replace(
                ANY_CANDIDATE,
                tariff=terms,
                run_minutes=use.run_minutes,
                safe_run_minutes=use.safe_run_minutes,
                minutes_per_day=use.minutes_per_day,
            ),
            1234 + use.start_minutes,
        )
        for step, use in enumerate(lease.uses)
    )
    return ChosenLease(assignments, Bundle.of(**lease.terms))


ANY_CANDIDATE = candidate("train", plain_offer("o", hour="1"), 1)


@pytest.mark.parametrize("rules", FAMILIES, ids="-".join)
@settings(max_examples=100)
@given(st.data())
def test_the_checking_room_reckons_the_same(rules: tuple[str, ...], data: st.DataObject) -> None:
    lease = data.draw(leases(rules))
    basis = data.draw(st.sampled_from([Fraction(1), Fraction(71, 10), Fraction(106, 100)]))
    terms = replace(tariff_of(lease), basis=basis)
    found = billed(terms, lease)
    assert metered_again(chosen(lease, terms)) == (found.cost_minor, found.cost_safe_minor)


@settings(max_examples=200)
@given(leases(("stopped",)))
def test_hours_in_proportion_cost_the_same_by_the_general_way(lease: Lease) -> None:
    """Rules that change nothing: a minimum of a minute, of no money, and a price from a day that never comes."""
    plain = replace(tariff_of(lease), rounds_each_start=False, stopped_flat_month=None, month_ends=())
    assert plain.is_linear
    hour = plain.hour or Decimal(0)
    for other in (
        replace(plain, minimum_minutes=1),
        replace(plain, minimum_charge=Decimal(0)),
        replace(plain, hour_changes=((10**9, 2 * hour),)),
        replace(plain, length_discounts=((10**9, Decimal(50)),)),
    ):
        assert not other.is_linear
        assert billed(other, lease) == billed(plain, lease)


@settings(max_examples=200)
@given(leases(("stopped",)))
def test_a_cap_that_is_never_reached_only_rounds_month_by_month(lease: Lease) -> None:
    """By the minute there is no time to round: each month's line rounds half a cent at most."""
    plain = replace(
        tariff_of(lease), rounds_each_start=False, stopped_flat_month=None, month_ends=(), increment_seconds=60
    )
    capped = billed(replace(plain, monthly_cap=Decimal(10**12)), lease)
    months = -(-max(use.end_minutes for use in lease.uses) // plain.month_minutes)
    assert abs(capped.billed_minor - billed(plain, lease).billed_minor) <= months + 1
