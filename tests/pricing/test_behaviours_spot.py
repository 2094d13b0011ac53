"""Interruptible capacity: an offer of its own, with a price of its own."""

import pytest

from planner.values.billing import Spot
from tests.pricing.invoices import run, sold, total


@pytest.mark.parametrize(
    ("seller", "per", "gpus", "on_demand", "spot", "spot_minor"),
    [
        ("Hyperstack H100 PCIe", "gpu", 1, "2.50", "2.00", 20_000),  # 20 % off
        ("CoreWeave HGX H100", "node", 8, "49.24", "19.71", 197_100),  # 60 % off
        ("GCP a3-highgpu-8g", "node", 8, "89.00", "35.87358", 358_736),  # its price on demand is an example
    ],
)
def test_8_4_a_fixed_price_below_the_one_on_demand(
    seller: str, per: str, gpus: int, on_demand: str, spot: str, spot_minor: int
) -> None:
    """A hundred hours."""
    terms = {"spot_terms": {"model": "fixed"}}
    cheap = sold(seller, {"per": per, "hour": spot}, gpus=gpus, currency="USD", spot=True, billing=terms)
    dear = sold(seller, {"per": per, "hour": on_demand}, gpus=gpus, currency="USD")
    assert total(cheap, run(100)) == spot_minor < total(dear, run(100))
    assert (cheap.spot, dear.spot) == (True, False)


def test_8_5_ucloud_takes_its_discount_off_the_computing_alone() -> None:
    """30 % of an example price of 10 for the cards; 0.50 for address and disk stays: 100 h are 300.00 and 50.00."""
    full_price = {"name": "EIP and disk", "per": "node", "hour": "0.50"}
    offer = sold("UCloud 抢占式", {"hour": "3.00", "components": [full_price]}, spot=True)
    assert total(offer, run(100)) == 30_000 + 5_000


def test_8_6_a_shape_that_is_sold_as_spot_alone_is_one_offer() -> None:
    """GCP's a3-highgpu-1g at 6.571, an hour and a half by the minute: 9.8565."""
    offer = sold("GCP", {"per": "node", "hour": "6.571"}, spot=True, currency="USD", billing={"increment": "1 min"})
    assert total(offer, run(1, minutes=30)) == 986


@pytest.mark.parametrize(
    ("seller", "said", "notice", "guaranteed"),
    [
        ("Vast.ai, TensorDock", {"model": "bid"}, None, None),  # 8.1
        ("UCloud 抢占式", {"model": "floating", "notice": "30 min", "guaranteed": "1 h"}, 30, 60),  # 8.2
        ("Nebius, Verda", {"model": "floating"}, None, None),  # 8.3
    ],
)
def test_8_1_to_8_3_how_it_is_taken_away_is_recorded_and_changes_no_price(
    seller: str, said: dict[str, str], notice: int | None, guaranteed: int | None
) -> None:
    spot = Spot.model_validate(said)
    assert (spot.notice_minutes, spot.guaranteed_minutes) == (notice, guaranteed)
    assert total(sold(seller, {"hour": "1"}, spot=True, billing={"spot_terms": said}), run(10)) == 1000
