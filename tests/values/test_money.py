"""Money: whole minor units, half rounded up, once."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.values.currencies import CURRENCIES
from planner.values.money import minor_digits, to_amount, to_minor

# ISO 4217, list one: everything else that is in use has two decimals.
NONE = ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"]
THREE = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [
        ("7920", "CNY", 792_000),
        ("13.94", "CNY", 1394),
        ("0.005", "CNY", 1),
        ("0.0049", "CNY", 0),
        ("1.115", "USD", 112),
        ("1.125", "USD", 113),  # half up, not to the even digit
        ("99.5", "JPY", 100),
        ("100.4", "JPY", 100),
        ("0.0005", "KWD", 1),
        ("1.2345", "KWD", 1235),
    ],
)
def test_money_is_rounded_half_up_to_the_smallest_coin(amount: str, currency: str, minor: int) -> None:
    assert to_minor(Decimal(amount), currency) == minor


@pytest.mark.parametrize("currency", sorted(CURRENCIES))
def test_the_smallest_coin_is_that_of_iso_4217(currency: str) -> None:
    assert minor_digits(currency) == (0 if currency in NONE else 3 if currency in THREE else 2)


def test_an_amount_has_all_its_decimals() -> None:
    assert str(to_amount(792_000, "CNY")) == "7920.00"
    assert str(to_amount(100, "JPY")) == "100"
    assert str(to_amount(1235, "KWD")) == "1.235"


@given(st.integers(0, 10**15), st.sampled_from(sorted(CURRENCIES)))
def test_minor_units_are_an_amount_and_back(minor: int, currency: str) -> None:
    assert to_minor(to_amount(minor, currency), currency) == minor


@given(st.fractions(0, 10**9), st.sampled_from(["CNY", "JPY", "KWD"]))
def test_rounding_moves_an_amount_by_half_a_coin_at_most(amount: Fraction, currency: str) -> None:
    coin = Fraction(1, 10 ** minor_digits(currency))
    off = to_minor(amount, currency) * coin - amount
    assert -coin / 2 < off <= coin / 2
