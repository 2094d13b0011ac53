"""A matrix: a vendor a row, a card a column (costa100_80), prices per card and hour in the cells."""

import re
from decimal import Decimal
from typing import Any

from planner.importing.cards import Names
from planner.importing.cells import Row, Sheet
from planner.importing.drafting import offer_fields, shown, slug
from planner.importing.findings import Notebook
from planner.importing.money import NOTHING, money_of
from planner.importing.tables import Table
from planner.importing.words import meaning_of
from planner.values.hardware import Gpu
from planner.values.imports import Asked, Draft

LEAST_CARDS = 2


def card_columns(table: Table, names: Names) -> dict[int, Gpu]:
    """Columns whose title is a card, with a size behind it or not."""
    found = {}
    for index, title in enumerate(table.titles):
        bare = re.sub(r"^(cost|price|usd|per)[ _]*", "", title.casefold())
        sized = re.sub(r"[_ ](\d{2,3})$", r" \1G", bare)
        gpu = names.gpu(sized) or names.gpu(bare)
        if gpu is not None and meaning_of(title) is None:
            found[index] = gpu
    return found if len(found) >= LEAST_CARDS else {}


def read_matrix(table: Table, columns: dict[int, Gpu], asked: Asked, book: Notebook) -> None:
    """Each cell by itself: one row may hold several currencies, and floors beside prices."""
    for row in table.rows:
        if row.is_empty:
            continue
        region = table.text(row, "region")
        if "," in region:
            book.tell(row, table.meanings["region"], "several_regions", region)
        for index, gpu in columns.items():
            _read_cell(table.sheet, row, index, gpu, asked, book, region)


def _read_cell(sheet: Sheet, row: Row, index: int, gpu: Gpu, asked: Asked, book: Notebook, region: str) -> None:
    text = row.cell(index)
    if not text or NOTHING.match(text):
        return
    money = money_of(text)
    if money is None or money.amount <= 0:
        book.tell(row, index, "no_price", text)
        return
    currency = money.currency
    if currency is None:
        book.tell(row, index, "no_currency", text)
        return
    if asked.currency and currency != asked.currency:
        book.tell(row, index, "currency_differs", text, asked.currency)
    if re.search(r"\d,\d{1,2}(?!\d)", text):
        book.tell(row, index, "decimal_comma", text, shown(money.amount))
    more: dict[str, Any] = {"place": {"city": region}} if region else {}
    if money.is_from:
        book.tell(row, index, "price_from", text)
        more |= {"kind": "market_range", "note": "a price from which on it is sold, so no offer"}
    seller = asked.seller or row.cell(0)
    name = slug(seller, gpu.name)
    source = f"{sheet.name}: {sheet.address(row.number, index)}"
    fields = offer_fields(
        name=name, gpu=gpu.name, count=1, per="gpu", prices={"hour": shown(Decimal(money.amount))},
        currency=currency, source=source, asked=asked, more=more,
    )  # fmt: skip
    book.drafts.append(Draft(seller, row.number, fields))
