"""A price as people write it in a cell: $1.79, €90.71 per day, 1.26 美元/小时起, 7,920.00, 12.900,00."""

import re
from collections.abc import Iterator
from decimal import Decimal

from planner.values.imports import Money

_CURRENCIES = (
    (r"美元|\bUSD\b|US\$|\$", "USD"),
    (r"人民币|\bCNY\b|\bRMB\b|元|￥|¥", "CNY"),
    (r"\bEUR\b|€|欧元", "EUR"),
    (r"\bGBP\b|£|英镑", "GBP"),
    (r"\bINR\b|₹", "INR"),
    (r"\bJPY\b|日元", "JPY"),
    (r"\bHKD\b|港元|港币", "HKD"),
)
_PERIODS = (
    (r"per hour|hourly|/\s*h(ou)?rs?\b|\bh(ou)?rs?\b|/\s*std\b|std\.|stunde|小时|每时|卡时|台时|按时|/时|按量", "hour"),
    (r"per day|daily|/\s*day|天|/日|按日|包天", "day"),
    (r"per week|weekly|/\s*week|周", "week"),
    (r"per month|monthly|/\s*mo(nth)?\b|\bmonths?\b|monat|月", "month"),
    (r"per year|yearly|/\s*y(ea)?r|年", "year"),
)
_PER = (
    (r"卡时|卡月|/卡|每卡|per[- ]?gpu|/\s*gpu\b|gpu[-·]?h(ou)?r?|per card|/\s*card", "gpu"),
    (r"/台|台时|每台|per[- ]?node|/\s*node\b|per server|/\s*server|整机", "node"),
)
_FROM = re.compile(r"起|\bfrom\b|\bab\b|starting at|≥", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,'\u00a0 ]*\d|\d")
NOTHING = re.compile(r"^(-|—|–|n/?a|none|null|varies|面议|询价|/|)$", re.IGNORECASE)
FREE = re.compile(r"免费|^free$", re.IGNORECASE)


def currency_of(text: str) -> str | None:
    """The one currency that a text names; None where it names none, or several."""
    found = {code for pattern, code in _CURRENCIES if re.search(pattern, text, re.IGNORECASE)}
    if "USD" in found and "美元" in text and not re.search(r"(?<!美)(?<!欧)(?<!日)(?<!港)元|人民币|CNY|RMB|¥|￥", text):
        found.discard("CNY")
    return found.pop() if len(found) == 1 else None


def period_of(text: str) -> str | None:
    found = [name for pattern, name in _PERIODS if re.search(pattern, text, re.IGNORECASE)]
    return found[0] if len(found) == 1 else None


def per_of(text: str) -> str | None:
    found = [name for pattern, name in _PER if re.search(pattern, text, re.IGNORECASE)]
    return found[0] if len(found) == 1 else None


def number_of(text: str, *, comma: bool | None = None) -> Decimal | None:
    """A number in either style. ``comma``: whether the sheet's decimal sign is the comma; None: by the number itself.

    1,79 and 12.900,00 have a decimal comma; 7,920 and 7,920.00 have commas for thousands.
    """
    match = _NUMBER.search(text)
    if match is None:
        return None
    digits = re.sub(r"['\u00a0 ]", "", match.group())
    if comma is None:
        comma = _has_decimal_comma(digits)
    digits = digits.replace(".", "").replace(",", ".") if comma else digits.replace(",", "")
    return Decimal(digits) if digits.count(".") <= 1 else None


def _has_decimal_comma(digits: str) -> bool:
    if "," in digits and "." in digits:
        return digits.rfind(",") > digits.rfind(".")
    whole, comma, rest = digits.rpartition(",")
    if not comma:
        return False
    return "," not in whole and (len(rest) != 3 or whole == "0")


def uses_decimal_comma(cells: Iterator[str]) -> bool | None:
    """Whether a sheet writes decimal commas; None where no cell decides."""
    votes = 0
    for cell in cells:
        for written in _NUMBER.findall(cell):
            digits = written.replace(" ", "")
            if re.search(r",\d{1,2}$", digits) or re.search(r"\.\d{3},", digits) or re.search(r"^\d+,\d{4,}$", digits):
                votes += 1
            elif re.search(r"\.\d{1,2}$|,\d{3}\.|^\d+\.\d{4,}$", digits):
                votes -= 1
    return None if not votes else votes > 0


def money_of(text: str, *, comma: bool | None = None) -> Money | None:
    """The price that a cell names; None where it holds none, or several."""
    if NOTHING.match(text):
        return None
    numbers = _NUMBER.findall(re.sub(r"\d+\s*x\s", "", text))
    amounts = [amount for digits in numbers if (amount := number_of(digits, comma=comma)) is not None]
    count = re.search(r"(\d+)\s*[x×*]\s*\D", text)
    if not amounts or len(amounts) > (3 if count else 2):
        return None
    low = amounts[0]
    is_range = len(amounts) >= 2 and re.search(r"\d\s*(to|-|–|~|至|到)\s*\D{0,3}\d", text) is not None
    if len(amounts) > 1 and not is_range and not count:
        return None
    return Money(
        low,
        currency_of(text),
        per_of(text),
        period_of(text),
        _FROM.search(text) is not None,
        int(count.group(1)) if count else None,
        amounts[1] if is_range else None,
    )
