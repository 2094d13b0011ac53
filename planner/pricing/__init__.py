"""Turns a lease into a bill."""

from planner.pricing.bill import bill
from planner.pricing.extras import storage_charges, traffic_charges
from planner.pricing.tariff import ALL_TERMS, tariff
from planner.pricing.terms import best_prices

__all__ = ["ALL_TERMS", "best_prices", "bill", "storage_charges", "tariff", "traffic_charges"]
