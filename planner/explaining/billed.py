"""What a seller bills for a lease, what of it is tax, and what the buyer bears."""

from fractions import Fraction

from planner.values.burden import Burden
from planner.values.lease import Bill
from planner.values.money import borne_minor, to_amount
from planner.values.report import BilledReport, ChargeLine


def money(minor: int, currency: str) -> str:
    """Decimal text in the major unit: 792000 -> "7920.00"."""
    return format(to_amount(minor, currency), "f")


def charge_lines(bill: Bill, currency: str) -> tuple[ChargeLine, ...]:
    """The bill's charges in the seller's currency."""
    return tuple(
        ChargeLine(
            charge.what,
            format(charge.quantity, "f"),
            charge.unit,
            format(charge.unit_price, "f"),
            currency,
            money(charge.cost_minor, currency),
            format(charge.agreed_percent.normalize(), "f") if charge.agreed_percent else None,
        )
        for charge in bill.charges
    )


def billed_report(bill: Bill, burden: Burden | None) -> BilledReport | None:
    """None where the price counts as it is written, in the plan's own currency."""
    if burden is None or (burden.currency == burden.plan_currency and burden.tax_percent is None):
        return None

    def share(of: Fraction) -> int:
        return borne_minor(bill.billed_minor, of)

    net_minor, gross_minor = share(burden.net_share), share(burden.gross_share)
    currency = burden.currency
    return BilledReport(
        currency=currency,
        billed=money(bill.billed_minor, currency),
        net=money(net_minor, currency),
        tax=money(gross_minor - net_minor, currency),
        gross=money(gross_minor, currency),
        tax_percent=None if burden.tax_percent is None else format(burden.tax_percent.normalize(), "f"),
        is_deducted=burden.is_deducted,
        withheld=money(share(burden.withheld_share), currency),
        exchange_rate=format(burden.exchange_rate, "f"),
        rate_source=burden.rate_source,
    )
