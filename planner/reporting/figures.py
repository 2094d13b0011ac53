"""Numbers and dates as a person reads them: each with its unit, none rounded out of sight."""

from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from planner.values.money import minor_digits

UNKNOWN = "-"
_PRICE_DIGITS = 4


def amount(value: str | Decimal, currency: str) -> str:
    """7440 -> 7,440.00; a price of more decimals keeps them: 0.785."""
    number = Decimal(value)
    digits = max(minor_digits(currency), -int(number.normalize().as_tuple().exponent))
    return f"{number:,.{digits}f}"


def money(value: str | Decimal, currency: str) -> str:
    return f"{amount(value, currency)} {currency}"


def more(value: str, currency: str) -> str:
    """What something costs more, with its sign; the same cost is +0.00."""
    return f"{'' if value.startswith('-') else '+'}{money(value, currency)}"


def derived_price(value: Decimal, currency: str) -> str:
    """A price that was reckoned from another, to four decimals at most: 13.9389, but 6.20."""
    return amount(round_price(value), currency)


def round_price(value: Decimal) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-_PRICE_DIGITS), ROUND_HALF_UP)


def quantity(value: str) -> str:
    """All digits, so that quantity x price is the cost."""
    number = Decimal(value)
    return f"{number:,.{max(0, -int(number.normalize().as_tuple().exponent))}f}"


def plain(value: str) -> str:
    """A text as it is; a whole number with its thousands."""
    return f"{int(value):,}" if value.isascii() and value.isdigit() else value


def whole(value: float) -> str:
    return f"{value:,.0f}"


def hours(value: float) -> str:
    return f"{value:,.1f} h"


def days(value: float) -> str:
    return f"{value:,.1f} days"


def gib(value: float) -> str:
    return f"{value:,.1f} GiB"


def gb(value: float) -> str:
    return f"{value:,.1f} GB"


def percent(value: float) -> str:
    """One decimal; what is not 0 is never shown as 0.0%."""
    return "under 0.1%" if 0 < value < 0.05 else f"{value:,.1f}%"


def more_percent(value: float) -> str:
    return percent(value) if value < 0 or 0 < value < 0.05 else f"+{percent(value)}"


def share(part: float, total: float) -> str:
    return f"{100 * part / total:.0f}%" if total > 0 else "0%"


def parameters(count: int) -> str:
    """14,770,033,664 -> 14.77 billion."""
    return f"{count / 1e9:,.2f} billion" if count >= 10**9 else f"{count / 1e6:,.1f} million"


def moment(iso: str) -> str:
    """A date and time with its UTC offset; a date alone stays one."""
    try:
        at = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    if len(iso) <= len("2026-11-02"):
        return iso
    return f"{at:%Y-%m-%d %H:%M} {offset(at)}".strip()


def offset(at: datetime) -> str:
    """+08:00; nothing where a time says none."""
    return at.isoformat()[-6:] if at.utcoffset() is not None else ""


def span(start: str, end: str) -> str:
    """From and to, with the offset said once where it is the same."""
    first, last = moment(start), moment(end)
    if first[-6:] == last[-6:] and first[-6:-5] in ("+", "-"):
        first = first[:-7]
    return f"{first} to {last}"


def elapsed_hours(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)) / timedelta(hours=1)


def later(start: str, hours_after: float) -> str:
    """The moment so many hours later, in ISO 8601, to the minute."""
    return (datetime.fromisoformat(start) + timedelta(minutes=round(hours_after * 60))).isoformat()


def day(value: date | None) -> str:
    return UNKNOWN if value is None else value.isoformat()
