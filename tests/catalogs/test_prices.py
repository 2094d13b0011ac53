"""The prices as the articles state them, listed by hand beside the catalog."""

from decimal import Decimal

import pytest

from planner.values.billing import Rate
from planner.values.catalog import Offer, PriceKind

# offer, whose price, hour, month
PRICES = [
    ("jygpu-4090-24g-x8", "node", None, "7920"),
    ("julisuanli-910b-64g-x1", "gpu", None, "2139"),
    ("julisuanli-910b-64g-x2", "gpu", None, "2139"),
    ("julisuanli-h20-96g-x1", "gpu", None, "4464"),
    ("julisuanli-h800-80g-x4", "node", None, "39972"),
    *(
        (f"{line}-x{count}", "gpu", hour, month)
        for line, hour, month in (
            ("jizhisuan-h20-96g", "6.20", "4464"),
            ("jizhisuan-h200-141g", "13.94", "10036"),
            ("jizhisuan-4090-24g", "1.57", "1073"),
            ("jizhisuan-4090-48g", "2.86", "1956"),
        )
        for count in (1, 2, 4, 8)
    ),
]
RANGES = [
    ("chengdu-4090-24g-x1", "6", "12"),
    ("chengdu-4090-24g-x2", "6", "12"),
    ("chengdu-a100-40g-x1", "12", "20"),
    ("chengdu-a100-80g-x1", "18", "35"),
    ("chengdu-a100-80g-x2", "18", "35"),
    ("chengdu-a100-80g-x4", "18", "35"),
    ("chengdu-a100-80g-x8", "18", "35"),
    ("chengdu-h100-80g-x8", "40", "80"),
]
EXAMPLES = ["example-h200-141g-x8-ib400", "example-h20-96g-x8-ib400"]


def _amount(rate: Rate | None) -> str | None:
    return None if rate is None else str(rate.amount)


@pytest.mark.parametrize(("offer_id", "per", "hour", "month"), PRICES)
def test_price_is_the_articles(offers: dict[str, Offer], offer_id: str, per: str, hour: str, month: str) -> None:
    prices = offers[offer_id].prices
    assert (prices.per, _amount(prices.hour), _amount(prices.day), _amount(prices.month)) == (
        per,
        hour,
        None,
        month,
    )
    assert offers[offer_id].currency == "CNY"
    assert offers[offer_id].kind is PriceKind.LIST


@pytest.mark.parametrize(("offer_id", "low", "high"), RANGES)
def test_range_is_the_articles(offers: dict[str, Offer], offer_id: str, low: str, high: str) -> None:
    prices = offers[offer_id].prices
    assert prices.hour is not None
    assert (prices.per, str(prices.hour.low), str(prices.hour.high)) == ("gpu", low, high)
    assert prices.hour.charged == Decimal(high)
    assert (prices.day, prices.month) == (None, None)
    assert offers[offer_id].kind is PriceKind.MARKET_RANGE


def test_every_offer_is_listed_here(offers: dict[str, Offer]) -> None:
    assert sorted(offers) == sorted([row[0] for row in PRICES] + [row[0] for row in RANGES] + EXAMPLES)


def test_list_price_before_discount_is_recorded(offers: dict[str, Offer]) -> None:
    month = offers["jygpu-4090-24g-x8"].prices.month
    assert month is not None
    assert month.before_discount == Decimal(9900)


def test_sums_of_the_articles(offers: dict[str, Offer]) -> None:
    def hourly(offer_id: str, nodes: int = 1) -> Decimal:
        rate = offers[offer_id].prices.hour
        assert rate is not None
        return rate.charged * offers[offer_id].priced_units * nodes

    assert hourly("jizhisuan-h20-96g-x2") == Decimal("12.40")
    assert hourly("jizhisuan-4090-24g-x8") == Decimal("12.56")
    assert hourly("jizhisuan-h20-96g-x4") == Decimal("24.80")
    assert hourly("jizhisuan-h200-141g-x2") == Decimal("27.88")
    assert hourly("jizhisuan-h200-141g-x8") == Decimal("111.52")
    assert hourly("example-h200-141g-x8-ib400", nodes=2) == Decimal("223.04")


def test_a_month_of_h20_saves_nothing_and_of_h200_eighty_fen(offers: dict[str, Offer]) -> None:
    def saved(offer_id: str) -> Decimal:
        prices = offers[offer_id].prices
        assert prices.hour is not None
        assert prices.month is not None
        return prices.hour.charged * 720 - prices.month.charged

    assert saved("jizhisuan-h20-96g-x1") == Decimal(0)
    assert saved("jizhisuan-h200-141g-x1") == Decimal("0.80")
    assert saved("jizhisuan-4090-24g-x1") == Decimal("57.40")
    assert saved("jizhisuan-4090-48g-x1") == Decimal("103.20")
