"""Leases that change on the way: hours that become prepaid months, terms that are renewed one after the other."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

from planner.pricing.bill import bill, fees_of, term_charges
from planner.pricing.charging import charge_of
from planner.pricing.tariff import months_after, tariff
from planner.values.invoice import Rental, Way, WayKind
from planner.values.lease import Charge, Use
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.tariff import Bundle, Part, Tariff


def converted(rental: Rental, terms: Tariff) -> Iterator[Way]:
    """By the hour for what is over, then so many whole months to the end of the rental, at the prices of that day.

    Interruptible machines do not convert (UCloud). Where months end with the calendar's, none is tried: as a rule a
    rental does not end with one.
    """
    billing = rental.offer.billing
    may = "hour_to_month" in (billing.conversion or ()) and not rental.offer.spot and billing.month != "month_end"
    if not may or terms.hour is None or terms.parts[0].term("month") is None:
        return
    count = 1
    while (after := _minutes_before(rental, terms, count)) > 0:
        later = tariff(rental.offer, rental.nodes, starts=rental.start + timedelta(minutes=after))
        if _are_sold(later, "month", count):
            yield _converted(rental, terms, later, after, count)
        count += 1


def _converted(rental: Rental, terms: Tariff, later: Tariff, after: int, count: int) -> Way:
    months, rest = Bundle((("month", count),)), rental.span_minutes - after
    hours = bill(replace(terms, fees=()), [_running(rental, terms, after)], Bundle())
    paid = bill(replace(later, fees=()), [_running(rental, later, rest)], months)
    if hours is None or paid is None:
        raise ValueError("hours are not sold, or the months do not reach the end of the rental")
    charges = (*hours.charges, *paid.charges, *fees_of(terms, rental.span_minutes))
    return Way(WayKind.CONVERTED, months, charges, rental.span_minutes)


def _minutes_before(rental: Rental, terms: Tariff, months: int) -> int:
    """Minutes of the rental before so many months that end with it."""
    if rental.offer.billing.month == "calendar":
        return (months_after(rental.end, -months) - rental.start).days * MINUTES_PER_DAY
    return rental.span_minutes - months * terms.month_minutes


def _running(rental: Rental, terms: Tariff, minutes: int) -> Use:
    """So many minutes of the rental; hours all day where the machine cannot be stopped."""
    per_day = rental.minutes_per_day if terms.counts_running_hours else MINUTES_PER_DAY
    days, rest = divmod(minutes, MINUTES_PER_DAY)
    run = days * per_day + min(rest, per_day)
    return Use(0, run, run, per_day)


def _are_sold(terms: Tariff, name: str, count: int) -> bool:
    """Whether every part sells so many of a term together."""
    mine = [part.term(name) for part in terms.parts]
    return all(term is not None and (not term.counts or count in term.counts) for term in mine)


def renewed(rental: Rental, terms: Tariff, way: Way) -> Iterator[Way]:
    """One of a term first, the others when it ends, where the seller says which discount a renewal has."""
    ((name, count),) = way.bundle.counts
    renewal = rental.offer.billing.renewal
    if renewal is None or renewal.discount is None or count < 2 or terms.first_month_share != 1:
        return
    if not all(_are_sold(terms, name, number) for number in (1, count - 1)):
        return
    level = count if renewal.discount == "in_all" else count - 1
    bought = [charge for part in terms.parts for charge in _in_turn(terms, part, name, count, level)]
    if not any(term.discounts for part in terms.parts if (term := part.term(name)) is not None):
        return
    others = [charge for charge in way.charges if not charge.unit.endswith(f"-{name}")]
    notes = ("discount_in_all" if renewal.discount == "in_all" else "discount_each",)
    yield Way(WayKind.RENEWED, way.bundle, (*bought, *others), way.paid_minutes, notes=notes)


def _in_turn(terms: Tariff, part: Part, name: str, count: int, level: int) -> Iterator[Charge]:
    """The first of a term at the discount of one, those after it at the discount of ``level``."""
    term = part.term(name)
    if term is None or not term.discounts:
        yield from term_charges(terms, part, name, count)
        return
    what = name if part is terms.parts[0] else f"{name}, {part.name}"
    yield charge_of(what, terms.currency, part, Fraction(1), name, term.discounted(term.price, 1))
    later = term.discounted(term.renewal or term.price, level)
    yield charge_of(f"{what}, renewed", terms.currency, part, Fraction(count - 1), name, later)
