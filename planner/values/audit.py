"""What is doubtful in a catalog, and what has changed between two of them."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True, order=True)
class Doubt:
    """``rule`` is a stable identifier; ``found`` what stands there, ``expected`` what it is held against.

    ``is_error``: no plan is made before it is settled. Others travel into the report beside the offer.
    """

    offer: str
    rule: str
    found: str
    expected: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class PriceChange:
    """One price of an offer in two catalogs, per unit as its seller prices it; None where it is not sold."""

    offer: str
    seller: str
    term: str
    old: Decimal | None
    new: Decimal | None
    currency: str

    @property
    def more(self) -> Decimal | None:
        return None if self.old is None or self.new is None else self.new - self.old

    @property
    def more_percent(self) -> Decimal | None:
        """Of the old price, to one decimal."""
        more = self.more
        return None if more is None or not self.old else (100 * more / self.old).quantize(Decimal("0.1"))


@dataclass(frozen=True, slots=True)
class CatalogDiff:
    """``changed``: prices of offers that both have. ``other``: fields that differ, by offer."""

    changed: tuple[PriceChange, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]
    other: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An offer's prices in one dated folder; empty where the offer is not in it."""

    name: str
    prices: tuple[tuple[str, Decimal], ...]
    currency: str
    observed: str
