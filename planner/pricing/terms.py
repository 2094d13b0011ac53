"""The cheapest terms for a lease."""

from collections.abc import Sequence

from planner.pricing.bill import bill
from planner.values.lease import Price, Use
from planner.values.tariff import Tariff


def best_prices(tariff: Tariff, uses: Sequence[Use]) -> tuple[Price, ...]:
    """The mixes of terms that no other beats in both expected and safe cost, cheapest expected first."""
    prices = []
    for bundle in tariff.bundles(max(use.end_minutes for use in uses)):
        priced = bill(tariff, uses, bundle)
        if priced is not None:
            prices.append(Price(bundle, priced.cost_minor, priced.cost_safe_minor))
    prices.sort(key=lambda price: (price.cost_minor, price.cost_safe_minor, price.bundle.counts))
    best: list[Price] = []
    for price in prices:
        if not best or price.cost_safe_minor < best[-1].cost_safe_minor:
            best.append(price)
    return tuple(best)
