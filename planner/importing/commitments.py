"""A commitment matrix: a card a row, prices per card and hour under so many months of commitment in the columns."""

from decimal import Decimal
from pathlib import Path

from planner.importing.cards import Names
from planner.importing.cells import Row
from planner.importing.drafting import offer_fields, shown, slug
from planner.importing.findings import Notebook
from planner.importing.money import currency_of, money_of
from planner.importing.tables import Table
from planner.values.imports import Asked, Draft

MONTH_HOURS = 720  # as long as a month is assumed to be everywhere, and told with the answer
NODES_OF = (8, 4, 2)
# On demand costs up to so many times a month's commitment of the same card; beyond that it is a node's price.
DEAREST = Decimal(2)


def commitments_of(table: Table) -> dict[int, str]:
    """Months to the meaning of their column; empty where there are fewer than two."""
    found = {int(name.removeprefix("commit_")): name for name in table.meanings if name.startswith("commit_")}
    return found if len(found) > 1 else {}


def read_commitments(table: Table, months: dict[int, str], names: Names, asked: Asked, book: Notebook) -> None:
    for row in table.rows:
        if row.is_empty:
            continue
        card = names.card(table.text(row, "gpu"))
        if card is None:
            book.stop(row, table.meanings.get("gpu", 0), "unknown_gpu", table.text(row, "gpu"))
            continue
        _read_row(table, row, card.name, months, asked, book)


def _read_row(table: Table, row: Row, card: str, months: dict[int, str], asked: Asked, book: Notebook) -> None:
    hour = money_of(table.text(row, "hour"))
    if hour is None:
        book.stop(row, table.meanings.get("hour", 0), "no_price", table.text(row, "hour"))
        return
    committed = {n: money.amount for n, name in sorted(months.items()) if (money := money_of(table.text(row, name)))}
    is_spot = "spot" in table.text(row, "model").casefold()
    amount, count = hour.amount, 1
    if committed and amount > DEAREST * max(committed.values()):
        count = next((n for n in NODES_OF if amount / n >= max(committed.values())), 1)
        amount /= count
        book.tell(
            row, table.meanings["hour"], "node_price_among_cards", shown(hour.amount), f"{count} x {shown(amount)}"
        )
    currency = asked.currency or currency_of(table.text(row, "hour")) or ""
    seller = asked.seller or Path(table.sheet.name).stem
    base = slug(seller, card, f"x{count}")

    def add(name: str, prices: dict[str, object], more: dict[str, object]) -> None:
        source = f"{table.sheet.name}: {table.address(row, 'hour')}"
        fields = offer_fields(
            name=name, gpu=card, count=count, per="gpu", prices=prices, currency=currency, source=source,
            asked=asked, more=more,
        )  # fmt: skip
        book.drafts.append(Draft(seller, row.number, fields))

    add(f"{base}-spot" if is_spot else base, {"hour": shown(amount)}, {"spot": True} if is_spot else {})
    for number, price in committed.items():
        month = {"amount": shown(price * MONTH_HOURS), "allowed_counts": str(number)}
        note = f"{shown(price)} an hour and card for {number} months, taken as {MONTH_HOURS} h a month"
        add(f"{base}-{number}m", {"month": month}, {"note": note, "billing": {"month": f"{MONTH_HOURS} h"}})
