"""One line of a bill: the place where money is rounded."""

from decimal import Context, Decimal
from fractions import Fraction
from typing import Final

from planner.values.lease import Charge
from planner.values.money import to_minor
from planner.values.tariff import Part

# Decimals shown of a quantity that no decimal holds exactly, such as a third of an hour.
_INEXACT: Final = Decimal("0.000001")
# More digits than any quantity or price that can be written has, so that nothing is rounded unseen.
EXACT: Final = Context(prec=100)


def decimal_of(value: Fraction) -> Decimal:
    """The exact decimal, or six places of one that never ends."""
    exact = EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return exact if Fraction(exact) == value else exact.quantize(_INEXACT, context=EXACT)


def charge_of(what: str, currency: str, part: Part, count: Fraction, per: str, unit_price: Decimal) -> Charge:
    """``count`` terms or hours of every unit of a part, at a price each."""
    quantity = count * part.units
    cost_minor = to_minor(quantity * Fraction(unit_price), currency)
    return Charge(what, decimal_of(quantity), f"{part.unit}-{per}", unit_price, cost_minor, part.agreed_percent)
