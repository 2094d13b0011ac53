"""What the buyer bears of what is billed: exchange rate, VAT, withholding. The arithmetic is in the tests."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from planner.matching import match
from planner.values.burden import Burden
from planner.values.catalog import Catalog
from planner.values.facts import ExchangeRate
from planner.values.frame import frame_of
from planner.values.matches import Candidate
from tests.matching.world import ALIASES, SMALL, asking, stated, the_candidate, the_rejection

SPECIAL = {"invoices": ["special_vat", "plain_vat"]}


def candidate_of(commercial: dict[str, Any], asked: dict[str, Any] | None = None, **frame: Any) -> Candidate:
    """100 hours at 6.00 an hour: 600.00 as written."""
    offer = stated("o", {"commercial": commercial})
    scenario = asking(asked, **frame)
    catalog = Catalog((offer,), dict(ALIASES))
    found = match(scenario, {"train": SMALL}, catalog, frame_of(scenario, catalog.newest_observation))
    return the_candidate(found)


def cost_minor(commercial: dict[str, Any], asked: dict[str, Any] | None = None, **frame: Any) -> int:
    return candidate_of(commercial, asked, **frame).prices[0].cost_minor


def test_a_price_of_unknown_tax_counts_as_it_is_written() -> None:
    assert cost_minor({}) == cost_minor({}, deducts_vat="yes") == 60_000


def test_tax_that_comes_back_is_no_cost() -> None:
    """600.00 with 6 % in it: 600 / 1.06 = 566.04 net."""
    tax = {"tax": {"rate": "6 %", "included": True}} | SPECIAL
    assert cost_minor(tax, deducts_vat="yes") == 56_604
    assert cost_minor(tax) == cost_minor(tax, deducts_vat="no") == 60_000


def test_tax_that_is_added_is_borne_unless_it_comes_back() -> None:
    """600.00 and 6 % on top: 636.00; net where it is deducted."""
    tax = {"tax": {"rate": "6 %", "included": False}} | SPECIAL
    assert cost_minor(tax) == 63_600
    assert cost_minor(tax, deducts_vat="yes") == 60_000


def test_without_a_special_invoice_nothing_comes_back() -> None:
    tax = {"rate": "6 %", "included": True}
    assert cost_minor({"tax": tax, "invoices": ["plain_vat"]}, deducts_vat="yes") == 60_000
    assert cost_minor({"tax": tax}, deducts_vat="yes") == 60_000, "what the seller does not say it does not write"
    asked = {"commercial": {"invoice": "plain_vat"}}
    assert cost_minor({"tax": tax} | SPECIAL, asked, deducts_vat="yes") == 60_000, "the buyer asked for a plain one"


def test_withholding_is_paid_beside_the_bill() -> None:
    """10 % of what is net: 600 + 60."""
    assert cost_minor({"tax": {"rate": "0 %", "included": True, "withholding": "10 %"}}) == 66_000


def test_a_price_in_another_currency_is_converted_once_a_lease() -> None:
    """100 hours at 6.00 CNY are 600.00 CNY; at 0.1404 USD for a yuan that is 84.24 USD."""
    offer = stated("o")
    scenario = asking(currency="USD", exchange_rates={"CNY": "0.1404"})
    found = match(scenario, {"train": SMALL}, Catalog((offer,), dict(ALIASES)), frame_of(scenario, offer.observed))
    assert the_candidate(found).prices[0].cost_minor == 8_424


def rate(day: str, value: str) -> ExchangeRate:
    row = {"currency": "CNY", "in": "USD", "rate": value, "date": day, "source": "a bank's page"}
    return ExchangeRate.model_validate(row)


def test_the_catalogs_newest_rate_of_no_later_day_is_taken_and_the_scenarios_own_first() -> None:
    offer = stated("o")
    rates = (rate("2026-10-01", "0.15"), rate("2026-10-30", "0.14"), rate("2026-11-02", "0.13"))
    catalog = Catalog((offer,), dict(ALIASES), rates=rates)
    for own, expected in (({}, 8_400), ({"exchange_rates": {"CNY": "0.2"}}, 12_000)):
        scenario = asking(currency="USD", order_by="2026-11-01", start="2026-11-01", **own)
        found = match(scenario, {"train": SMALL}, catalog, frame_of(scenario, date(2026, 11, 1)))
        assert the_candidate(found).prices[0].cost_minor == expected


def test_without_a_rate_the_offer_is_refused() -> None:
    scenario = asking(currency="USD")
    offer = stated("o")
    found = match(scenario, {"train": SMALL}, Catalog((offer,), dict(ALIASES)), frame_of(scenario, offer.observed))
    assert the_rejection(found).reason == "currency"


def test_a_deposit_is_compared_in_the_plans_currency() -> None:
    """A deposit of 1,000 CNY is 140 USD."""
    offer = stated("o", {"commercial": {"deposit": "1000"}})
    for most, is_met in (("141", True), ("139", False)):
        asked = {"commercial": {"deposit_at_most": most}}
        scenario = asking(asked, currency="USD", exchange_rates={"CNY": "0.14"})
        found = match(scenario, {"train": SMALL}, Catalog((offer,), dict(ALIASES)), frame_of(scenario, offer.observed))
        assert bool(found.candidates["train"]) is is_met


@pytest.mark.parametrize(
    ("seller", "plan", "rate_", "expected"),
    [
        ("JPY", "CNY", "0.047", Fraction("4.7")),  # one yen is 4.7 fen: yen have no smaller unit
        ("USD", "JPY", "150", Fraction("1.5")),  # a cent is 1.5 yen
        ("KWD", "USD", "3.25", Fraction("0.325")),  # a dinar has 1,000 fils
    ],
)
def test_smallest_units_of_currencies_differ(seller: str, plan: str, rate_: str, expected: Fraction) -> None:
    assert Burden(seller, plan, Decimal(rate_)).basis == expected
