"""Quantities as people write them, and as they are written back."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from planner.values.currencies import CURRENCIES, Currency
from planner.values.quantities import (
    Amount,
    Bytes,
    Count,
    Day,
    Deadline,
    GbPerS,
    Gbps,
    Minutes,
    MinutesPerDay,
    Percent,
)


def read(kind: Any, value: object) -> Any:
    return TypeAdapter(kind).validate_python(value)


def written(kind: Any, value: object) -> Any:
    return TypeAdapter(kind).dump_python(value, mode="json")


@pytest.mark.parametrize(
    ("kind", "text", "number"),
    [
        (Bytes, "80 GB", 80 * 10**9),
        (Bytes, "80GB", 80 * 10**9),
        (Bytes, "80 GiB", 85_899_345_920),
        (Bytes, "1.5 TB", 15 * 10**11),
        (Bytes, "500 MB", 5 * 10**8),
        (Bytes, "1 KiB", 1024),
        (Bytes, "0 B", 0),
        (Minutes, "3 weeks", 30_240),
        (Minutes, "1 week", 10_080),
        (Minutes, "300 h", 18_000),
        (Minutes, "1.5 hours", 90),
        (Minutes, "90 min", 90),
        (Minutes, "30 days", 43_200),
        (Minutes, "0.01 h", 1),  # whole minutes, rounded up
        (MinutesPerDay, "10 h/day", 600),
        (MinutesPerDay, "10 hours a day", 600),
        (MinutesPerDay, "10", 600),
        (MinutesPerDay, "24 h", 1440),
        (Gbps, "200 Gb/s", 200.0),
        (Gbps, "200Gbps", 200.0),
        (Gbps, "25 GB/s", 200.0),
        (Gbps, "100 Mb/s", 0.1),
        (Gbps, "1.6 Tb/s", 1600.0),
        (GbPerS, "900 GB/s", 900.0),
        (GbPerS, "8 Gb/s", 1.0),
        (GbPerS, "4.8 TB/s", 4800.0),
        (Count, "1.0 billion", 10**9),
        (Count, "20 million", 20 * 10**6),
        (Count, "4,096", 4096),
        (Count, "64k", 64_000),
        (Count, "1.5 trillion", 15 * 10**11),
        (Percent, "30 %", 30.0),
        (Percent, "99.95%", 99.95),
        (Percent, "0", 0.0),
        (Amount, "9,900", Decimal(9900)),
        (Amount, "13.94", Decimal("13.94")),
        (Day, "2026-11-23", date(2026, 11, 23)),
        (Deadline, "2026-11-23", date(2026, 11, 23)),
        (Deadline, "3 weeks", 30_240),
    ],
)
def test_a_quantity_is_what_people_mean_by_it(kind: Any, text: str, number: object) -> None:
    assert read(kind, text) == number


def test_an_amount_keeps_the_digits_that_were_written() -> None:
    assert str(read(Amount, "12.30")) == "12.30"
    assert written(Amount, Decimal("12.30")) == "12.30"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Bytes, "80"),  # of what?
        (Bytes, "80 gb"),  # bits or bytes?
        (Bytes, "80 Gb"),
        (Bytes, "-1 GB"),
        (Bytes, "80 GB GB"),
        (Bytes, "eighty GB"),
        (Bytes, ""),
        (Minutes, "3"),
        (Minutes, "3 months"),  # how long is a month?
        (Minutes, "48:00"),
        (Minutes, "-3 h"),
        (Minutes, "200 years"),
        (Minutes, "1000000 weeks"),
        (MinutesPerDay, "0 h/day"),
        (MinutesPerDay, "25 h/day"),
        (Gbps, "200"),
        (Gbps, "-200 Gb/s"),
        (Gbps, "inf Gb/s"),
        (Count, "0"),
        (Count, "-5"),
        (Count, "1 zillion"),
        (Count, "9" * 41),
        (Count, "1e99"),
        (Percent, "101 %"),
        (Percent, "-1 %"),
        (Percent, "nan"),
        (Amount, "12,30"),  # a comma stands between thousands only
        (Amount, "¥12"),
        (Amount, "-1"),
        (Amount, "nan"),
        (Day, "0"),
        (Day, "23.11.2026"),
        (Day, "2026-02-30"),
        (Day, "1969-12-31"),
        (Deadline, "0 weeks"),
        (Deadline, "soon"),
        (Deadline, "3"),
        (Currency, "RMB"),
        (Currency, "cny"),
        (Currency, "XXX"),
    ],
)
def test_what_could_mean_anything_else_is_refused(kind: Any, text: str) -> None:
    with pytest.raises(ValidationError):
        read(kind, text)


@pytest.mark.parametrize("kind", [Bytes, Minutes, MinutesPerDay, Gbps, GbPerS, Percent])
def test_a_quantity_is_refused_with_its_kind_and_an_example_that_would_do(kind: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        read(kind, "a lot")
    (error,) = caught.value.errors()
    assert error["type"] == "quantity"
    assert error["ctx"]["expected"]
    assert read(kind, error["ctx"]["example"]) > 0


@given(st.integers(0, 10**17))
def test_sizes_read_back_the_same(size: int) -> None:
    assert read(Bytes, written(Bytes, size)) == size


@given(st.integers(0, 100 * 366 * 1440))
def test_durations_read_back_the_same(minutes: int) -> None:
    assert read(Minutes, written(Minutes, minutes)) == minutes


def test_hours_a_day_read_back_the_same() -> None:
    lengths = range(1, 1441)
    assert [read(MinutesPerDay, written(MinutesPerDay, minutes)) for minutes in lengths] == list(lengths)


@pytest.mark.parametrize("kind", [Gbps, GbPerS])
@given(value=st.decimals(0, 10**9, places=6).map(float))
def test_rates_read_back_the_same(kind: Any, value: float) -> None:
    assert read(kind, written(kind, value)) == value


@given(st.decimals(0, 100, places=6).map(float))
def test_percentages_read_back_the_same(value: float) -> None:
    assert read(Percent, written(Percent, value)) == value


@given(st.integers(1, 10**18))
def test_counts_read_back_the_same_even_as_text(count: int) -> None:
    assert read(Count, written(Count, count)) == count
    assert read(Count, str(written(Count, count))) == count


@given(st.decimals(0, 10**12, places=4))
def test_amounts_read_back_the_same(amount: Decimal) -> None:
    assert read(Amount, written(Amount, amount)) == amount


@given(st.one_of(st.dates(date(1970, 1, 1), date(2999, 12, 31)), st.integers(1, 100 * 366 * 1440)))
def test_deadlines_read_back_the_same(deadline: date | int) -> None:
    assert read(Deadline, written(Deadline, deadline)) == deadline


@given(st.text(max_size=20))
def test_any_text_is_a_quantity_or_refused(text: str) -> None:
    """Never another exception: what a person writes is no bug."""
    for kind in (Bytes, Minutes, MinutesPerDay, Gbps, GbPerS, Count, Percent, Amount, Day, Deadline, Currency):
        try:
            read(kind, text)
        except ValidationError:
            continue


@given(
    number=st.from_regex(r"[0-9]{1,30}(\.[0-9]{1,9})?([eE][+-]?[0-9]{1,30})?", fullmatch=True),
    unit=st.sampled_from(["", "GB", "h", "weeks", "Gb/s", "billion", "%", "h/day"]),
)
def test_any_number_with_a_unit_is_a_quantity_or_refused(number: str, unit: str) -> None:
    for kind in (Bytes, Minutes, MinutesPerDay, Gbps, GbPerS, Count, Percent, Amount, Deadline):
        try:
            read(kind, f"{number} {unit}")
        except ValidationError:
            continue


@pytest.mark.parametrize("code", ["CNY", "USD", "EUR", "JPY", "KWD", "HKD", "SGD"])
def test_currencies_are_those_of_iso_4217(code: str) -> None:
    assert code in CURRENCIES
    assert read(Currency, code) == code
