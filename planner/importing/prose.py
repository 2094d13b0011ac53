"""Cells of prose: several cards and prices in one, a range, two periods, a price of six cards by the day."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

from planner.importing.cards import Names, count_of
from planner.importing.cells import Row
from planner.importing.drafting import offer_fields, shown, slug
from planner.importing.findings import Notebook
from planner.importing.money import NOTHING, currency_of, money_of, number_of, period_of
from planner.importing.tables import Table
from planner.values.imports import Asked, Draft, Money

PERIOD_HOURS = {"hour": Decimal(1), "day": Decimal(24), "month": Decimal(720)}
_TWO = re.compile(r"^(.+?)\s*/\s*(.+?)\s*\(\s*(\w+)\s*/\s*(\w+)\s*\)$")


def is_prose(table: Table) -> bool:
    return "prose" in table.meanings and "gpu" in table.meanings and "hour" not in table.meanings


def read_prose(table: Table, names: Names, asked: Asked, book: Notebook) -> None:
    for row in table.rows:
        if not row.is_empty:
            _read_row(table, row, names, asked, book)


def _read_row(table: Table, row: Row, names: Names, asked: Asked, book: Notebook) -> None:
    text, cards, place = table.text(row, "prose"), table.text(row, "gpu"), table.meanings["prose"]
    several = len(re.findall(r"\d[\d.,]*\s*(?:/|per)", text)) > 1
    two = _TWO.match(text)
    if NOTHING.match(text):
        book.stop(row, place, "no_price", text)
        return
    if several and two is None:
        _ask(text, cards, row, place, book)
        return
    prices = _two_prices(two, row, place, book) if two else _one_price(text, cards, row, place, book)
    card = names.card(re.sub(r"^\d+\s*[x×]\s*", "", cards))
    if card is None:
        book.stop(row, table.meanings["gpu"], "unknown_gpu", cards)
        return
    if prices is None:
        book.stop(row, place, "no_price", text)
        return
    count = count_of(cards) or 1
    ranged = any(isinstance(price, dict) for price in prices.values()) or (money_of(text) or Money(Decimal(0))).is_from
    more: dict[str, Any] = {"kind": "market_range"} if ranged else {}
    region = table.text(row, "region")
    seller = asked.seller or table.text(row, "seller") or Path(table.sheet.name).stem
    fields = offer_fields(
        name=slug(seller, f"{card.name}-x{count}"), gpu=card.name, count=count, per="node", prices=prices,
        currency=asked.currency or currency_of(text) or "", source=f"{table.sheet.name}: {table.address(row, 'prose')}",
        asked=asked, more=more | ({"place": {"city": region}} if region else {}),
    )  # fmt: skip
    book.drafts.append(Draft(seller, row.number, fields))


def _ask(text: str, cards: str, row: Row, place: int, book: Notebook) -> None:
    """Several prices for several cards: which is whose, and of how many, is not for us to say."""
    amounts = [amount for part in text.split(",") if (amount := number_of(part)) is not None]
    book.stop(row, place, "several_prices", text, cards)
    usual = sorted(amounts)[len(amounts) // 2] if amounts else Decimal(0)
    for amount in amounts:
        if usual and amount >= 4 * usual:
            book.tell(row, place, "price_of_a_node", shown(amount), f"8 x {shown(amount / 8)}")


def _two_prices(two: re.Match[str], row: Row, place: int, book: Notebook) -> dict[str, Any] | None:
    """$252 / $0.53 (monthly / hourly)."""
    found: dict[str, Any] = {}
    for amount, word in ((two.group(1), two.group(3)), (two.group(2), two.group(4))):
        period, money = period_of(word), money_of(amount)
        if period is None or money is None:
            return None
        found[period] = shown(money.amount)
    book.tell(row, place, "two_periods", two.group(), ", ".join(f"{value} a {name}" for name, value in found.items()))
    if {"month", "hour"} <= found.keys():
        hours = Decimal(found["month"]) / Decimal(found["hour"])
        book.tell(row, place, "month_pays_beyond", f"{hours:.1f}")
    return found


def _one_price(text: str, cards: str, row: Row, place: int, book: Notebook) -> dict[str, Any] | None:
    money = money_of(text)
    period = money.period if money else None
    if money is None or period not in PERIOD_HOURS:
        return None
    count = money.count or count_of(cards) or 1
    if money.is_from:
        book.tell(row, place, "price_from", text)
    if count > 1:
        each = money.amount / count / PERIOD_HOURS[period]
        book.tell(row, place, "price_of_so_many", text, f"{each:.4f}")
    if money.high is not None:
        book.tell(row, place, "range", text)
        return {period: {"low": shown(money.amount), "high": shown(money.high)}}
    return {period: shown(money.amount)}
