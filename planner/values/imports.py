"""What an import of somebody's price sheet gives: offers as a catalog writes them, and what to know of the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

COLUMN_MEANINGS = (
    "seller", "name", "gpu", "count", "gpu_ram", "cores", "ram", "config", "hour", "hour_gpu", "spot", "day", "month",
    "year", "month_cap", "region", "quantity", "unit", "total", "tax", "note", "currency", "period", "model", "item",
    "prose", "ignored",
)  # fmt: skip
"""What a column of a sheet may say."""
Written = Mapping[str, Any]
"""An offer's fields by the names of a catalog file; prices are Decimal."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that says something: its address (F5), its row in the file, counted from 1, and its text."""

    address: str
    row: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a person should know of a row: ``rule`` names it; ``row`` 0: of the file.

    ``stops``: the row is no offer before it is corrected.
    """

    row: int
    address: str
    rule: str
    found: str = ""
    expected: str = ""
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """An offer that a row gives. ``row``: where it came from."""

    seller: str
    row: int
    fields: Written


@dataclass(frozen=True, slots=True)
class Unread:
    """A row that gives no offer until it is corrected: its cells as they are written."""

    row: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the person who imports says, where the sheet does not: None is not said.

    ``period``: hour, day or month. ``bundle``: cards, cores and GB of memory that component prices make a node of.
    ``columns``: header text to what it means, as a mapping file says it.
    """

    seller: str | None = None
    currency: str | None = None
    per: str | None = None
    period: str | None = None
    observed: str | None = None
    bundle: tuple[int, int, int] | None = None
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Imported:
    """Offers, findings in the order of the rows, and rows to correct. ``skipped``: rows that are no offers (totals,
    notes, storage), counted. ``questions``: what must be said before anything can be imported: currency or per.
    """

    source: str
    encoding: str
    drafts: tuple[Draft, ...]
    findings: tuple[Finding, ...] = ()
    header: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    skipped: int = 0
    questions: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Money:
    """A price as a cell says it. What it does not say is None. ``count``: of so many cards together."""

    amount: Decimal
    currency: str | None = None
    per: str | None = None
    period: str | None = None
    is_from: bool = False
    count: int | None = None
    high: Decimal | None = None
