"""A list of components: a card, a core, a GB, each with its price. No row is an offer; a bundle of them is."""

from decimal import Decimal
from pathlib import Path

from planner.importing.cards import Names
from planner.importing.cells import Row
from planner.importing.drafting import offer_fields, shown, slug
from planner.importing.findings import Notebook
from planner.importing.money import number_of
from planner.importing.tables import Table
from planner.values.imports import Asked, Draft

HOURS = {"hour": Decimal(1), "day": Decimal(24), "month": Decimal(720)}


def is_component_list(table: Table) -> bool:
    return {"item", "unit", "hour", "period"} <= table.meanings.keys()


def read_components(table: Table, names: Names, asked: Asked, book: Notebook) -> None:
    """With ``asked.bundle`` (cards, cores, GB of memory) a node of each card; without one, no offers."""
    hourly: dict[str, Decimal] = {}
    cards: list[tuple[Row, str, Decimal, str]] = []
    for row in table.rows:
        if row.is_empty:
            continue
        unit, item = table.text(row, "unit").casefold(), table.text(row, "item")
        amount, period = number_of(table.text(row, "hour")), table.text(row, "period").casefold()
        book.tell(row, table.meanings["item"], "component", item)
        if amount is None or period not in HOURS:
            continue
        card = names.card(item) if unit in {"gpu", "card"} else None
        if card is not None:
            cards.append((row, card.name, amount / HOURS[period], table.text(row, "currency")))
        for part in ("vcpu", "ram"):
            if part in f"{unit} {item}".casefold():
                hourly.setdefault(part, amount / HOURS[period])
    if asked.bundle is None:
        return
    count, cores, ram = asked.bundle
    for row, card_name, price, currency in cards:
        node = price * count + hourly.get("vcpu", Decimal(0)) * cores + hourly.get("ram", Decimal(0)) * ram
        seller = asked.seller or Path(table.sheet.name).stem
        fields = offer_fields(
            name=slug(seller, f"{card_name}-x{count}"), gpu=card_name, count=count, per="node",
            prices={"hour": shown(node)}, currency=asked.currency or currency or "",
            source=f"{table.sheet.name}: {table.address(row, 'hour')}", asked=asked,
            more={"cpu_cores": cores, "host_ram": f"{ram} GB", "note": f"{count} cards, {cores} cores and {ram} GB"},
        )  # fmt: skip
        book.drafts.append(Draft(seller, row.number, fields))
