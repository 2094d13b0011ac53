"""The question that every requirement answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

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
    indicative: Allowed
    order_by: date
