"""Quantities as people write them ("80 GB", "3 weeks", "10 h/day"), parsed once into one unit each.

Everything that a person wrote arrives as text; these types alone give it a number. A text that does not
parse raises ``PydanticCustomError("quantity", ..., {"expected": <kind>, "example": <text>})``.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import ROUND_DOWN, Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema
from pydantic_core import PydanticCustomError

MINUTES_PER_HOUR = 60
HOURS_PER_DAY = 24
MINUTES_PER_DAY = HOURS_PER_DAY * MINUTES_PER_HOUR

# A comma stands only between thousands: "12,30" is no 1,230.
_NUMBER = re.compile(
    r"\s*([+-]?(?:\d{1,3}(?:,\d{3})+|\d[\d_]*)(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*(.*?)\s*", re.DOTALL | re.ASCII
)
_LONGEST_NUMBER = 40
_LONGEST_MINUTES = 100 * 366 * MINUTES_PER_DAY
_FIRST_DAY, _NO_DAY = date(1970, 1, 1), date(3000, 1, 1)

DURATION_UNITS_MINUTES: Mapping[str, Fraction] = {
    **dict.fromkeys(("min", "minute", "minutes"), Fraction(1)),
    **dict.fromkeys(("h", "hour", "hours"), Fraction(MINUTES_PER_HOUR)),
    **dict.fromkeys(("d", "day", "days"), Fraction(MINUTES_PER_DAY)),
    **dict.fromkeys(("w", "week", "weeks"), Fraction(7 * MINUTES_PER_DAY)),
}
_SECONDS = dict.fromkeys(("s", "second", "seconds"), Fraction(1))
LENGTH_UNITS_SECONDS: Mapping[str, Fraction] = {
    **_SECONDS,
    **{unit: 60 * minutes for unit, minutes in DURATION_UNITS_MINUTES.items()},
}
SIZE_UNITS_BYTES: Mapping[str, Fraction] = {
    "B": Fraction(1),
    **{f"{prefix}B": Fraction(10 ** (3 * power)) for power, prefix in enumerate("kMGTP", start=1)},
    **{f"{prefix}iB": Fraction(2 ** (10 * power)) for power, prefix in enumerate("KMGTP", start=1)},
}
BIT_RATE_UNITS_GBPS: Mapping[str, Fraction] = {
    **dict.fromkeys(("Mb/s", "Mbps", "Mbit/s"), Fraction(1, 1000)),
    **dict.fromkeys(("Gb/s", "Gbps", "Gbit/s"), Fraction(1)),
    **dict.fromkeys(("Tb/s", "Tbps", "Tbit/s"), Fraction(1000)),
    "GB/s": Fraction(8),
    "MB/s": Fraction(8, 1000),
}
BYTE_RATE_UNITS_GB_PER_S: Mapping[str, Fraction] = {unit: gbps / 8 for unit, gbps in BIT_RATE_UNITS_GBPS.items()} | {
    "TB/s": Fraction(1000)
}
COUNT_UNITS: Mapping[str, Fraction] = {
    "": Fraction(1),
    **dict.fromkeys(("k", "K", "thousand"), Fraction(10**3)),
    **dict.fromkeys(("M", "million"), Fraction(10**6)),
    **dict.fromkeys(("B", "G", "billion"), Fraction(10**9)),
    **dict.fromkeys(("T", "trillion"), Fraction(10**12)),
}
PERCENT_UNITS: Mapping[str, Fraction] = {"": Fraction(1), "%": Fraction(1)}
PER_DAY_UNITS_MINUTES: Mapping[str, Fraction] = dict.fromkeys(
    ("", "h", "h/day", "h/d", "hours", "hours/day", "hours a day", "h a day"), Fraction(MINUTES_PER_HOUR)
)


def fault(expected: str, example: str) -> PydanticCustomError:
    """The error of a text that is not the quantity expected."""
    return PydanticCustomError(
        "quantity", "expected {expected}, such as {example}", {"expected": expected, "example": example}
    )


def parse_quantity(value: object, units: Mapping[str, Fraction], expected: str, example: str) -> Fraction:
    """The number in ``value`` times its unit's factor, exact. Numbers are taken in the unit "" if there is one."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal, Fraction)):
        raise fault(expected, example)
    match = _NUMBER.fullmatch(str(value))
    if match is None or len(match[1]) > _LONGEST_NUMBER or match[2] not in units:
        raise fault(expected, example)
    try:
        number = Decimal(match[1].replace(",", "").replace("_", ""))
    except InvalidOperation:
        raise fault(expected, example) from None
    if abs(number.adjusted()) > _LONGEST_NUMBER:
        raise fault(expected, example)
    return Fraction(number) * units[match[2]]


def _quantity(
    units: Mapping[str, Fraction],
    expected: str,
    example: str,
    finish: Callable[[Fraction], int | float],
) -> BeforeValidator:
    def parse(value: object) -> object:
        return finish(parse_quantity(value, units, expected, example)) if isinstance(value, str) else value

    return BeforeValidator(parse)


def _up(value: Fraction) -> int:
    return -(-value.numerator // value.denominator)


def _schema(kind: str, example: str) -> WithJsonSchema:
    return WithJsonSchema({"type": ["string", "number"], "description": f"{kind}, such as {example}"})


def _text(unit: str) -> PlainSerializer:
    """Writes a quantity back in its canonical unit, so that what is written can be read again."""

    def write(value: float) -> str:
        number = Fraction(value)
        shown = number.numerator if number.denominator == 1 else float(number)
        return f"{shown} {unit}".strip()

    return PlainSerializer(write, return_type=str)


def _hours_per_day_text(minutes: int) -> str:
    """Hours rounded down, because reading rounds up to the whole minute: 50 min are 0.833333 h and 50 min again."""
    hours = (Decimal(minutes) / MINUTES_PER_HOUR).quantize(Decimal("0.000001"), ROUND_DOWN)
    return f"{hours.normalize():f} h/day"


def duration_text(minutes: int) -> str:
    """As a catalog writes it, in the largest unit that is whole."""
    if minutes % MINUTES_PER_DAY == 0 and minutes:
        return f"{minutes // MINUTES_PER_DAY} days"
    if minutes % MINUTES_PER_HOUR == 0:
        return f"{minutes // MINUTES_PER_HOUR} h"
    return f"{minutes} min"


def _seconds_text(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{seconds} s" if rest else duration_text(minutes)


def _parse_month(value: Any) -> int | str:
    if value in ("calendar", "month_end"):
        return str(value)
    try:
        minutes = value if isinstance(value, int) and not isinstance(value, bool) else parse_minutes(value)
    except PydanticCustomError:
        minutes = 0
    if not 0 < minutes <= _LONGEST_MINUTES:
        raise fault("a duration, calendar or month_end", "720 h")
    return minutes


def parse_minutes(value: object) -> int:
    """A duration in whole minutes, rounded up."""
    return _up(parse_quantity(value, DURATION_UNITS_MINUTES, "duration", "3 weeks"))


def _parse_amount(value: object) -> object:
    """The digits of an amount as they were written: 12.30 keeps its zero."""
    if not isinstance(value, str):
        return value
    match = _NUMBER.fullmatch(value)
    if match is None or len(match[1]) > _LONGEST_NUMBER or match[2]:
        raise fault("amount", "9,900 or 13.94")
    return match[1].replace(",", "").replace("_", "")


def _parse_day(value: object) -> object:
    """A text as a date; pydantic alone would take "0" for the first day of 1970."""
    if not isinstance(value, str):
        return value
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value.strip(), re.ASCII):
            return date.fromisoformat(value.strip())
    except ValueError:
        pass
    raise fault("date", "2026-11-23")


Minutes = Annotated[
    int,
    Field(ge=0, le=_LONGEST_MINUTES),
    _quantity(DURATION_UNITS_MINUTES, "duration", "3 weeks", _up),
    PlainSerializer(duration_text, return_type=str),
    _schema("a duration", "3 weeks or 300 h"),
]
MinutesPerDay = Annotated[
    int,
    Field(gt=0, le=MINUTES_PER_DAY),
    _quantity(PER_DAY_UNITS_MINUTES, "hours per day", "10 h/day", _up),
    PlainSerializer(_hours_per_day_text, return_type=str),
    _schema("hours a day", "10 h/day"),
]
Seconds = Annotated[
    int,
    Field(ge=0, le=60 * _LONGEST_MINUTES),
    _quantity(LENGTH_UNITS_SECONDS, "duration", "1 min", _up),
    PlainSerializer(_seconds_text, return_type=str),
    _schema("a duration", "1 min or 30 s"),
]
MonthRule = Annotated[
    int | Literal["calendar", "month_end"],
    BeforeValidator(_parse_month),
    PlainSerializer(lambda rule: rule if isinstance(rule, str) else duration_text(rule), return_type=str),
    WithJsonSchema({"type": "string", "description": "how long a month is: a duration, calendar, or month_end"}),
]
"""Minutes of a month; ``calendar``: to the same day of the next month; ``month_end``: the first one ends with its
calendar month and costs its days' share."""
Bytes = Annotated[
    int,
    Field(ge=0),
    _quantity(SIZE_UNITS_BYTES, "size", "80 GB", _up),
    _text("B"),
    _schema("a size", "80 GB or 80 GiB"),
]
Gbps = Annotated[
    float,
    Field(ge=0, allow_inf_nan=False),
    _quantity(BIT_RATE_UNITS_GBPS, "bandwidth", "200 Gb/s", float),
    _text("Gb/s"),
    _schema("a bandwidth", "200 Gb/s"),
]
GbPerS = Annotated[
    float,
    Field(ge=0, allow_inf_nan=False),
    _quantity(BYTE_RATE_UNITS_GB_PER_S, "data rate", "900 GB/s", float),
    _text("GB/s"),
    _schema("a data rate", "900 GB/s"),
]
Count = Annotated[
    int,
    Field(gt=0, le=10**18),
    _quantity(COUNT_UNITS, "count", "1.0 billion", _up),
    _schema("a count", "1000, 20 million or 1.0 billion"),
]
Percent = Annotated[
    float,
    Field(ge=0, le=100, allow_inf_nan=False),
    _quantity(PERCENT_UNITS, "percentage", "30 %", float),
    _text("%"),
    _schema("a percentage", "30 %"),
]
Amount = Annotated[
    Decimal,
    Field(ge=0, le=10**12, max_digits=24, allow_inf_nan=False),
    BeforeValidator(_parse_amount),
    PlainSerializer(lambda value: format(value, "f"), return_type=str),
    WithJsonSchema({"type": ["string", "number"], "description": "an amount of money, such as 9,900 or 13.94"}),
]


Day = Annotated[date, Field(ge=_FIRST_DAY, lt=_NO_DAY), BeforeValidator(_parse_day)]


def _parse_deadline(value: Any) -> date | int:
    if isinstance(value, (date, int)):
        return value
    try:
        day = _parse_day(value)
    except PydanticCustomError:
        day = None
    if isinstance(day, date) and _FIRST_DAY <= day < _NO_DAY:
        return day
    try:
        minutes = parse_minutes(value)
    except PydanticCustomError:
        minutes = 0
    if not 0 < minutes <= _LONGEST_MINUTES:
        raise fault("date or duration", "2026-11-23 or 3 weeks")
    return minutes


Deadline = Annotated[
    date | int,
    BeforeValidator(_parse_deadline),
    PlainSerializer(
        lambda value: value.isoformat() if isinstance(value, date) else duration_text(value), return_type=str
    ),
    WithJsonSchema({"type": "string", "description": "a date, or a length from the start, such as 3 weeks"}),
]
NotBefore = Deadline
"""Written as a deadline is; a date counts from the beginning of its day."""
