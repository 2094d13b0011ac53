"""The gate before planning, each doubt worked out by hand; sources are the public threads that the faults come from."""

from datetime import date
from typing import Any

import pytest

from planner.auditing import doubts_of
from planner.reading import read_catalog, shipped_folder
from planner.values.audit import Doubt
from planner.values.catalog import Catalog, Offer

GPUS = read_catalog([shipped_folder("catalogs") / "gpus.yaml"]).gpus
DAY = date(2026, 11, 2)


def offer(name: str, hour: str, **fields: Any) -> Offer:
    """One H100 node of eight by the hour, priced per card, unless said otherwise."""
    written = {
        "id": name, "seller": "s", "gpu": "H100", "gpus_per_node": 8, "currency": "USD", "kind": "list",
        "source": "a page", "observed": "2026-11-01", "prices": {"per": "gpu", "hour": hour},
    }  # fmt: skip
    return Offer.model_validate(written | fields)


def doubts(*offers: Offer, old_days: int = 90) -> list[tuple[str, str, str, str]]:
    found = doubts_of(Catalog(offers, GPUS), DAY, old_days)
    return [(one.offer, one.rule, one.found, one.expected) for one in found]


def errors(*offers: Offer) -> set[str]:
    return {one.rule for one in doubts_of(Catalog(offers, GPUS), DAY) if one.is_error}


def test_a_catalog_without_fault_raises_no_doubt() -> None:
    assert doubts(offer("a", "3.00"), offer("b", "3.10", gpus_per_node=1)) == []


def test_nvlink_on_a_card_that_has_none_is_an_error() -> None:
    link = {"kind": "NVLink"}
    assert doubts(offer("a", "0.5", gpu="RTX 4090", intra_link=link)) == [("a", "no_such_link", "NVLink", "RTX 4090")]
    assert doubts(offer("a", "3", gpu="H100 SXM", intra_link=link)) == []


def test_an_interruptible_price_above_the_one_on_demand_is_an_error() -> None:
    """A column was filled with another one: github.com/skypilot-org/skypilot, catalogs with swapped prices."""
    pair = offer("a", "3.00"), offer("a-spot", "3.20", spot=True)
    assert doubts(*pair) == [("a-spot", "spot_above_on_demand", "3.2", "3")]
    assert errors(*pair) == {"spot_above_on_demand"}
    assert doubts(offer("a", "3.00"), offer("a-spot", "3.00", spot=True)) == []


def test_among_machines_of_one_card_the_dearest_on_demand_counts() -> None:
    """A machine with more cores may cost more interruptible than the smallest one on demand."""
    machines = offer("small", "0.53"), offer("large", "4.00", cpu_cores=64), offer("large-spot", "1.20", spot=True)
    assert "spot_above_on_demand" not in errors(*machines)


@pytest.mark.parametrize(("eight", "is_error"), [("24.00", True), ("24.60", True), ("3.40", False), ("12.00", False)])
def test_a_nodes_price_among_prices_of_cards(eight: str, *, is_error: bool) -> None:
    """On demand rows for eight cards beside rows for one: 24 a card is eight times 3."""
    assert ("unit_mismatch" in errors(offer("one", "3.00", gpus_per_node=1), offer("eight", eight))) is is_error


def test_twice_the_price_per_card_is_asked_about_and_no_error() -> None:
    two = offer("two", "6.00", gpus_per_node=2)
    assert doubts(offer("one", "3.00", gpus_per_node=1), two) == [("two", "unit_mismatch", "6", "3")]
    assert errors(offer("one", "3.00", gpus_per_node=1), two) == set()


def test_a_price_far_from_the_median_of_its_card() -> None:
    """0.81 of a median of 3.00 is 27 %."""
    usual = [offer(f"o{n}", "3.00", seller=f"s{n}") for n in range(5)]
    assert doubts(*usual, offer("cheap", "0.81", seller="x")) == [("cheap", "price_out_of_band", "27 %", "3")]
    assert doubts(*usual[:3], offer("cheap", "0.81", seller="x")) == []
    assert doubts(*usual, offer("other", "0.81", seller="x", currency="EUR")) == []


def test_the_same_offer_twice() -> None:
    twice = offer("a", "3.00"), offer("b", "3.00", note="copied"), offer("c", "3.00", place={"city": "X"})
    assert doubts(*twice) == [("b", "offer_twice", "a", "")]


def test_old_prices_and_quotes_that_are_over() -> None:
    quote = {"kind": "quote", "quote_number": "1", "valid_until": "2026-11-01"}
    assert doubts(offer("a", "3", **quote)) == [("a", "quote_expired", "2026-11-01", "2026-11-02")]
    assert doubts(offer("a", "3", observed="2026-08-01")) == [("a", "price_old", "93", "90")]
    assert doubts(offer("a", "3", observed="2026-08-01"), old_days=93) == []


def test_a_month_counts_by_the_hour_where_no_hour_is_sold() -> None:
    """720 h: 21,600 a month is 30 an hour, eight times 3.75."""
    month = offer("m", "1", prices={"per": "gpu", "month": "21600"})
    found = doubts_of(Catalog((offer("one", "3.75", gpus_per_node=1), month), GPUS), DAY)
    assert found == (Doubt("m", "unit_mismatch", "30", "3.75", is_error=True),)
