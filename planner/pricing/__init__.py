"""Turns a lease into a bill."""

from planner.pricing.bill import bill, storage_charge
from planner.pricing.terms import best_prices, tariff

__all__ = ["best_prices", "bill", "storage_charge", "tariff"]
