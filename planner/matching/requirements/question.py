"""The question that every requirement answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from planner.values.burden import Burden
from planner.values.catalog import Offer
from planner.values.hardware import Gpu
from planner.values.requirements import Allowed, Requirements


@dataclass(frozen=True, slots=True)
class Question:
    """One offer held against what one phase asks, on the day of signing. ``cards``: by every name, in lower case."""

    asked: Requirements
    offer: Offer
    gpu: Gpu
    cards: Mapping[str, Gpu]
    currency: str
    burden: Burden | None
    """What the buyer bears of the offer's price; None where no exchange rate is known."""
    indicative: Allowed
    order_by: date
