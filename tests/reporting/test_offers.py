"""The catalog as a table."""

from typing import Any

from planner.reporting import offers_text
from planner.values.catalog import Catalog, Offer


def offer(name: str, **fields: Any) -> Offer:
    written = {
        "id": name,
        "seller": "卖家",
        "gpu": "H20 96G",
        "gpus_per_node": 2,
        "currency": "CNY",
        "kind": "list",
        "source": "a page",
        "observed": "2026-10-27",
    }
    return Offer.model_validate(written | fields)


CATALOG = Catalog(
    (
        offer("hourly", prices={"per": "gpu", "hour": "6.20", "day": "120", "month": "4464"}),
        offer("node-month", gpus_per_node=8, prices={"per": "node", "month": "7920"}),
        offer("stated", billing={"month": "730 h"}, prices={"per": "gpu", "month": "7300"}),
        offer("market", kind="market_range", prices={"per": "gpu", "hour": {"low": "6", "high": "12"}}),
    ),
    {},
)


def row(name: str) -> str:
    return next(line for line in offers_text(CATALOG, 120).splitlines() if line.startswith(name))


def test_a_price_is_shown_per_gpu_hour_and_per_node_for_every_term() -> None:
    assert row("hourly").split("  ")[-3:] == ["6.20 / 12.40", "5.00 / 240.00", "6.20 / 8,928.00"]


def test_a_node_price_is_divided_by_its_cards_and_its_hours() -> None:
    assert "1.375 / 7,920.00" in row("node-month")


def test_a_term_that_is_not_sold_is_a_dash_and_never_zero() -> None:
    assert row("node-month").split()[:7] == ["node-month", "H20", "96G", "8", "-", "-", "1.375"]
    assert "0.00" not in row("node-month").split("/")[0]


def test_a_market_range_shows_both_ends() -> None:
    assert "6.00 to 12.00 / 12.00 to 24.00" in row("market")
    assert "ranges of the market, which nobody can order" in offers_text(CATALOG, 200)


def test_the_month_rule_is_said() -> None:
    text = offers_text(CATALOG, 200)
    assert "a month counts 720.0 h, an assumption" in text
    assert "a month counts 730.0 h, as the seller states" in text
    assert "10.00 / 14,600.00" in row("stated")


def test_an_empty_catalog_says_so() -> None:
    assert offers_text(Catalog((), {})) == "The catalog has no offers.\n"
