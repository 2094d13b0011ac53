"""A list of offers, one a row: the usual price sheet."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from planner.importing.cards import Names, count_of, memory_gb_of
from planner.importing.cells import Row, plain
from planner.importing.drafting import network_of, offer_fields, shown, slug, tax_of, with_terms
from planner.importing.findings import Notebook
from planner.importing.money import FREE, NOTHING, currency_of, money_of, number_of, per_of
from planner.importing.tables import Table
from planner.importing.words import NOTE, STORAGE, TOTAL
from planner.values.imports import Asked, Draft, Money

PRICES = ("hour", "hour_gpu", "spot", "day", "month", "year", "month_cap")
TERMS = ("hour", "day", "month", "year")
# Sister rows of one card whose prices grow as their counts do, within so much, are prices of whole nodes.
ALIKE = Decimal("0.15")
# What a card reports in GiB and what it is sold as differ by less: a T4 has 15 and is sold with 16 GB.
MEMORY_ALIKE = Decimal("0.08")
NODE_UNITS = {"台": "node", "套": "node", "node": "node", "server": "node", "卡": "gpu", "张": "gpu", "gpu": "gpu"}


@dataclass(frozen=True, slots=True)
class Basis:
    """What holds for the whole sheet: how it writes numbers, its currency, and what a price counts."""

    comma: bool | None
    currency: str | None
    per: str | None
    tax: dict[str, Any] | None
    card_in_title: str | None = None
    odd_currency_rows: frozenset[int] = frozenset()
    seller: str = ""


def money_in(table: Table, row: Row, meaning: str, comma: bool | None) -> Money | None:
    return money_of(table.text(row, meaning), comma=comma) if meaning in table.meanings else None


def basis_of(table: Table, names: Names, asked: Asked, comma: bool | None) -> Basis:
    priced = {meaning: table.titles[place] for meaning, place in table.meanings.items() if meaning in PRICES}
    titles = " ".join(priced.values())
    above = " ".join(table.above)
    cells = {row.number: _row_currencies(table, row) for row in table.rows}
    told = Counter(code for codes in cells.values() for code in codes)
    usual = told.most_common(1)[0][0] if told else None
    currency = (
        asked.currency or currency_of(titles) or usual or currency_of(above) or currency_of(" ".join(table.titles))
    )
    odd = frozenset(number for number, codes in cells.items() if currency and codes - {currency})
    rows = " ".join(" ".join(row.cells) for row in table.rows if TOTAL.search(row.cells[0] if row.cells else ""))
    tax = tax_of(above) or ({"included": True} if "含税" in f"{titles} {rows} {above}" else None)
    card = names.gpu(_inside(table.title("gpu")) or "-")
    has_both = {"hour", "hour_gpu"} <= table.meanings.keys()
    of_nodes = "node" if has_both or _grows(table, names, comma) else None
    per = asked.per or per_of(" ".join(text for name, text in priced.items() if name != "hour_gpu")) or of_nodes
    company = re.search(r"\S+?(?:公司|集团|Ltd\.?|GmbH|Inc\.?)", above)
    seller = company.group() if company else Path(table.sheet.name).stem
    return Basis(comma, currency, per, tax, card.name if card else None, odd, seller)


def _inside(title: str) -> str:
    match = re.search(r"\((.+)\)", title)
    return match.group(1) if match else ""


def _row_currencies(table: Table, row: Row) -> set[str]:
    texts = (table.text(row, meaning) for meaning in (*TERMS, "spot", "currency"))
    return {code for text in texts if (code := currency_of(text)) is not None}


def _grows(table: Table, names: Names, comma: bool | None) -> bool:
    """Whether rows of one card cost in proportion to their cards, so that a price is a whole node's."""
    seen: dict[str, dict[int, Decimal]] = {}
    for row in table.rows:
        money, count = money_in(table, row, "hour", comma), whole_count(table, row)
        card = table.text(row, "gpu") if names.card(table.text(row, "gpu")) else table.title("gpu")
        if money and count and money.amount > 0:
            seen.setdefault(card, {}).setdefault(count, money.amount)
    ratios = [
        amount / prices[min(prices)] / (Decimal(count) / min(prices))
        for prices in seen.values()
        for count, amount in prices.items()
        if count != min(prices)
    ]
    return bool(ratios) and all(abs(ratio - 1) <= ALIKE for ratio in ratios)


def whole_count(table: Table, row: Row) -> int | None:
    """Cards of a row: from its own column, or from what its card or configuration says; None where nothing does."""
    text = table.text(row, "count") or (
        table.text(row, "gpu") if re.match(r"\d+\s*[颗卡张]", table.text(row, "gpu")) else ""
    )
    if text:
        number = number_of(text)
        is_whole = number is not None and number == number.to_integral_value() and "/" not in text
        return int(number) if is_whole and number is not None and number > 0 else None
    return count_of(table.text(row, "config")) or count_of(table.text(row, "gpu")) or count_of(table.text(row, "name"))


def is_fraction(table: Table, row: Row) -> bool:
    text = table.text(row, "count") or table.text(row, "gpu")
    return re.search(r"\d\s*/\s*\d", text) is not None


def read_list(table: Table, names: Names, asked: Asked, book: Notebook, basis: Basis) -> None:
    """Drafts, findings and rows to correct, into the notebook."""
    seen: dict[tuple[str, ...], int] = {}
    sum_of_rows = Decimal(0)
    for row in table.rows:
        if row.is_empty:
            continue
        first = next((text for text in row.cells if text), "")
        total = number_of(table.text(row, "total"), comma=basis.comma) if "total" in table.meanings else None
        if TOTAL.search(first):
            book.skip(row, 0, "total_row", first)
            if total is not None and sum_of_rows and total != sum_of_rows:
                book.tell(row, table.meanings["total"], "total_differs", shown(total), shown(sum_of_rows))
            continue
        if NOTE.search(first):
            said = " ".join(dict.fromkeys(text for text in row.cells if text))
            book.skip(row, 0, "note_row", said)
            book.drafts[:] = [Draft(one.seller, one.row, with_terms(one.fields, said)) for one in book.drafts]
            continue
        sum_of_rows += total or Decimal(0)
        if row.cells in seen:
            book.stop(row, 0, "duplicate_row", str(seen[row.cells]))
            continue
        seen[row.cells] = row.number
        _read_row(table, row, names, asked, book, basis)


def _read_row(table: Table, row: Row, names: Names, asked: Asked, book: Notebook, basis: Basis) -> None:
    if _belongs_above(table, row, names, book, basis):
        return
    card = _card(table, row, names, basis)
    place = table.meanings.get("gpu", 0)
    if card is None:
        text = " ".join((table.text(row, "gpu"), table.text(row, "name"), table.text(row, "config")))
        written = table.text(row, "gpu")
        if STORAGE.search(text):
            book.skip(row, place, "storage_row", plain(text))
            _storage_terms(table, row, book)
        elif not written or NOTHING.match(written):
            book.skip(row, place, "no_gpu", table.text(row, "name"))
        else:
            book.stop(row, place, "unknown_gpu", written)
        return
    if is_fraction(table, row):
        book.stop(
            row,
            table.meanings.get("count", place),
            "fractional_gpu",
            table.text(row, "count") or table.text(row, "gpu"),
        )
        return
    count = whole_count(table, row)
    if count is None:
        count = 1
        book.tell(row, place, "count_assumed", table.text(row, "gpu"))
    Reading(table, row, names, asked, book, basis, card, count).draft()


def _card(table: Table, row: Row, names: Names, basis: Basis) -> str | None:
    if basis.card_in_title and re.match(r"[\d/]+\s*[颗卡张]?", table.text(row, "gpu")):
        return basis.card_in_title
    for meaning in ("gpu", "config", "name"):
        text = table.text(row, meaning)
        first = re.split(r"[/,，；;]", text)[0] if meaning == "config" else text
        if first and (card := names.card(first)) is not None:
            return card.name
    return None


def _belongs_above(table: Table, row: Row, names: Names, book: Notebook, basis: Basis) -> bool:
    """A row whose item is empty, or filled by a merged cell, says more of the item above."""
    place = table.meanings.get("gpu", 0)
    is_part = (not table.text(row, "gpu") and "config" in table.meanings) or place in row.joined
    if not is_part or not book.drafts or names.card(re.split(r"/", table.text(row, "config"))[0]):
        return False
    above = book.drafts[-1]
    book.tell(row, place, "belongs_above", table.text(row, "config"), str(above.row))
    amount, quantity = (number_of(table.text(row, name), comma=basis.comma) for name in ("month", "quantity"))
    if amount and quantity:
        fee = {"name": table.text(row, "config"), "amount": shown(amount * quantity), "per": "month", "of": "lease"}
        fields = {**above.fields, "fees": [*above.fields.get("fees", ()), fee]}
        book.drafts[-1] = Draft(above.seller, above.row, fields)
    return True


def _storage_terms(table: Table, row: Row, book: Notebook) -> None:
    free = next((text for text in row.cells if FREE.search(text)), None)
    if free:
        book.tell(row, table.meanings.get("note", 0), "free_then_paid", table.text(row, "note") or free)
    for meaning in PRICES:
        money = money_of(table.text(row, meaning)) if meaning in table.meanings else None
        if money and 0 < money.amount < Decimal("0.005"):
            book.tell(row, table.meanings[meaning], "below_a_cent", table.text(row, meaning))


@dataclass(slots=True)
class Reading:
    """One row of one card, judged and drafted."""

    table: Table
    row: Row
    names: Names
    asked: Asked
    book: Notebook
    basis: Basis
    card: str
    count: int

    def at(self, meaning: str) -> int:
        return self.table.meanings.get(meaning, 0)

    def money(self, meaning: str) -> Money | None:
        return money_in(self.table, self.row, meaning, self.basis.comma)

    def draft(self) -> None:
        self._memory()
        self._ranges()
        self._currency()
        per = self.basis.per or self._unit() or "node"
        terms = self._terms(per)
        self._checks(terms, per)
        if self.book.stops(self.row):
            return
        more = self._more(terms)
        spot = self.money("spot")
        if not terms and spot is None:
            self.book.stop(self.row, self.at("hour"), "no_price", self.table.text(self.row, "hour"))
            return
        if terms:
            self._add(per, {name: self._rate(name, money) for name, money in terms.items()}, more, "hour")
        elif spot is not None:
            self.book.tell(self.row, self.at("hour"), "only_spot", self.table.text(self.row, "spot"))
        if spot is not None and spot.amount > 0:
            self._add(per, {"hour": shown(spot.amount)}, {**more, "spot": True}, "spot", "-spot")

    def _add(self, per: str, prices: dict[str, Any], more: dict[str, Any], meaning: str, suffix: str = "") -> None:
        seller = self.asked.seller or self.table.text(self.row, "seller") or self.basis.seller
        name = self.table.text(self.row, "name")
        region = slug(self.table.text(self.row, "region")) if "region" in self.table.meanings else ""
        base = slug(seller, name or f"{self.card}-x{self.count}", "" if region == "offer" else region)
        taken = {draft.fields["id"] for draft in self.book.drafts}
        own = f"{base}{suffix}" if f"{base}{suffix}" not in taken else f"{base}-r{self.row.number}{suffix}"
        source = f"{self.book.sheet.name}: {self._where(meaning)}"
        fields = offer_fields(
            name=own, gpu=self.card, count=self.count, per=per, prices=prices,
            currency=self.basis.currency or "", source=source, asked=self.asked, more=more,
        )  # fmt: skip
        self.book.drafts.append(Draft(seller, self.row.number, fields))

    def _where(self, meaning: str) -> str:
        written = [name for name in (meaning, *TERMS) if self.table.text(self.row, name)]
        return self.table.sheet.address(self.row.number, self.at(written[0] if written else meaning))

    def _terms(self, per: str) -> dict[str, Money]:
        """Prices by term, as ``per`` counts them."""
        found = {name: money for name in TERMS if (money := self.money(name)) is not None}
        single = self.money("hour_gpu")
        if "hour" not in found and single is not None:
            amount = single.amount if per == "gpu" else single.amount * self.count
            found["hour"] = Money(amount, single.currency, per, "hour", single.is_from)
        if self.asked.period and "hour" in found:
            found[self.asked.period] = found.pop("hour")
        return found

    def _rate(self, term: str, money: Money) -> Any:
        note = self.table.text(self.row, "note")
        renewal = re.search(r"续费\s*([\d,.]+)|renewal\s*[:：]?\s*\D{0,2}([\d,.]+)", note, re.IGNORECASE)
        if term != "month" or renewal is None:
            return shown(money.amount)
        amount = number_of(renewal.group(1) or renewal.group(2), comma=self.basis.comma) or money.amount
        self.book.tell(self.row, self.at("note"), "first_price_only", shown(money.amount), shown(amount))
        return {"amount": shown(money.amount), "renewal_price": shown(amount)}

    def _unit(self) -> str | None:
        return NODE_UNITS.get(self.table.text(self.row, "unit").casefold())

    def _memory(self) -> None:
        """GPU RAM is the node's total as a rule: count x a size that the card has."""
        text = self.table.text(self.row, "gpu_ram")
        ram = number_of(text) if text else None
        own = memory_gb_of(self.table.text(self.row, "gpu"))
        sizes = {own} if own else self.names.sizes_gb(self.card)
        if ram is None or not sizes or not self._is_total():
            return
        totals = {size * self.count for size in sizes if size}
        if ram in totals or any(abs(ram - total) <= total * MEMORY_ALIKE for total in totals):
            return
        rule = "memory_of_one_card" if self.count > 1 and int(ram) in sizes else "memory_impossible"
        expected = ", ".join(str(total) for total in sorted(totals))
        self.book.stop(self.row, self.at("gpu_ram"), rule, text, expected)

    def _is_total(self) -> bool:
        return "gib" not in self.table.title("gpu_ram").casefold() or "total" in self.table.title("gpu_ram").casefold()

    def _ranges(self) -> None:
        for meaning in ("cores", "ram"):
            if re.search(r"\d\s*[-–~]\s*\d", self.table.text(self.row, meaning)):
                self.book.tell(self.row, self.at(meaning), "range", self.table.text(self.row, meaning))

    def _currency(self) -> None:
        if self.row.number in self.basis.odd_currency_rows:
            self.book.stop(
                self.row,
                self.at("hour"),
                "currency_differs",
                self.table.text(self.row, "hour"),
                self.basis.currency or "",
            )

    def _checks(self, terms: dict[str, Money], per: str) -> None:
        hour, single, spot = terms.get("hour"), self.money("hour_gpu"), self.money("spot")
        if hour is not None and hour.amount <= 0:
            self.book.stop(self.row, self.at("hour"), "zero_price", self.table.text(self.row, "hour"))
        if (
            hour
            and single
            and self.count > 1
            and abs(single.amount * self.count - hour.amount) > Decimal("0.02") * hour.amount
        ):
            right = hour.amount / self.count
            self.book.stop(self.row, self.at("hour_gpu"), "not_per_gpu", shown(single.amount), f"{right:.2f}")
        if hour and spot and spot.amount > hour.amount:
            self.book.stop(self.row, self.at("spot"), "spot_above_on_demand", shown(spot.amount), shown(hour.amount))
        for name, money in terms.items():
            if money.is_from:
                self.book.tell(self.row, self.at(name), "price_from", self.table.text(self.row, name))
        hours = self.money("hour")
        if hours and "month" in terms and per == "node" and self.count > 1 and self._unit():
            self.book.tell(self.row, self.at("hour"), "hour_of_node", shown(hours.amount), str(self.count))

    def _more(self, terms: dict[str, Money]) -> dict[str, Any]:
        more: dict[str, Any] = dict(
            network_of(f"{self.table.text(self.row, 'config')} {self.table.text(self.row, 'note')}")
        )
        if any(money.is_from for money in terms.values()):
            more |= {"kind": "market_range", "note": "a price from which on it is sold, so no offer"}
        if region := self.table.text(self.row, "region"):
            more["place"] = {"city": region}
        cap = self.money("month_cap")
        if cap is not None:
            more["billing"] = {"monthly_cap": shown(cap.amount)}
        quantity = number_of(self.table.text(self.row, "quantity")) if "quantity" in self.table.meanings else None
        if quantity is not None and quantity == quantity.to_integral_value():
            more["stock"] = int(quantity)
        tax = self._tax()
        return more | ({"commercial": {"tax": tax}} if tax else {})

    def _tax(self) -> dict[str, Any] | None:
        rate = re.search(r"(\d{1,2}(?:\.\d+)?)\s*%", self.table.text(self.row, "tax"))
        if rate and self.basis.tax:
            return {"rate": f"{rate.group(1)} %", "included": self.basis.tax["included"]}
        return self.basis.tax if self.basis.tax and "rate" in self.basis.tax else None


def rates_that_differ(table: Table) -> Iterator[str]:
    """Tax rates, where there are several in one sheet."""
    rates = {
        table.text(row, "tax") for row in table.rows if re.fullmatch(r"\d{1,2}(\.\d+)?\s*%", table.text(row, "tax"))
    }
    if len(rates) > 1:
        yield ", ".join(sorted(rates))
