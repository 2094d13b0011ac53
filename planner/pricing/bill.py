"""The bill of one lease under given terms.

A lease begins with its prepaid terms; whatever runs or waits after them is metered by the hour. Inside the prepaid
span everything is paid. Time is rounded up once per charge, to the seller's increment; money once per charge, half up.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from planner.pricing.charging import charge_of
from planner.pricing.extras import fee_charges
from planner.pricing.metering import metered_charges
from planner.pricing.overage import overage_charges
from planner.values.lease import Bill, Charge, Use
from planner.values.tariff import Bundle, Part, Tariff


def bill(tariff: Tariff, uses: Sequence[Use], bundle: Bundle) -> Bill | None:
    """The charges of a lease of these uses; None where the terms do not cover it and no hour may follow.

    Raises ValueError when a term is bought that the tariff does not sell, or not so many times.
    """
    tariff = tariff.under(bundle)
    span_minutes = max(use.end_minutes for use in uses)
    prepaid_minutes = tariff.prepaid_minutes(bundle)
    if (tariff.hour is None or (bundle.counts and not tariff.hours_follow)) and span_minutes > prepaid_minutes:
        return None
    fixed = [*_prepaid_charges(tariff, bundle), *(charge for use in uses for charge in use.extras)]
    fixed += fees_of(tariff, span_minutes)
    expected, safe = metered_charges(tariff, uses, prepaid_minutes) if span_minutes > prepaid_minutes else ([], [])
    beyond, safe_beyond = overage_charges(tariff, uses, bundle)
    expected, safe = [*beyond, *expected], [*safe_beyond, *safe]
    charges = (*fixed, *(charge for charge in expected if charge.quantity))
    return Bill(charges, sum(charge.cost_minor for charge in (*fixed, *safe)), tariff.basis)


def fees_of(tariff: Tariff, span_minutes: int) -> list[Charge]:
    """What a lease of that length pays in fees."""
    if not tariff.fees:
        return []
    month_minutes = span_minutes / tariff.months_between(0, span_minutes)
    return list(fee_charges(tariff.fees, tariff.nodes, span_minutes, month_minutes, tariff.currency))


def _prepaid_charges(tariff: Tariff, bundle: Bundle) -> Iterator[Charge]:
    for name, count in bundle.counts:
        for part in tariff.parts:
            yield from term_charges(tariff, part, name, count)


def term_charges(tariff: Tariff, part: Part, name: str, count: int) -> Iterator[Charge]:
    """One line per price: the first term's, and the renewals'. A first month to the month's end costs its share."""
    term = part.term(name)
    if term is None:
        raise ValueError(f"no price for a {name}")
    if term.counts and count not in term.counts:
        raise ValueError(f"a {name} is not sold {count} times")
    what = name if part is tariff.parts[0] else f"{name}, {part.name}"
    (first, price), *renewed = term.lines(count)
    if name == "month" and tariff.first_month_share != 1:
        yield charge_of(f"{what}, its rest", tariff.currency, part, tariff.first_month_share, name, price)
        first -= 1
    if first:
        yield charge_of(what, tariff.currency, part, Fraction(first), name, price)
    for number, price in renewed:
        yield charge_of(f"{what}, renewed", tariff.currency, part, Fraction(number), name, price)
