"""What the buyer bears of what a seller bills: the exchange rate, and tax as far as it comes back."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from planner.values.money import minor_digits


@dataclass(frozen=True, slots=True)
class Burden:
    """``exchange_rate``: units of the plan's currency for one of the seller's, from ``rate_source``.

    ``tax_percent`` None: the seller does not say, so the price counts as it is written. ``is_deducted``: the buyer
    gets the tax back, with an invoice that allows it. ``withholding_percent``: tax that the buyer pays beside the bill.
    """

    currency: str
    plan_currency: str
    exchange_rate: Decimal = Decimal(1)
    rate_source: str = ""
    tax_percent: Decimal | None = None
    is_tax_included: bool = True
    is_deducted: bool = False
    withholding_percent: Decimal | None = None

    @property
    def net_share(self) -> Fraction:
        """What is billed without tax, of what is written."""
        if self.tax_percent is None or not self.is_tax_included:
            return Fraction(1)
        return 100 / (100 + Fraction(self.tax_percent))

    @property
    def gross_share(self) -> Fraction:
        """What is paid to the seller with tax, of what is written."""
        if self.tax_percent is None or self.is_tax_included:
            return Fraction(1)
        return (100 + Fraction(self.tax_percent)) / 100

    @property
    def withheld_share(self) -> Fraction:
        return self.net_share * Fraction(self.withholding_percent or 0) / 100

    @property
    def basis(self) -> Fraction:
        """Minor units of the plan's currency that the buyer bears for one minor unit written."""
        share = (self.net_share if self.is_deducted else self.gross_share) + self.withheld_share
        digits = minor_digits(self.plan_currency) - minor_digits(self.currency)
        return share * Fraction(self.exchange_rate) * Fraction(10) ** digits
