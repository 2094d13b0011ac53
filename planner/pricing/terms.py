"""The cheapest terms for a lease."""

from collections.abc import Iterator, Sequence

from planner.pricing.bill import bill
from planner.values.lease import Price, Use
from planner.values.tariff import Bundle, Tariff


def best_prices(tariff: Tariff, uses: Sequence[Use], restart_minutes: int | None = None) -> tuple[Price, ...]:
    """The terms that no others beat in both expected and safe cost, cheapest expected first.

    ``restart_minutes``: the machine may also be given back while it waits, and then takes so long to set up anew;
    None: it may not.
    """
    prices = []
    for bundle in _bundles(tariff, uses, restart_minutes):
        priced = bill(tariff, uses, bundle)
        if priced is not None:
            prices.append(Price(bundle, priced.cost_minor, priced.cost_safe_minor))
    prices.sort(key=_order)
    best: list[Price] = []
    for price in prices:
        if not best or price.cost_safe_minor < best[-1].cost_safe_minor:
            best.append(price)
    return tuple(best)


def _bundles(tariff: Tariff, uses: Sequence[Use], restart_minutes: int | None) -> Iterator[Bundle]:
    yield from tariff.bundles(max(use.end_minutes for use in uses))
    if restart_minutes is not None and tariff.released(restart_minutes) is not None:
        yield Bundle(restart_minutes=restart_minutes)


def _order(price: Price) -> tuple[int, int, bool, tuple[tuple[str, int], ...]]:
    """Among equals a machine is rather kept."""
    gives_back = price.bundle.restart_minutes is not None
    return (price.cost_minor, price.cost_safe_minor, gives_back, price.bundle.counts)
