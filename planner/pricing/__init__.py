"""Turns a lease into a bill."""

from planner.pricing.bill import bill
from planner.pricing.terms import best_prices, tariff

__all__ = ["best_prices", "bill", "tariff"]
