"""A comparison form (比价表): a requirement a row, a vendor a column, what is asked beside what each offers."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from planner.importing.cards import Names, count_of
from planner.importing.cells import Row, Sheet
from planner.importing.drafting import network_of, offer_fields, shown, slug
from planner.importing.findings import Notebook
from planner.importing.money import currency_of, number_of
from planner.values.imports import Asked, Draft

_VENDOR = re.compile(r"^(供应商|厂商|服务商|vendor|supplier|bidder)\s*\S+", re.IGNORECASE)
_ASKED = re.compile(r"^(要求|需求|requirement|asked)$", re.IGNORECASE)
_AGREED = re.compile(r"^(满足|同意|是|yes|ok|agreed)(?![\w一-鿿])", re.IGNORECASE)
LEAST_VENDORS = 2
# Parts of China by their cities and provinces, as tenders use them.
_PARTS = {
    "华东": "上海 江苏 浙江 安徽 福建 江西 山东 苏州 南京 无锡 杭州 宁波 合肥 福州 厦门 南昌 济南 青岛",
    "华北": "北京 天津 河北 山西 内蒙古 廊坊 张家口 石家庄 太原 呼和浩特 乌兰察布",
    "华南": "广东 广西 海南 广州 深圳 东莞 南宁 海口",
    "华中": "湖北 湖南 河南 武汉 长沙 郑州",
    "西南": "重庆 四川 贵州 云南 西藏 成都 贵阳 昆明",
    "西北": "陕西 甘肃 青海 宁夏 新疆 西安 兰州 中卫 庆阳",
    "东北": "辽宁 吉林 黑龙江 沈阳 大连 长春 哈尔滨",
}


def header_of(sheet: Sheet) -> Row | None:
    """The row that names what is asked and the vendors."""
    for row in sheet.rows:
        vendors = [cell for cell in row.cells if _VENDOR.match(cell)]
        if len(vendors) >= LEAST_VENDORS and any(_ASKED.match(cell) for cell in row.cells):
            return row
    return None


def read_comparison(sheet: Sheet, header: Row, names: Names, asked: Asked, book: Notebook) -> None:
    lines = {row.cell(0): row for row in sheet.rows if row.number > header.number and row.cell(0)}
    ask = next(index for index, cell in enumerate(header.cells) if _ASKED.match(cell))
    for index, vendor in enumerate(header.cells):
        if _VENDOR.match(vendor):
            _read_vendor(sheet, index, ask, vendor, lines, names, asked, book)


def _line(lines: dict[str, Row], *words: str) -> Row | None:
    return next((row for title, row in lines.items() if any(word in title for word in words)), None)


def _text(row: Row | None, index: int) -> str:
    return row.cell(index) if row else ""


def _read_vendor(
    sheet: Sheet, index: int, ask: int, vendor: str, lines: dict[str, Row], names: Names, asked: Asked, book: Notebook
) -> None:
    price, cards, length = (
        _line(lines, "单价", "price"),
        _line(lines, "卡型", "GPU"),
        _line(lines, "服务期", "term", "period"),
    )
    for row in lines.values():
        _compare(row, index, ask, vendor, book)
    written = _text(cards, index)
    text = _text(cards, ask) if not written or _AGREED.match(written) else written
    card, total = names.card(re.split(r"[×x*]", text)[0]), _times(text)
    amount = number_of(_text(price, index))
    if price is None or card is None or amount is None:
        place = cards or price
        if place is not None:
            book.stop(place, index, "unknown_gpu" if card is None else "no_price", text)
        return
    tax = _tax(price, _line(lines, "发票", "invoice"), index, amount, book)
    days = _days(_text(length, index)) or _days(_text(length, ask))
    _totals(sheet, index, lines, amount * tax[1], total, days, book)
    seller = vendor
    per_node = min(total or 8, 8)
    fields = offer_fields(
        name=slug(asked.seller or seller, f"{card.name}-x{per_node}"), gpu=card.name, count=per_node, per="gpu",
        prices={"hour": shown(amount)}, currency=asked.currency or currency_of(price.cell(0)) or "",
        source=f"{sheet.name}: {sheet.address(price.number, index)}", asked=asked,
        more=dict(_more(index, ask, lines, days, tax[0])),
    )  # fmt: skip
    book.drafts.append(Draft(seller, price.number, fields))


def _times(text: str) -> int | None:
    match = re.search(r"[×x*]\s*(\d{1,4})", text)
    return int(match.group(1)) if match else count_of(text)


def _days(text: str) -> int | None:
    match = re.search(r"(\d+)\s*(天|日|days?)", text)
    return int(match.group(1)) if match else None


def _tax(
    price: Row, invoice: Row | None, index: int, amount: Decimal, book: Notebook
) -> tuple[dict[str, Any] | None, Decimal]:
    """The tax of the price, and what makes it one with tax."""
    text = price.cell(index)
    note = " ".join(price.cells[index + 1 :])
    rate = re.search(r"(\d{1,2})\s*%", note)
    if not re.search(r"不含税|excl", text):
        invoiced = re.search(r"(\d{1,2})\s*%", _text(invoice, index))
        holds = invoiced is not None and re.search(r"含税|incl", price.cell(0)) is not None
        return ({"rate": f"{invoiced.group(1)} %", "included": True} if invoiced and holds else None), Decimal(1)
    factor = 1 + Decimal(rate.group(1)) / 100 if rate else Decimal(1)
    book.tell(price, index, "without_tax", text, shown(amount * factor) if rate else "")
    return ({"rate": f"{rate.group(1)} %", "included": False} if rate else None), factor


def _totals(
    sheet: Sheet, index: int, lines: dict[str, Row], price: Decimal, cards: int | None, days: int | None, book: Notebook
) -> None:
    """The vendor's total against cards x days x 24 x price, tax included."""
    del sheet
    row = _line(lines, "总价", "total")
    if row is None or not cards or not days:
        return
    right, told = price * cards * days * 24, number_of(row.cell(index))
    if told is None:
        book.tell(row, index, "total_missing", row.cell(index), f"{right:.2f}")
    elif abs(told - right) > 1:
        book.tell(row, index, "total_differs", shown(told), f"{right:.2f}")


def _compare(row: Row, index: int, ask: int, vendor: str, book: Notebook) -> None:
    """What a vendor writes otherwise than what is asked, where it is not simply agreed to."""
    asked, offered = row.cell(ask), row.cell(index)
    if not asked or not offered or offered == asked or _AGREED.match(offered):
        return
    if any(asked == part and city in offered for part, cities in _PARTS.items() for city in cities.split()):
        return
    need, has = number_of(asked), number_of(offered)
    if (
        need is not None
        and has is not None
        and re.search(r"[≥>]", asked)
        and has >= need
        and _same_kind(asked, offered)
    ):
        return
    if need is not None and has is not None and re.search(r"[≤<]", asked) and has <= need and "不含" not in offered:
        return
    if re.fullmatch(r"[\w%．.]+", asked) and asked in offered and not re.search(r"不|最短|申请|替代", offered):
        return
    book.tell(row, index, "differs_from_asked", f"{vendor}: {offered}", asked)


def _same_kind(asked: str, offered: str) -> bool:
    kinds = re.findall(r"IB|RoCE|TCP", asked, re.IGNORECASE)
    return not kinds or any(kind.casefold() in offered.casefold() for kind in kinds)


def _more(
    index: int, ask: int, lines: dict[str, Row], days: int | None, tax: dict[str, Any] | None
) -> Iterator[tuple[str, Any]]:
    """Links, place, stopping and the contract, as the vendor writes them; or as asked where the vendor agrees."""

    def says(*words: str) -> str:
        row = _line(lines, *words)
        text = _text(row, index)
        return _text(row, ask) if _AGREED.match(text) and text in ("满足", "同意", "是") else text

    yield from network_of(says("互联", "network")).items()
    if place := says("区域", "region"):
        yield "place", {"city": place}
    stopped = says("关机", "stopped")
    share = re.search(r"(\d+)\s*%", stopped)
    if "不计费" in stopped or share:
        yield "billing", {"stopped": {"charge": f"{share.group(1) if share else 0} %"}}
    commercial: dict[str, Any] = {"tax": tax} if tax else {}
    prepaid = re.search(r"预付\s*(\d+)\s*%", says("付款", "payment"))
    credit = re.search(r"(\d+)\s*天", says("付款", "payment"))
    if prepaid:
        commercial["prepayment"] = f"{prepaid.group(1)} %"
    if credit:
        commercial["payment_days"] = int(credit.group(1))
    if days and "最短" in _text(_line(lines, "服务期"), index):
        commercial["minimum_term"] = f"{days} days"
    sla = re.search(r"([\d.]+)\s*%", says("SLA"))
    if sla:
        commercial["sla"] = {"availability": f"{sla.group(1)} %"}
    if commercial:
        yield "commercial", commercial
