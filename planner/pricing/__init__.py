"""Turns a lease into a bill."""

from planner.pricing.bill import bill
from planner.pricing.extras import storage_charges, traffic_charges
from planner.pricing.tariff import ALL_TERMS, NOTHING_OFF, tariff
from planner.pricing.terms import best_prices
from planner.pricing.ways import break_evens, ways_of_paying

__all__ = [
    "ALL_TERMS",
    "NOTHING_OFF",
    "best_prices",
    "bill",
    "break_evens",
    "storage_charges",
    "tariff",
    "traffic_charges",
    "ways_of_paying",
]
