"""A prepaid term that is given back early: what was bought, what the seller's rule asks for, and what comes back."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from planner.pricing.bill import bill
from planner.pricing.charging import EXACT
from planner.pricing.refunds import refund_minor
from planner.pricing.tariff import rates_of
from planner.values.billing import MONTHS_OF
from planner.values.invoice import NoWay, Rental, Way, WayKind
from planner.values.lease import Charge
from planner.values.money import to_amount
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.refunds import Purchase, Refund, RefundRule, RefundTo, Release
from planner.values.tariff import Bundle, Tariff

UnitPrices = tuple[tuple[int, Mapping[str, Decimal]], ...]
"""Units of each part of a lease, and what one costs by term."""


def given_back(rental: Rental, terms: Tariff, way: Way) -> Iterator[Way | NoWay]:
    """The way of a prepaid term, given back at the end of the rental; nothing where all of it is used."""
    ((name, _),) = way.bundle.counts
    refund = rental.offer.billing.refund
    if way.paid_minutes <= rental.span_minutes:
        return
    if refund is None:
        yield NoWay(WayKind.RELEASE, name, "refund_not_said")
        return
    back_minor = refund_minor(refund, _purchase(rental, terms, refund, way), _release(rental, terms, way.bundle))
    if not back_minor:
        yield NoWay(WayKind.RELEASE, name, "refund_unclear" if back_minor is None else "nothing_back")
        return
    amount = to_amount(-back_minor, terms.currency)
    what = "credit" if refund.to is RefundTo.CREDIT else "refund"
    charge = Charge(what, Decimal(1), "lease", amount, -back_minor)
    notes = tuple(_notes(refund, rental))
    yield Way(WayKind.RELEASE, way.bundle, (*way.charges, charge), rental.span_minutes, notes=notes)


def _notes(refund: Refund, rental: Rental) -> Iterator[str]:
    if refund.grace_days is not None and rental.span_minutes <= refund.grace_days * MINUTES_PER_DAY:
        yield "refund_once"
    if refund.cap is not None:
        yield "refund_capped"
    if refund.to is None:
        yield "refund_to_not_said"
    elif refund.to is RefundTo.CREDIT:
        yield "refund_as_credit"


def _purchase(rental: Rental, terms: Tariff, refund: Refund, way: Way) -> Purchase:
    """The term alone: fees are no part of what comes back."""
    ((name, count),) = way.bundle.counts
    paid = bill(replace(terms, fees=()), [rental.use], way.bundle)
    # By this rule the list is today's price, which the discount is then taken off; by others it is the price before.
    listed = _todays(terms) if refund.rule is RefundRule.LIST_AT_DISCOUNT else _before_discounts(rental)
    return Purchase(
        currency=terms.currency,
        paid_minor=0 if paid is None else paid.billed_minor,
        total_minutes=way.paid_minutes,
        increment_minutes=terms.increment_minutes,
        list_price=_whole_term(listed, name, count),
        start=rental.start,
        months=MONTHS_OF[name] * count if name in MONTHS_OF else None,
    )


def _release(rental: Rental, terms: Tariff, bundle: Bundle) -> Release:
    ((name, _),) = bundle.counts
    today = _todays(terms)
    hour = sum((part.units * Fraction(part.hour or 0) for part in terms.parts), Fraction(0))
    return Release(
        used_minutes=rental.span_minutes,
        month_minutes=terms.month_minutes,
        month_price=_whole_term(today, "month", 1),
        hour_price=_decimal(hour) if terms.hour is not None else None,
        discount_factor=_factor(rental, terms, name),
    )


def _decimal(price: Fraction) -> Decimal:
    """Exact: units are whole and prices decimal."""
    return EXACT.divide(Decimal(price.numerator), Decimal(price.denominator))


def _factor(rental: Rental, terms: Tariff, name: str) -> Decimal:
    """What is charged of today's price for as long as was used: by whole months, or by whole terms of other kinds."""
    counted = "month" if name in MONTHS_OF else name
    used = rental.span_minutes // terms.least_minutes(counted)
    term = terms.parts[0].term(counted)
    off = max((off for least, off in (term.discounts if term else ()) if used >= least), default=Decimal(0))
    return (100 - off) / 100


def _todays(terms: Tariff) -> UnitPrices:
    """What this buyer pays today for one of each term, before what several of them take off."""
    return tuple((part.units, {term.name: term.price for term in part.terms}) for part in terms.parts)


def _before_discounts(rental: Rental) -> UnitPrices:
    """The seller's list: before public discounts, and whatever many nodes take off."""
    offer = rental.offer
    listed = [(offer.prices.per, rates_of(offer, rental.start))]
    listed += [(component.per, component.rates) for component in offer.prices.components]
    return tuple(
        (
            rental.gpus if per == "gpu" else rental.nodes,
            {name: rate.before_discount or rate.charged for name, rate in rates.items()},
        )
        for per, rates in listed
    )


def _whole_term(prices: UnitPrices, name: str, count: int) -> Decimal | None:
    """What so many terms cost by the list: by the month where they are made of months; None where that has no price."""
    counted, number = ("month", MONTHS_OF[name] * count) if name in MONTHS_OF else (name, count)
    if any(counted not in by_term for _, by_term in prices):
        return None
    return sum((units * number * by_term[counted] for units, by_term in prices), Decimal(0))
