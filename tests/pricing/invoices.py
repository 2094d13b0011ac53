"""Offers as a catalog writes them, and what renting them bills."""

from datetime import date
from typing import Any

from planner.pricing import best_prices, bill, tariff
from planner.values.catalog import Offer
from planner.values.lease import Bill, Price, Use
from planner.values.tariff import Bundle

HOUR = 60
DAY = 24 * HOUR

Line = tuple[str, str, str, str, int]
"""What, quantity, unit, unit price, cost in minor units."""


def sold(seller: str, prices: dict[str, Any], *, gpus: int = 1, currency: str = "CNY", **fields: Any) -> Offer:
    """An offer with the fields that a catalog would give it, read by its schema."""
    return Offer.model_validate(
        {
            "id": "offer",
            "seller": seller,
            "gpu": "T",
            "gpus_per_node": gpus,
            "prices": {"per": "gpu"} | prices,
            "currency": currency,
            "kind": "list",
            "source": "the seller's page",
            "observed": "2026-11-01",
        }
        | fields
    )


def run(hours: int = 0, *, minutes: int = 0, at: int = 0, per_day: int = 24) -> Use:
    """A use of so many hours and minutes, from so many minutes after the lease's start."""
    length = hours * HOUR + minutes
    return Use(at, length, length, per_day * HOUR)


def billed(of: Offer, *uses: Use, nodes: int = 1, starts: date | None = None, **terms: int) -> Bill | None:
    """The bill of a lease that begins with these terms: ``billed(offer, run(10), month=1)``."""
    return bill(tariff(of, nodes, starts=starts), uses, Bundle.of(**terms))


def invoice(of: Offer, *uses: Use, nodes: int = 1, starts: date | None = None, **terms: int) -> list[Line]:
    """Every line of the bill, its decimals as they are shown."""
    found = billed(of, *uses, nodes=nodes, starts=starts, **terms)
    assert found is not None
    assert found.cost_minor == found.cost_safe_minor == sum(charge.cost_minor for charge in found.charges)
    return [(c.what, f"{c.quantity:f}", c.unit, f"{c.unit_price:f}", c.cost_minor) for c in found.charges]


def total(of: Offer, *uses: Use, nodes: int = 1, starts: date | None = None, **terms: int) -> int:
    return sum(line[-1] for line in invoice(of, *uses, nodes=nodes, starts=starts, **terms))


def cheapest(of: Offer, *uses: Use, nodes: int = 1, starts: date | None = None) -> tuple[dict[str, int], int]:
    """The terms of the cheapest way to pay, and what it costs."""
    best: Price = best_prices(tariff(of, nodes, starts=starts), uses)[0]
    return dict(best.bundle.counts), best.cost_minor
