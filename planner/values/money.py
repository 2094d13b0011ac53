"""Money: Decimal in a seller's price, whole minor units in a bill. The one crossing is `to_minor`."""

from decimal import Decimal
from fractions import Fraction

# Currencies without a minor unit, or with one of 1/1000 (ISO 4217); all others have 1/100.
_WHOLE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND"
_DIGITS = dict.fromkeys(_WHOLE.split(), 0) | dict.fromkeys(_THOUSANDTHS.split(), 3)


def minor_digits(currency: str) -> int:
    """Decimals of the currency's smallest unit."""
    return _DIGITS.get(currency, 2)


def to_minor(amount: Decimal | Fraction, currency: str) -> int:
    """Whole minor units, half rounded up: how a charge is rounded, once."""
    scaled = Fraction(amount) * Fraction(10 ** minor_digits(currency))
    return (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)


def borne_minor(billed_minor: int, basis: Fraction) -> int:
    """What the buyer bears, in the plan's currency, of a lease billed in the seller's: half rounded up, once."""
    exact = billed_minor * basis
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)


def to_amount(minor: int, currency: str) -> Decimal:
    """The amount in the major unit, with all its decimals: 792000 -> 7920.00 for CNY."""
    return Decimal(minor).scaleb(-minor_digits(currency))
