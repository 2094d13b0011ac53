"""Discounts, tiers and what must be bought at least: every invoice worked out by hand."""

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from planner.planning.billing import invoice as invoice_of
from planner.pricing import best_prices, tariff, ways_of_paying
from planner.values.billing import Rate
from planner.values.invoice import Rental, WayKind
from planner.values.tariff import Bundle
from tests.pricing.invoices import DAY, cheapest, invoice, run, sold, total

# 83 %, 70 % and 50 % of twelve list months, for each year
UCLOUD_YEAR = {
    "amount": "9600",
    "discounts": [{"from": 1, "off": "17 %"}, {"from": 2, "off": "30 %"}, {"from": 3, "off": "50 %"}],
}


@pytest.mark.parametrize(
    ("years", "cost_minor"),
    [
        (1, 796_800),  # 9600 x 0.83
        (2, 1_344_000),  # 2 x 9600 x 0.70
        (3, 1_440_000),  # 3 x 9600 x 0.50
    ],
)
def test_7_1_ucloud_the_longer_the_cheaper_each_year(years: int, cost_minor: int) -> None:
    offer = sold("UCloud", {"month": "800", "year": UCLOUD_YEAR})
    assert total(offer, run(years * 365 * 24), year=years) == cost_minor


def test_7_1_a_year_at_the_price_of_ten_months_pays_from_the_eleventh() -> None:
    """Nine months of 30 days are 7200, ten 8000 as the year; 301 days would be eleven, 8800."""
    offer = sold("UCloud", {"month": "800", "year": {"amount": "8000", "before_discount": "9600"}})
    assert cheapest(offer, run(270 * 24)) == ({"month": 9}, 720_000)
    assert cheapest(offer, run(301 * 24)) == ({"year": 1}, 800_000)


VAST_MONTH = {
    "amount": "720",
    "discounts": [{"from": 1, "off": "20 %"}, {"from": 3, "off": "30 %"}, {"from": 6, "off": "50 %"}],
}


@pytest.mark.parametrize(
    ("months", "cost_minor"),
    [
        (1, 57_600),  # 720 x 0.8, as its documents have it
        (2, 115_200),
        (3, 151_200),  # 3 x 720 x 0.7
        (6, 216_000),  # 6 x 360
    ],
)
def test_7_2_vast_prepaid_months_at_1_an_hour(months: int, cost_minor: int) -> None:
    offer = sold("Vast.ai", {"hour": "1", "month": VAST_MONTH}, currency="USD", billing={"month": "720 h"})
    assert total(offer, run(months * 720), month=months) == cost_minor


def test_7_2_six_months_may_be_cheaper_than_five() -> None:
    """Five at 504 are 2520, six at 360 are 2160."""
    offer = sold("Vast.ai", {"hour": "1", "month": VAST_MONTH}, currency="USD", billing={"month": "720 h"})
    assert cheapest(offer, run(5 * 720)) == ({"month": 6}, 216_000)


def test_7_2_a_year_at_half_the_price_is_cheaper_than_seven_months() -> None:
    """Seven at 720 are 5040, twelve at 360 are 4320; six at 720 are 4320 as well."""
    month = {"amount": "720", "discounts": [{"from": 12, "off": "50 %"}]}
    offer = sold("Vast.ai", {"month": month}, currency="USD")
    assert cheapest(offer, run(7 * 720)) == ({"month": 12}, 432_000)
    assert cheapest(offer, run(5 * 720)) == ({"month": 5}, 360_000)


def test_7_2_a_discount_is_one_of_the_count_that_is_sold() -> None:
    """One, three, six or twelve months: for seven, twelve at 360 are 4320; with hours, six and a month by the hour."""
    month = VAST_MONTH | {"allowed_counts": "1, 3, 6, 12"}
    assert cheapest(sold("Vast.ai", {"month": month}), run(7 * 720)) == ({"month": 12}, 432_000)
    by_the_hour = sold("Vast.ai", {"month": month, "hour": "1"})
    assert cheapest(by_the_hour, run(7 * 720)) == ({"month": 6}, 216_000 + 72_000)


def test_7_3_runpod_sells_plans_of_three_or_six_months() -> None:
    """An example price of 1800 a month, 15 % off from six: four months cost 6 x 1530, three 3 x 1800."""
    month = {"amount": "1800", "allowed_counts": "3, 6", "discounts": [{"from": 6, "off": "15 %"}]}
    offer = sold("RunPod savings plan", {"month": month}, currency="USD")
    assert cheapest(offer, run(90 * 24)) == ({"month": 3}, 540_000)
    assert cheapest(offer, run(91 * 24)) == ({"month": 6}, 918_000)


def test_counts_and_discounts_of_every_part_are_looked_at() -> None:
    """Cards by any number of months, their host by three or six, half price from six."""
    host = {
        "name": "host",
        "per": "node",
        "month": {"amount": "1000", "allowed_counts": "3, 6", "discounts": [{"from": 6, "off": "50 %"}]},
    }
    offer = sold("s", {"month": "100", "components": [host]})
    assert cheapest(offer, run(1)) == ({"month": 3}, 3 * 10_000 + 3 * 100_000)
    assert cheapest(offer, run(4 * 720)) == ({"month": 6}, 6 * 10_000 + 6 * 50_000)
    assert best_prices(tariff(offer, 1), [run(7 * 720)]) == ()
    few = sold("s", {"month": {"amount": "100", "allowed_counts": "1-4"}, "components": [host]})
    assert cheapest(few, run(1)) == ({"month": 3}, 3 * 10_000 + 3 * 100_000)
    assert best_prices(tariff(few, 1), [run(4 * 720)]) == ()


@pytest.mark.parametrize(
    ("seller", "gpus", "hour", "node_minor"),
    [
        ("Lambda", 1, "4.29", 429),
        ("Lambda", 2, "4.19", 838),
        ("Lambda", 4, "4.09", 1636),
        ("Lambda", 8, "3.99", 3192),
        ("RunPod Secure Cloud", 1, "3.99", 399),  # 7.10: two levels of trust are two offers
        ("RunPod Community Cloud", 1, "2.69", 269),
        ("极智算 H200", 8, "13.94", 11_152),
    ],
)
def test_7_7_and_7_10_each_size_is_an_offer_with_a_price_of_its_own(
    seller: str, gpus: int, hour: str, node_minor: int
) -> None:
    assert total(sold(seller, {"hour": hour}, gpus=gpus), run(1)) == node_minor


def test_sixteen_h200_are_two_nodes_of_eight() -> None:
    """223.04 an hour, not the 111.52 of eight."""
    assert total(sold("极智算", {"hour": "13.94"}, gpus=8), run(1), nodes=2) == 22_304


@pytest.mark.parametrize(("nodes", "off_percent"), [(1, 0), (3, 0), (4, 5), (7, 5), (8, 12)])
def test_many_nodes_together_cost_less_each(nodes: int, off_percent: int) -> None:
    """Example steps, off the hour, the month and what stopped hours cost."""
    steps = [{"from": 4, "off": "5 %"}, {"from": 8, "off": "12 %"}]
    offer = sold(
        "s", {"hour": "2", "month": "1000"}, billing={"volume_discounts": steps, "stopped": {"charge": "50 %"}}
    )
    paid = 100 - off_percent
    assert total(offer, run(10), nodes=nodes) == nodes * 20 * paid
    assert total(offer, run(1), nodes=nodes, month=1) == nodes * 1000 * paid
    assert total(offer, run(1), run(1, at=DAY), nodes=nodes) == nodes * (4 + 23) * paid


def test_7_11_coreweave_sells_whole_nodes() -> None:
    """49.24 for the eight cards of a node, not for each."""
    offer = sold("CoreWeave", {"per": "node", "hour": "49.24"}, gpus=8, currency="USD")
    assert invoice(offer, run(10), nodes=2) == [("run", "20", "node-hour", "49.24", 98_480)]


@pytest.mark.parametrize("prices", [{}, {"hour": None}, {"hour": "0"}, {"month": "contact sales"}])
def test_7_14_a_price_on_request_is_no_price_and_never_0(prices: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        sold("on request", prices)


def test_7_14_a_term_on_request_is_not_sold() -> None:
    offer = sold("on request by the month", {"hour": "2"})
    with pytest.raises(ValueError, match="no price for a month"):
        total(offer, run(720), month=1)
    assert cheapest(offer, run(720)) == ({}, 144_000)


def test_a_list_price_before_a_discount_is_not_charged() -> None:
    rate = Rate.model_validate({"amount": "7,920", "before_discount": "9,900"})
    assert rate.charged == 7920


def test_terms_and_hours_that_are_left_are_added_up() -> None:
    """A month is 20 % off: 33 days are the month and three days by the hour, 576 + 72."""
    offer = sold("Vast.ai", {"hour": "1", "month": VAST_MONTH}, billing={"month": "720 h"})
    assert cheapest(offer, run(33 * 24)) == ({"month": 1}, 57_600 + 7_200)
    assert tariff(offer, 1).prepaid_minutes(Bundle.of(month=1)) == 30 * DAY


QUOTA = {"month": {"amount": "600", "included_hours": "100", "overage": "5"}}


def test_7_13_a_month_holds_so_many_hours_and_more_cost_by_the_hour() -> None:
    """130 h in a month that holds 100: 600 + 30 x 5 = 750. In two months, 65 h each, nothing is over."""
    offer = sold("Shadow GPU", QUOTA)
    assert invoice(offer, run(130, per_day=5), month=1) == [
        ("month", "1", "gpu-month", "600", 60_000),
        ("month, beyond its hours", "30", "gpu-hour", "5", 15_000),
    ]
    assert total(offer, run(65, per_day=5), run(65, at=30 * 24 * 60, per_day=5), month=2) == 120_000


def test_7_13_what_a_month_leaves_unused_does_not_pass_to_the_next() -> None:
    """20 h in the first month, 130 in the second: 30 are over, though 150 h are fewer than twice 100."""
    offer = sold("Shadow GPU", QUOTA)
    assert total(offer, run(20), run(130, at=30 * 24 * 60), month=2) == 120_000 + 15_000


def test_7_13_the_quota_is_one_of_each_card_and_its_hours_are_rounded_up() -> None:
    """Two cards, 100 h and a minute by the started hour: 2 x 600 + 2 x 5."""
    offer = sold("Shadow GPU", QUOTA, gpus=2)
    assert total(offer, run(100, minutes=1), month=1) == 120_000 + 1_000


def test_7_13_hours_without_their_price_are_a_fault() -> None:
    with pytest.raises(ValidationError, match="included hours and what more cost"):
        sold("s", {"month": {"amount": "600", "included_hours": "100"}})


def test_7_6_partly_paid_terms_cost_the_same_and_say_what_is_due_at_the_start() -> None:
    """A year for 12,000 with 30 % at once: 3,600 at the start, 700 with each of the twelve months after it."""
    offer = sold("s", {"year": {"amount": "12000", "upfront": "30 %"}})
    rental = Rental(offer, date(2026, 1, 1), date(2027, 1, 1))
    (way,) = [way for way in ways_of_paying(rental)[0] if way.kind is WayKind.TERM]
    assert (way.total_minor, way.upfront_minor) == (1_200_000, 360_000)
    nothing = sold("s", {"year": {"amount": "12000", "upfront": "0 %"}})
    (way,) = ways_of_paying(Rental(nothing, date(2026, 1, 1), date(2027, 1, 1)))[0]
    assert (way.total_minor, way.upfront_minor) == (1_200_000, 0)


def test_7_12_a_balance_to_hold_is_told_and_is_no_cost() -> None:
    """Nebius asks for a first payment of 25 USD."""
    offer = sold("Nebius", {"hour": "3.85"}, currency="USD", commercial={"balance": "25"})
    told = invoice_of(Rental(offer, date(2026, 11, 1), date(2026, 11, 2)))
    assert ("balance", "25 USD") in {(one.rule, one.value) for one in told.notices}
    assert told.ways[0].total == "92.40"  # 24 x 3.85
