"""What an offer costs by term, and the cheapest terms for a lease."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from planner.pricing.bill import bill
from planner.values.catalog import Offer
from planner.values.lease import Bundle, Price, Tariff, Use
from planner.values.quantities import MINUTES_PER_DAY


def tariff(offer: Offer, nodes: int, terms: Sequence[str] = ("hour", "day", "month")) -> Tariff:
    """The tariff of so many nodes, with only the terms that may be bought."""

    def price(term: str) -> Decimal | None:
        rate = getattr(offer.prices, term)
        return rate.charged if rate is not None and term in terms else None

    stopped = offer.billing.stopped
    return Tariff(
        currency=offer.currency,
        unit=offer.prices.per,
        units=nodes * offer.priced_units,
        hour=price("hour"),
        day=price("day"),
        month=price("month"),
        month_minutes=offer.month_minutes,
        increment_minutes=offer.increment_minutes,
        stopped_percent=None if stopped is None else Decimal(str(stopped.charge_percent)),
    )


def _bundles(tariff: Tariff, span_minutes: int) -> Iterator[Bundle]:
    """Every mix of months and days that could pay for the span: none that is longer than it needs to be."""
    most_months = -(-span_minutes // tariff.month_minutes) if tariff.month is not None else 0
    for months in range(most_months + 1):
        rest_minutes = max(0, span_minutes - months * tariff.month_minutes)
        most_days = -(-rest_minutes // MINUTES_PER_DAY) if tariff.day is not None else 0
        for days in range(most_days + 1):
            yield Bundle(months, days)


def best_prices(tariff: Tariff, uses: Sequence[Use]) -> tuple[Price, ...]:
    """The mixes of terms that no other beats in both expected and safe cost, cheapest expected first."""
    span_minutes = max(use.end_minutes for use in uses)
    prices = []
    for bundle in _bundles(tariff, span_minutes):
        priced = bill(tariff, uses, bundle)
        if priced is not None:
            prices.append(Price(bundle, priced.cost_minor, priced.cost_safe_minor))
    prices.sort(key=lambda price: (price.cost_minor, price.cost_safe_minor, price.bundle.months, price.bundle.days))
    best: list[Price] = []
    for price in prices:
        if not best or price.cost_safe_minor < best[-1].cost_safe_minor:
            best.append(price)
    return tuple(best)
