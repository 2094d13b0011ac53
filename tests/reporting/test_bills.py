"""What `planner bill` prints, and its document."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest

from planner.planning import invoice
from planner.reporting import bill_document, bill_text
from planner.reporting.wording import charge_words
from planner.reporting.wording.bills import (
    BILL_ACTIONS,
    BILL_NOTICES,
    IMPOSSIBLE_WAYS,
    NO_WAYS,
    ONE_RENEWED,
    ONE_TERM,
    WAY_NOTES,
)
from planner.reporting.wording.parts import CHARGES, TERMS
from planner.reporting.wording.sentences import COUNTED
from planner.values.billing import TERMS as PREPAID
from planner.values.catalog import Offer
from planner.values.extras import Fee
from planner.values.invoice import Invoice, Rental, WayKind
from tests.reporting.test_hostile_text import HOSTILE

MONDAY = date(2026, 11, 2)
FREE = {"stopped": {"charge": "0"}}
ROOT = Path(__file__).parents[2] / "planner"


def billed(days: int, hours: int = 24, nodes: int = 1, **fields: Any) -> Invoice:
    """One node of two cards, priced as a whole."""
    prices = {term: fields.pop(term) for term in ("hour", *PREPAID, "components") if term in fields}
    offer = Offer.model_validate(
        {
            "id": "o-1",
            "seller": "seller",
            "gpu": "T",
            "gpus_per_node": 2,
            "prices": {"per": "node", **prices},
            "currency": "CNY",
            "kind": "list",
            "source": "made up",
            "observed": MONDAY,
            **fields,
        }
    )
    return invoice(Rental(offer, MONDAY, MONDAY + timedelta(days=days), hours * 60, nodes))


def said(of: Invoice) -> str:
    """The text as one line."""
    return " ".join(bill_text(of, 1000).split())


def test_the_end_is_said_not_to_be_included() -> None:
    text = said(billed(3, 10, hour="10"))
    assert "From the beginning of 2026-11-02 to the beginning of 2026-11-05, 2026-11-05 itself not included" in text
    assert "3 days of 24 h by the seller's calendar, without daylight saving" in text
    assert "30 h running (10 h a day), 60 GPU-hours" in text


def test_every_way_is_numbered_from_the_cheapest_with_its_lines() -> None:
    """30 h at 10; 3 days at 150; 72 h at 10."""
    text = bill_text(billed(3, 10, hour="10", day="150", billing=FREE), 120)
    titles = [line for line in text.splitlines() if re.fullmatch(r"\d\. [^:]*[a-z]", line)]
    assert titles == [
        "1. by the hour, stopped outside the 10 h of each day",
        "2. 3 days, prepaid",
        "3. by the hour, kept running all day",
    ]
    assert "hours running        30  node-hours  x 10.00 CNY  = 300.00 CNY" in text
    assert "days, prepaid         3  node-days  x 150.00 CNY  = 450.00 CNY" in text
    assert "Cheapest: by the hour, stopped outside the 10 h of each day, 300.00 CNY." in text


def test_the_price_of_a_used_gpu_hour_counts_running_hours_of_all_cards() -> None:
    """100.00 over 3 days x 10 h x 2 cards x 2 nodes = 120: 0.8333; two nodes cost 200.00, 1.6667."""
    (way,) = billed(3, 10, 2, quarter="100").ways
    assert (way.total, way.price_per_gpu_hour) == ("200.00", "1.6667")
    (way,) = billed(3, 10, 2, quarter="100", currency="JPY").ways
    assert (way.total, way.price_per_gpu_hour) == ("200", "1.6667"), "a yen has no decimals, its hourly price has"


def test_what_is_paid_for_and_not_used_is_said_with_what_to_ask() -> None:
    one = billed(10, month="7920")
    assert one.actions == ("ask_for_daily_rate", "ask_for_refund")
    text = said(one)
    assert "Cheapest: 1 month, prepaid, 7,920.00 CNY. Paid for 20 days that are not used (66.7% of the time" in text
    assert "Ask for a daily rate." in text
    assert "2,640" not in text


def test_nothing_is_asked_where_days_are_sold_or_all_is_used() -> None:
    assert billed(10, day="400", month="7920").actions == ()
    assert billed(30, month="7920").actions == ()


# Tax and deposit


def test_tax_that_the_prices_hold() -> None:
    """106.00 hold 6 %: net 100.00; 10 % of it are withheld."""
    tax = {"rate": "6 %", "included": "true", "withholding": "10 %"}
    one = billed(30, month="106", commercial={"tax": tax})
    text = said(one)
    assert "net 100.00 CNY + 6% tax 6.00 CNY = gross 106.00 CNY; the prices hold it" in text
    assert "pay 10.00 CNY beside the bill: 10% withholding or reverse-charge tax on the net" in text
    assert one.ways[0].total == "106.00"
    assert "not said" not in text


def test_tax_that_comes_on_top() -> None:
    """13 % of 99.99 are 12.9987: 13.00."""
    one = billed(30, month="99.99", commercial={"tax": {"rate": "13 %", "included": "false"}})
    assert "net 99.99 CNY + 13% tax 13.00 CNY = gross 112.99 CNY; it comes on top" in said(one)
    assert "whether tax is to be withheld: not said" in said(one)
    assert one.ways[0].total == "99.99"


def test_tax_that_is_not_said_is_not_guessed() -> None:
    one = billed(30, month="106")
    assert one.ways[0].tax is None
    assert "Tax: not said." in said(one)


def test_a_deposit_is_in_no_total() -> None:
    one = billed(30, month="106", commercial={"deposit": "500"})
    assert one.ways[0].total == "106.00"
    assert "A deposit of 500.00 CNY is asked for" in said(one)
    assert "cash that comes back, in no total here" in said(one)


# Ways, and what is none


def test_given_back_as_credit_is_a_line_of_its_own() -> None:
    """10 of 30 days of 900: 600 back."""
    refund = {"rule": "daily", "fee": "0", "to": "credit"}
    text = said(billed(10, month="900", billing={"refund": refund}))
    assert "1. 1 month, prepaid, given back after 10 days" in text
    assert "credit for what is given back 1 lease x -600.00 CNY = -600.00 CNY Total = 300.00 CNY" in text
    assert "credit that only this seller takes, no money" in text


def test_renting_anew_says_what_it_takes() -> None:
    text = said(billed(90, month={"amount": "500", "renewal_price": "1000"}))
    assert "1. 3 leases one after the other, each of 1 month at the first price" in text
    assert "the seller must agree to the first price again, and the data has to be moved each time" in text
    assert "months, prepaid, at the renewal price 2 node-months x 1,000.00 CNY = 2,000.00 CNY" in text


def test_a_mix_is_named_by_its_terms() -> None:
    """31 days: a month for 300 and a day's 24 hours at 1, or a day for 20."""
    assert "1. 1 month, prepaid, then by the hour" in said(billed(31, hour="1", month="300"))
    assert "1. 1 month and 1 day, prepaid 320.00 CNY" in said(billed(31, hour="1", day="20", month="300"))


def test_why_a_way_is_impossible() -> None:
    day = {"amount": "100", "allowed_counts": "1-14, 21-182/7"}
    text = said(billed(190, day=day))
    assert "There is no way of paying for this." in text
    assert "- by the hour: not sold, there is no price" in text
    assert "- by the day: sold in counts 1-14, 21-182/7" in text
    assert "- by the week, by the month, by the quarter or by the year: not sold, there is no price" in text
    assert "giving a month back early: what comes back is not said" in said(billed(10, month="900"))


def test_where_a_term_breaks_even() -> None:
    assert "- a month pays beyond 683.4 of its 720 hours" in said(billed(30, hour="1.57", month="1073", billing=FREE))
    text = said(billed(30, hour="6.20", month="4464", billing=FREE))
    assert "- a month saves nothing here: it costs as much as 720.0 hours" in text
    text = said(billed(30, hour="10", month="5400", billing={"stopped": {"charge": "50 %"}}))
    assert "- a month pays beyond 360.0 running hours of its 720" in text
    text = said(billed(30, hour="10", month="5400"))
    assert "- a month pays beyond 540.0 of its 720 hours, running or not: stopping saves nothing" in text
    day = {"amount": "100", "allowed_counts": "21-182/7"}
    assert "- a lease of 21 days pays beyond 210.0 of its 504 hours" in said(
        billed(30, hour="10", day=day, billing=FREE)
    )
    month = {"amount": "3000", "renewal_price": "6000"}
    text = said(billed(30, hour="10", month=month, billing=FREE))
    assert "- a renewed month pays beyond 600.0 of its 720 hours" in text


def test_what_to_know_before_paying() -> None:
    one = billed(
        3,
        nodes=2,
        hour="10",
        month="7000",
        stock=1,
        spot=True,
        commercial={"minimum_term": "7 days"},
        billing={"renewal_factor_at_most": "2"},
    )
    assert [(notice.rule, notice.value) for notice in one.notices] == [
        ("stock", "1"),
        ("minimum_term", "7"),
        ("spot", "o-1"),
        ("renewal_may_rise", "2"),
        ("month_assumed", "720"),
        ("increment_assumed", "1"),
    ]
    assert "The seller's shortest rental is 7 days" in said(one)
    quote = billed(3, hour="10", kind="quote", quote_number="q", valid_until=MONDAY - timedelta(days=1))
    assert "The quote is valid until 2026-11-01, before the rental begins" in said(quote)
    market = billed(3, hour={"low": "5", "high": "10"}, kind="market_range")
    assert "nobody can order it" in said(market)
    assert market.ways[0].total == "720.00", "at the high end"


# Words, text from outside, and the document


def _yielded(module: str, call: str, place: int) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == call:
            for inner in ast.walk(node.args[place]):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.value


def test_every_identifier_has_words() -> None:
    assert set(_yielded("planning/billing.py", "BillNotice", 0)) == set(BILL_NOTICES)
    reasons = {*_yielded("pricing/ways.py", "NoWay", 2), *_yielded("pricing/giving_back.py", "NoWay", 2)}
    assert reasons == set(NO_WAYS)
    assert set(ONE_TERM) == set(ONE_RENEWED) == set(PREPAID) == set(TERMS) - {"hour"}
    assert set(IMPOSSIBLE_WAYS) == {"hour", "term", "release", "anew"} <= {kind.value for kind in WayKind}
    text = "".join(
        (ROOT / module).read_text(encoding="utf-8")
        for module in ("pricing/ways.py", "pricing/giving_back.py", "pricing/changing.py")
    )
    assert all(f'"{note}"' in text for note in WAY_NOTES)
    assert all(f'"{action}"' in (ROOT / "planning/billing.py").read_text(encoding="utf-8") for action in BILL_ACTIONS)


def test_every_charge_and_unit_that_pricing_makes_has_words() -> None:
    made = {"run", "stopped", "idle", "minimum", "month at most", "storage", "storage_stopped", "traffic"}
    made |= {
        *PREPAID,
        *(f"{term}, {said}" for term in PREPAID for said in ("renewed", "beyond its hours")),
        "month, its rest",
        "refund",
        "credit",
    }
    assert made <= set(CHARGES)
    units = {f"{unit}-{term}" for unit in ("gpu", "node") for term in ("hour", *PREPAID)}
    per = [one for one in get_args(Fee.model_fields["per"].annotation) if one != "once"]
    units |= {f"{of}-{one}" for of in ("node", "lease") for one in per} | {"gb", "gb-hour", "gb-month", "node", "lease"}
    assert units <= set(COUNTED)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("month", "months, prepaid"),
        ("month, host", "months, prepaid, host"),
        ("month, host, renewed", "months, prepaid, at the renewal price, host"),
        ("month, host, its rest", "what is left of the first calendar month, prepaid, host"),
        ("run, renewed", "hours running, renewed"),
        ("public_ip, v4", "public_ip, v4"),
    ],
)
def test_charges_of_components_and_fees_keep_their_names(what: str, words: str) -> None:
    assert charge_words(what) == words


def test_text_from_outside_is_made_visible() -> None:
    one = billed(3, 10, month="100", hour="1", fees=[{"name": "{x}[b]\x1b[31m", "amount": "1", "per": "once"}])
    text = bill_text(replace(one, seller=HOSTILE, offer=HOSTILE, gpu=HOSTILE, note=f"{{note}}{HOSTILE}"), 300)
    assert not set(text) & set("\x1b\t\r\u202e\ud800")
    assert r"The catalog notes: {note}[bold]x[/bold]\x1b[31m\n\t\r\u202e:smile:\ud800" in text
    assert r"{x}[b]\x1b[31m" in text


def test_the_document_adds_up_and_has_money_as_text() -> None:
    one = billed(45, 10, hour="1.57", day="30.55", month="1073", commercial={"deposit": "12.30"}, billing=FREE)
    document = json.loads(bill_document(one))
    assert document["schema"] == "planner.bill/1"
    assert (document["from"], document["to"], document["days"]) == ("2026-11-02", "2026-12-17", 45)
    assert document["deposit"] == "12.30"
    assert [Decimal(way["total"]) for way in document["ways"]] == sorted(
        Decimal(way["total"]) for way in document["ways"]
    )
    for way in document["ways"]:
        assert sum(Decimal(charge["cost"]) for charge in way["charges"]) == Decimal(way["total"])
        for charge in way["charges"]:
            assert Decimal(charge["quantity"]) * Decimal(charge["unit_price"]) == Decimal(charge["cost"])


@pytest.mark.parametrize("width", [24, 80])
def test_narrow_paper_loses_no_total(width: int) -> None:
    one = billed(45, 10, hour="1.57", day="30.55", month="1073", billing=FREE)
    text = bill_text(one, width)
    assert all(f"{Decimal(way.total):,}" in text for way in one.ways)
