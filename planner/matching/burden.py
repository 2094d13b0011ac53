"""What the buyer bears of an offer's price: exchange rate and tax, as scenario and catalog say."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from planner.values.burden import Burden
from planner.values.catalog import Offer
from planner.values.facts import ExchangeRate
from planner.values.requirements import Invoice, Requirements
from planner.values.scenario import Scenario


def rate_of(scenario: Scenario, rates: Sequence[ExchangeRate], currency: str, day: date) -> tuple[Decimal, str] | None:
    """Units of the scenario's currency for one of ``currency`` with where that is from; None where nobody says.

    The scenario's own rate comes first, then the newest of the catalog's that is no later than the day.
    """
    if currency == scenario.currency:
        return Decimal(1), ""
    if currency in scenario.exchange_rates:
        return scenario.exchange_rates[currency], "scenario"
    known = [one for one in rates if (one.currency, one.into) == (currency, scenario.currency) and one.day <= day]
    newest = max(known, key=lambda one: one.day, default=None)
    return None if newest is None else (newest.rate, f"{newest.source}, {newest.day.isoformat()}")


def burden_of(
    scenario: Scenario, rates: Sequence[ExchangeRate], offer: Offer, asked: Requirements, day: date
) -> Burden | None:
    """None where no exchange rate is known."""
    found = rate_of(scenario, rates, offer.currency, day)
    if found is None:
        return None
    rate, source = found
    tax = offer.commercial.tax
    if tax is None:
        return Burden(offer.currency, scenario.currency, rate, source)
    return Burden(
        offer.currency,
        scenario.currency,
        rate,
        source,
        tax_percent=Decimal(str(tax.rate_percent)),
        is_tax_included=tax.included,
        is_deducted=bool(scenario.deducts_vat) and _invoice(offer, asked) is Invoice.SPECIAL_VAT,
        withholding_percent=None if tax.withholding_percent is None else Decimal(str(tax.withholding_percent)),
    )


def _invoice(offer: Offer, asked: Requirements) -> Invoice | None:
    """The kind that is asked for, or else the one that lets tax be deducted, if the seller writes it."""
    offered = offer.commercial.invoices or ()
    wanted = asked.commercial.invoice if asked.commercial is not None else None
    if wanted is None:
        wanted = Invoice.SPECIAL_VAT
    return wanted if wanted in offered else None
