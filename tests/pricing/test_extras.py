"""What comes on top of machine hours, worked out by hand as the sellers would.

Sellers' prices are those they published in 2026. Where a seller publishes none, or it was not at hand, the test says
that its price is an example; the way of charging is the seller's all the same.
"""

from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from math import floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from planner.pricing.extras import decimal_of, fee_charges, storage_charges, traffic_charges
from planner.values.extras import Fee, StoragePrice, Traffic
from planner.values.lease import Charge
from planner.values.money import to_minor

GB = 10**9
TB = 10**12
HOUR = 60
DAY = 24 * HOUR
MONTH = 30 * DAY


def fee(**fields: str) -> Fee:
    return Fee.model_validate(fields)


def storage(**fields: Any) -> StoragePrice:
    return StoragePrice.model_validate({"per": "month"} | fields)


def traffic(**fields: Any) -> Traffic:
    return Traffic.model_validate({"both_ways": False} | fields)


def lines(charges: tuple[Charge, ...]) -> list[tuple[str, str, str, str, int]]:
    """Every charge, its decimals as they are shown."""
    return [(c.what, f"{c.quantity:f}", c.unit, f"{c.unit_price:f}", c.cost_minor) for c in charges]


def total_minor(charges: tuple[Charge, ...]) -> int:
    return sum(charge.cost_minor for charge in charges)


# Storage


def test_runpod_pod_disk_is_metered_to_the_minute_and_its_network_volume_by_the_begun_hour() -> None:
    """90 minutes of a month of 720 h: 1.5/720 for the disk, 2/720 for the volume.

    Disk: 1000 GB x 1.5/720 x 0.10 = 0.2083. Volume: 1000 GB x 2/720 x 0.07 = 0.1944.
    RunPod meters the disk to the second; a plan has whole minutes.
    """
    disk = storage_charges(storage(price="0.10"), 1000 * GB, 90, 0, MONTH, "USD")
    volume = storage_charges(storage(price="0.07", increment="1 h"), 1000 * GB, 90, 0, MONTH, "USD")
    assert lines(disk) == [("storage", "2.083333", "gb-month", "0.10", 21)]
    assert lines(volume) == [("storage", "2.777778", "gb-month", "0.07", 19)]


def test_runpod_network_volume_costs_less_above_a_terabyte_and_only_above_it() -> None:
    """1500 GB for a month: 1000 x 0.07 = 70.00 and 500 x 0.05 = 25.00, not 1500 x 0.05 = 75.00."""
    price = storage(tiers=({"from": "0 GB", "price": "0.07"}, {"from": "1 TB", "price": "0.05"}))
    assert lines(storage_charges(price, 1500 * GB, MONTH, 0, MONTH, "USD")) == [
        ("storage", "1000", "gb-month", "0.07", 7_000),
        ("storage", "500", "gb-month", "0.05", 2_500),
    ]


def test_runpod_volume_disk_costs_twice_as_much_while_stopped() -> None:
    """500 GB, 10 of 30 days stopped: 500/3 x 0.20 = 33.33; the 20 days running: 1000/3 x 0.10 = 33.33 as well."""
    price = storage(price="0.10", stopped_factor="2")
    assert lines(storage_charges(price, 500 * GB, 20 * DAY, 10 * DAY, MONTH, "USD")) == [
        ("storage", "333.333333", "gb-month", "0.10", 3_333),
        ("storage_stopped", "166.666667", "gb-month", "0.20", 3_333),
    ]
    only_stopped = storage_charges(price, 500 * GB, 0, 10 * DAY, MONTH, "USD")
    assert [(c.what, c.cost_minor) for c in only_stopped] == [("storage_stopped", 3_333)]


def test_runpod_container_disk_is_erased_and_free_while_stopped() -> None:
    price = storage(price="0.10", stopped_factor="0")
    charges = storage_charges(price, 100 * GB, MONTH, MONTH, MONTH, "USD")
    assert [(c.what, c.unit_price, c.cost_minor) for c in charges] == [
        ("storage", Decimal("0.10"), 1_000),
        ("storage_stopped", Decimal(0), 0),
    ]


def test_where_nothing_is_said_of_stopping_a_stopped_month_costs_as_much_as_a_running_one() -> None:
    """Lambda's file system goes on at 0.20 a GB-month while no machine runs: 100 GB for a month are 20.00."""
    charges = storage_charges(storage(price="0.20"), 100 * GB, 10 * DAY, 20 * DAY, MONTH, "USD")
    assert lines(charges) == [("storage", "100", "gb-month", "0.20", 2_000)]


def test_spacehpc_data_disk_is_settled_each_midnight_on_or_off() -> None:
    """36 hours are two started days: 100 GB x 2/30 x 0.45 = 3.00 (the price is an example).

    10 hours running and 26 stopped are the same two days, not one and two.
    """
    price = storage(price="0.45", increment="1 day")
    on = storage_charges(price, 100 * GB, 36 * HOUR, 0, MONTH, "CNY")
    on_and_off = storage_charges(price, 100 * GB, 10 * HOUR, 26 * HOUR, MONTH, "CNY")
    assert on == on_and_off
    assert total_minor(on) == 300


def test_ucloud_custom_image_costs_a_thirtieth_of_the_month_a_day() -> None:
    """50 GB at 0.20 a GB-month, a day and a minute: 50 x 2/30 x 0.20 = 0.6667."""
    price = storage(price="0.20", increment="1 day")
    assert total_minor(storage_charges(price, 50 * GB, DAY + 1, 0, MONTH, "CNY")) == 67


def test_time_in_two_prices_is_rounded_up_once_for_each() -> None:
    """Ninety minutes running and ninety stopped are two hours of each: 720 GB x 2/720 at 1.00, and at 2.00."""
    price = storage(price="1.00", increment="1 h", stopped_factor="2")
    charges = storage_charges(price, 720 * GB, 90, 90, MONTH, "USD")
    assert lines(charges) == [
        ("storage", "2", "gb-month", "1.00", 200),
        ("storage_stopped", "2", "gb-month", "2.00", 400),
    ]


def test_ucloud_system_disk_is_free_up_to_40_gb_and_costs_per_gb_above() -> None:
    """100 GB of local disk for a month: 40 free, 60 x 0.40 = 24.00. At 40 GB nothing is paid."""
    price = storage(price="0.40", free="40 GB")
    assert lines(storage_charges(price, 100 * GB, MONTH, 0, MONTH, "CNY")) == [
        ("storage", "40", "gb-month", "0", 0),
        ("storage", "60", "gb-month", "0.40", 2_400),
    ]
    assert lines(storage_charges(price, 40 * GB, MONTH, 0, MONTH, "CNY")) == [("storage", "40", "gb-month", "0", 0)]


def test_a_quota_is_as_free_while_stopped_and_only_the_rest_is_dearer() -> None:
    """算力自由 gives 100 GB of data disk; 150 GB for a month, half of it stopped at twice an example price of 0.60.

    Running: 50 x 1/2 x 0.60 = 15.00. Stopped: 50 x 1/2 x 1.20 = 30.00.
    """
    price = storage(price="0.60", free="100 GB", stopped_factor="2")
    charges = storage_charges(price, 150 * GB, 15 * DAY, 15 * DAY, MONTH, "CNY")
    assert lines(charges) == [
        ("storage", "50", "gb-month", "0", 0),
        ("storage", "25", "gb-month", "0.60", 1_500),
        ("storage_stopped", "50", "gb-month", "0", 0),
        ("storage_stopped", "25", "gb-month", "1.20", 3_000),
    ]


def test_fpt_bills_storage_by_the_gb_hour_beside_the_card() -> None:
    """Half an hour: 1000 GB x 0.5 h x 0.00013 = 0.065 beside 2.31 x 0.5 = 1.155; together 1.22 before rounding.

    Each charge is rounded once, half up: 0.065 to 0.07, 1.155 to 1.16. So the two lines add up to 1.23, a cent
    above the 1.22 that rounding their sum would give. FPT's own page rounds 1.155 to 1.16 as well, and then works out
    1000 x 0.00013 x 0.5 as 0.0015, which is a slip of the pen: it is 0.065.
    """
    price = storage(price="0.00013", per="hour")
    charges = storage_charges(price, 1000 * GB, 30, 0, MONTH, "USD")
    assert lines(charges) == [("storage", "500", "gb-hour", "0.00013", 7)]
    card = Fraction("2.31") * Fraction(30, HOUR)
    kept = 500 * Fraction("0.00013")
    assert (card, kept, card + kept) == (Fraction("1.155"), Fraction("0.065"), Fraction("1.22"))
    assert to_minor(card, "USD") + total_minor(charges) == 116 + 7
    assert to_minor(card + kept, "USD") == 122


def test_hyperstack_writes_a_price_of_a_gb_hour_with_an_exponent() -> None:
    """1000 GB x 720 h x 0.000096774 = 69.67728."""
    price = storage(price="9.6774e-05", per="hour")
    assert total_minor(storage_charges(price, 1000 * GB, MONTH, 0, MONTH, "USD")) == 6_968


def test_a_month_is_as_long_as_the_seller_says() -> None:
    """100 GB at 0.20 for 720 h: a month of 730 h is not full, 100 x 720/730 x 0.20 = 19.726."""
    price = storage(price="0.20")
    assert total_minor(storage_charges(price, 100 * GB, 720 * HOUR, 0, 730 * HOUR, "USD")) == 1_973


def test_nothing_kept_or_no_time_costs_nothing_and_shows_nothing() -> None:
    assert storage_charges(storage(price="0.10"), 0, MONTH, 0, MONTH, "USD") == ()
    assert storage_charges(storage(price="0.10"), GB, 0, 0, MONTH, "USD") == ()


def test_yen_have_no_minor_unit() -> None:
    """100 GB x 15 a GB-month, half a month: 750 yen, and no sen."""
    assert total_minor(storage_charges(storage(price="15"), 100 * GB, 15 * DAY, 0, MONTH, "JPY")) == 750


# Traffic

AWS = (
    {"from": "0 GB", "price": "0"},
    {"from": "100 GB", "price": "0.09"},
    {"from": "10 TB", "price": "0.085"},
    {"from": "50 TB", "price": "0.07"},
    {"from": "150 TB", "price": "0.05"},
)


def test_aws_gives_100_gb_a_month_and_gets_cheaper_in_three_steps() -> None:
    """200 TB in a month: 9900 x 0.09 = 891, 40000 x 0.085 = 3400, 100000 x 0.07 = 7000, 50000 x 0.05 = 2500."""
    charges = traffic_charges(traffic(tiers=AWS, resets="month"), 200 * TB, 0, "USD")
    assert lines(charges) == [
        ("traffic", "100", "gb", "0", 0),
        ("traffic", "9900", "gb", "0.09", 89_100),
        ("traffic", "40000", "gb", "0.085", 340_000),
        ("traffic", "100000", "gb", "0.07", 700_000),
        ("traffic", "50000", "gb", "0.05", 250_000),
    ]
    assert total_minor(charges) == 1_379_100


def test_aws_starts_counting_anew_each_month() -> None:
    """450 GB over three months are 150 a month: 3 x 100 free, 3 x 50 x 0.09 = 13.50.

    Were the count never reset, 350 x 0.09 = 31.50.
    """
    monthly, never = (traffic(tiers=AWS, resets=resets) for resets in ("month", "never"))
    assert lines(traffic_charges(monthly, 450 * GB, 0, "USD", months=3)) == [
        ("traffic", "300", "gb", "0", 0),
        ("traffic", "150", "gb", "0.09", 1_350),
    ]
    assert total_minor(traffic_charges(never, 450 * GB, 0, "USD", months=3)) == 3_150


def test_oci_gives_10_tb_a_month() -> None:
    """12 TB: 2000 x 0.0085 = 17.00; 10 TB: nothing."""
    price = traffic(tiers=({"from": "0 GB", "price": "0"}, {"from": "10 TB", "price": "0.0085"}), resets="month")
    assert total_minor(traffic_charges(price, 12 * TB, 0, "USD")) == 1_700
    assert lines(traffic_charges(price, 10 * TB, 0, "USD")) == [("traffic", "10000", "gb", "0", 0)]


def test_gcp_has_tiers_without_a_free_band() -> None:
    """1500 GB: 1000 x 0.12 + 500 x 0.11 = 175.00."""
    tiers = (
        {"from": "0 GB", "price": "0.12"},
        {"from": "1000 GB", "price": "0.11"},
        {"from": "10 TB", "price": "0.08"},
    )
    assert total_minor(traffic_charges(traffic(tiers=tiers, resets="month"), 1500 * GB, 0, "USD")) == 17_500


def test_runpod_lambda_and_coreweave_ask_nothing_and_the_bill_says_so() -> None:
    charges = traffic_charges(traffic(flat="0", both_ways=True), 3 * TB, TB, "USD")
    assert lines(charges) == [("traffic", "4000", "gb", "0", 0)]


def test_vast_bills_every_byte_both_ways_at_the_price_of_the_host() -> None:
    """100 GB sent and 50 received at an example price of 0.02: 3.00; one that bills what is sent alone takes 2.00."""
    both, sent = (traffic(flat="0.02", both_ways=both_ways) for both_ways in (True, False))
    assert lines(traffic_charges(both, 100 * GB, 50 * GB, "USD")) == [("traffic", "150", "gb", "0.02", 300)]
    assert total_minor(traffic_charges(sent, 100 * GB, 50 * GB, "USD")) == 200


def test_both_ways_fill_the_same_bands() -> None:
    """60 GB sent and 60 received at AWS's tiers, were they to count both ways: 120 - 100 = 20 x 0.09 = 1.80."""
    price = traffic(tiers=AWS, resets="month", both_ways=True)
    assert total_minor(traffic_charges(price, 60 * GB, 60 * GB, "USD")) == 180


def test_no_traffic_is_no_line_and_no_month_is_an_error() -> None:
    assert traffic_charges(traffic(flat="0.02"), 0, 5 * GB, "USD") == ()
    with pytest.raises(ValueError, match="0 months of traffic"):
        traffic_charges(traffic(flat="0.02"), GB, 0, "USD", months=0)


# Fees


def test_ucloud_fixed_bandwidth_is_a_fee_by_the_month() -> None:
    """An address with a fixed Mb/s, at an example price of 300 a month for each node: 2 x 1/2 x 300 = 300.00."""
    one = fee(name="EIP 10 Mb/s", amount="300", per="month")
    assert lines(fee_charges([one], 2, 15 * DAY, MONTH, "CNY")) == [("EIP 10 Mb/s", "1", "node-month", "300", 30_000)]


def test_coreweave_public_address_by_the_month() -> None:
    """4 USD a month, 2 nodes, 45 days: 2 x 1.5 x 4 = 12.00."""
    charges = fee_charges([fee(name="public IP", amount="4", per="month")], 2, 45 * DAY, MONTH, "USD")
    assert lines(charges) == [("public IP", "3", "node-month", "4", 1_200)]


@pytest.mark.parametrize(
    ("seller", "amount", "hours", "cost_minor"),
    [
        ("AWS", "0.005", 720, 360),  # 720 x 0.005 = 3.60
        ("Hyperstack", "0.00672043", 744, 500),  # 744 x 0.00672043 = 4.99999992, which is 5.00 for 31 days
    ],
)
def test_public_address_by_the_hour(seller: str, amount: str, hours: int, cost_minor: int) -> None:
    charges = fee_charges([fee(name=seller, amount=amount, per="hour")], 1, hours * HOUR, MONTH, "USD")
    assert (total_minor(charges), charges[0].unit) == (cost_minor, "node-hour")


def test_nebius_public_address_is_free_and_the_bill_says_so() -> None:
    charges = fee_charges([fee(name="public IP", amount="0", per="month")], 1, MONTH, MONTH, "USD")
    assert [(c.what, c.cost_minor) for c in charges] == [("public IP", 0)]


def test_coreweave_sets_up_an_address_of_ones_own_once() -> None:
    """4 USD once for each node's address, however long the lease is: 3 x 4 = 12.00."""
    one = fee(name="bring your own IP", amount="4", per="once")
    assert lines(fee_charges([one], 3, 10, MONTH, "USD")) == [("bring your own IP", "3", "node", "4", 1_200)]
    assert fee_charges([one], 3, 12 * MONTH, MONTH, "USD") == fee_charges([one], 3, 10, MONTH, "USD")


def test_crusoe_platform_fee_is_by_the_cluster_not_by_the_node() -> None:
    """0.10 a cluster-hour, 8 nodes, 100 h: 10.00, not 80.00."""
    one = fee(name="managed Kubernetes", amount="0.10", per="hour", of="lease")
    charges = fee_charges([one], 8, 100 * HOUR, MONTH, "USD")
    assert lines(charges) == [("managed Kubernetes", "100", "lease-hour", "0.10", 1_000)]


def test_every_fee_is_a_line_of_its_own_rounded_once() -> None:
    """20 minutes: a third of 0.05 an hour is 0.0167, 1/72 of 1.00 a day is 0.0139; 0.02 + 0.01 = 0.03."""
    fees = [fee(name="image", amount="0.05", per="hour"), fee(name="licence", amount="1.00", per="day")]
    assert lines(fee_charges(fees, 1, 20, MONTH, "USD")) == [
        ("image", "0.333333", "node-hour", "0.05", 2),
        ("licence", "0.013889", "node-day", "1.00", 1),
    ]


def test_no_time_costs_only_what_is_paid_once() -> None:
    fees = [fee(name="image", amount="0.05", per="hour"), fee(name="set-up", amount="4", per="once", of="lease")]
    assert lines(fee_charges(fees, 2, 0, MONTH, "USD")) == [("set-up", "1", "lease", "4", 400)]


# What may be written

BANDS = ({"from": "0 GB", "price": "1"}, {"from": "10 GB", "price": "2"})


@pytest.mark.parametrize(
    "fields",
    [
        {"tiers": BANDS[1:], "resets": "month"},
        {"tiers": BANDS[::-1], "resets": "month"},
        {"tiers": (BANDS[0], BANDS[1], BANDS[1]), "resets": "month"},
    ],
)
def test_tiers_ascend_from_zero(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as raised:
        traffic(**fields)
    assert [(e["type"], e["ctx"]) for e in raised.value.errors()] == [
        ("rate", {"expected": "tiers that ascend from 0 GB"})
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"flat": "1", "tiers": BANDS, "resets": "month"},
        {"flat": "1", "resets": "month"},
        {"tiers": BANDS},  # not said whether the free band comes back each month: not known, so no price
    ],
)
def test_traffic_has_one_price_or_tiers_that_say_when_they_reset(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as raised:
        traffic(**fields)
    assert [(e["type"], e["ctx"]) for e in raised.value.errors()] == [
        ("rate", {"expected": "flat | tiers with resets"})
    ]


@pytest.mark.parametrize("fields", [{}, {"price": "1", "tiers": BANDS}, {"tiers": BANDS, "free": "1 GB"}])
def test_storage_has_one_price_or_tiers(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as raised:
        storage(**fields)
    assert [(e["type"], e["ctx"]) for e in raised.value.errors()] == [
        ("rate", {"expected": "price | price with free | tiers"})
    ]


@pytest.mark.parametrize(
    ("model", "fields", "missing"),
    [
        (Fee, {"name": "IP", "per": "hour"}, "amount"),
        (Fee, {"name": "IP", "amount": "1"}, "per"),
        (Traffic, {"flat": "1"}, "both_ways"),
        (StoragePrice, {"price": "1"}, "per"),
    ],
)
def test_what_is_missing_is_not_guessed(model: type[Fee], fields: dict[str, str], missing: str) -> None:
    with pytest.raises(ValidationError) as raised:
        model.model_validate(fields)
    assert [(e["type"], e["loc"]) for e in raised.value.errors()] == [("missing", (missing,))]


@pytest.mark.parametrize(
    "value",
    [
        fee(name="IP", amount="0.00672043", per="hour", of="lease"),
        traffic(tiers=AWS, resets="month"),
        storage(price="9.6774e-05", free="40 GB", per="hour", increment="1 day", stopped_factor="2"),
    ],
)
def test_what_is_written_back_reads_the_same(value: Fee | Traffic | StoragePrice) -> None:
    assert type(value).model_validate_json(value.model_dump_json(by_alias=True, exclude_none=True)) == value


# Properties

# Up to 10**9 with ten decimals: 19 digits, more than a float holds.
prices = st.integers(0, 10**19).map(lambda digits: Decimal(digits).scaleb(-10))
factors = st.integers(0, 10**4).map(lambda digits: Decimal(digits).scaleb(-3))


@st.composite
def tiers(draw: st.DrawFn, unit_bytes: int = 1, most: int = 10**15) -> list[dict[str, Any]]:
    """Up to five bands that start at whole units."""
    widths = draw(st.lists(st.integers(1, most), max_size=4))
    starts = accumulate(widths, initial=0)
    return [{"from": start * unit_bytes, "price": draw(prices)} for start in starts]


sizes = st.integers(0, 5 * 10**15)
spans = st.integers(0, 50_000)
months_minutes = st.sampled_from([MONTH, 730 * HOUR, 744 * HOUR])


def exact(charges: tuple[Charge, ...]) -> Fraction:
    """What the charges would come to without rounding; for quantities that decimals hold."""
    return sum((Fraction(c.quantity) * Fraction(c.unit_price) for c in charges), Fraction(0))


def half_up(amount: Fraction) -> int:
    return floor(amount * 100 + Fraction(1, 2))


@given(tiers(), sizes, st.integers(1, 10**13))
def test_more_bytes_never_cost_less(bands: list[dict[str, Any]], size: int, more: int) -> None:
    price = traffic(tiers=bands, resets="never")
    assert total_minor(traffic_charges(price, size, 0, "USD")) <= total_minor(
        traffic_charges(price, size + more, 0, "USD")
    )
    kept = storage(tiers=bands)
    assert total_minor(storage_charges(kept, size, MONTH, 0, MONTH, "USD")) <= total_minor(
        storage_charges(kept, size + more, MONTH, 0, MONTH, "USD")
    )


@given(tiers(), st.data())
def test_no_tier_begins_with_a_jump(bands: list[dict[str, Any]], data: st.DataObject) -> None:
    """One byte more costs what a byte of its own band costs, exactly, also where a band begins."""
    edges = [band["from"] for band in bands]
    size = data.draw(st.sampled_from(edges) | sizes)
    price = traffic(tiers=bands, resets="never")
    step = exact(traffic_charges(price, size + 1, 0, "USD")) - exact(traffic_charges(price, size, 0, "USD"))
    own = [band["price"] for band in bands if band["from"] <= size][-1]
    assert step == Fraction(own) / GB


@given(tiers(GB, 20), st.integers(0, 60), st.integers(0, 40))
def test_gb_by_gb_comes_to_the_same(bands: list[dict[str, Any]], sent_gb: int, received_gb: int) -> None:
    """A plain loop over every GB, each at the price of the band that it lies in; a band is rounded once."""
    costs = [Fraction(0) for _ in bands]
    for gb in range(sent_gb + received_gb):
        own = max(i for i, band in enumerate(bands) if band["from"] <= gb * GB)
        costs[own] += Fraction(bands[own]["price"])
    price = traffic(tiers=bands, resets="never", both_ways=True)
    charges = traffic_charges(price, sent_gb * GB, received_gb * GB, "USD")
    assert total_minor(charges) == sum(half_up(cost) for cost in costs)


@given(prices, st.integers(0, 40), st.integers(0, 60), spans, spans, factors, months_minutes)
def test_a_quota_gb_by_gb_comes_to_the_same(
    amount: Decimal, free_gb: int, gb: int, run: int, stopped: int, factor: Decimal, month: int
) -> None:
    price = storage(price=amount, free=free_gb * GB, stopped_factor=factor)
    paid_gb = sum(1 for i in range(gb) if i >= free_gb)
    monthly = paid_gb * Fraction(amount) / month
    parts = [run * monthly, stopped * monthly * Fraction(factor)] if factor != 1 else [(run + stopped) * monthly]
    charges = storage_charges(price, gb * GB, run, stopped, month, "USD")
    assert total_minor(charges) == sum(half_up(part) for part in parts)


@given(tiers(), sizes, st.integers(1, 24))
def test_months_one_by_one_add_up_to_the_whole_within_their_rounding(
    bands: list[dict[str, Any]], size: int, months: int
) -> None:
    """So many months of a size, or of traffic of that size each, are off by half a cent a rounding at most."""
    slack_minor = Fraction((months + 1) * len(bands), 2)
    kept = storage(tiers=bands)
    one = total_minor(storage_charges(kept, size, MONTH, 0, MONTH, "USD"))
    whole = total_minor(storage_charges(kept, size, months * MONTH, 0, MONTH, "USD"))
    assert abs(whole - months * one) <= slack_minor
    moved = traffic(tiers=bands, resets="month")
    one = total_minor(traffic_charges(moved, size, 0, "USD"))
    whole = total_minor(traffic_charges(moved, months * size, 0, "USD", months=months))
    assert abs(whole - months * one) <= slack_minor


@given(prices, st.sampled_from(["hour", "day", "month"]), st.integers(1, 64), st.lists(spans, min_size=1, max_size=12))
def test_a_fee_in_pieces_adds_up_to_the_whole_within_its_rounding(
    amount: Decimal, per: str, nodes: int, pieces: list[int]
) -> None:
    fees = [Fee.model_validate({"name": "IP", "amount": amount, "per": per})]
    whole = total_minor(fee_charges(fees, nodes, sum(pieces), MONTH, "USD"))
    apart = sum(total_minor(fee_charges(fees, nodes, piece, MONTH, "USD")) for piece in pieces)
    assert abs(whole - apart) <= Fraction(len(pieces) + 1, 2)


@given(prices, sizes, spans, spans, factors, st.sampled_from([1, HOUR, DAY]), months_minutes)
def test_nothing_between_price_and_total_is_a_float(
    amount: Decimal, size: int, run: int, stopped: int, factor: Decimal, increment: int, month: int
) -> None:
    """The cost is that of exact fractions to the last cent, where a float is off by thousands."""
    price = storage(price=amount, stopped_factor=factor, increment=increment)
    parts = [(run, Fraction(1)), (stopped, Fraction(factor))] if factor != 1 else [(run + stopped, Fraction(1))]
    charges = storage_charges(price, size, run, stopped, month, "USD")
    assert total_minor(charges) == sum(
        half_up(Fraction(size, GB) * -(-minutes // increment) * increment / month * Fraction(amount) * times)
        for minutes, times in parts
    )
    kinds = {(type(c.quantity), type(c.unit_price), type(c.cost_minor)) for c in charges}
    assert kinds <= {(Decimal, Decimal, int)}
    assert {Fraction(c.unit_price) for c in charges} <= {Fraction(amount) * times for _, times in parts}


@given(st.fractions(0, 10**30, max_denominator=10**12))
def test_a_quantity_is_shown_exactly_or_to_six_decimals(value: Fraction) -> None:
    shown = decimal_of(value)
    rest = value.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    if rest == 1:
        assert Fraction(shown) == value
    else:
        assert abs(Fraction(shown) - value) <= Fraction(1, 2 * 10**6)
        assert shown.as_tuple().exponent == -6


def test_what_was_counted_before_has_used_up_its_bands() -> None:
    """100 GB free, then 0.09: behind 80 GB only 20 of 50 are free, behind 150 none."""
    tiers = [{"from": "0 GB", "price": "0"}, {"from": "100 GB", "price": "0.09"}]
    price = traffic(tiers=tiers, resets="month")
    for before, cost_minor in ((0, 0), (80, 270), (100, 450), (150, 450)):
        assert total_minor(traffic_charges(price, 50 * GB, 0, "USD", after_bytes=before * GB)) == cost_minor
