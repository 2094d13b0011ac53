"""How sellers meter and round: every invoice worked out by hand. Numbers of the tests are those of docs/billing.md."""

from datetime import date

import pytest
from pydantic import ValidationError

from planner.values.billing import Billing
from tests.pricing.invoices import DAY, HOUR, billed, invoice, run, sold, total

LAMBDA = sold("Lambda", {"hour": "3.99"}, gpus=8, currency="USD", billing={"increment": "1 min"})
EVERY_SECOND = {"increment": "1 s"}


@pytest.mark.parametrize(
    ("seller", "price", "minutes", "cost_minor"),
    [
        ("RunPod", "3.99", 61, 406),  # 3.99 x 61/60 = 4.0565
        ("RunPod", "3.99", 90, 599),  # 5.985, half up
        ("Vast.ai", "2.4024", 10, 40),  # 0.4004
        ("TensorDock", "2.25", 7, 26),  # 0.2625; it counts microseconds, and nothing below a second can be written
    ],
)
def test_1_1_and_1_7_by_the_second(seller: str, price: str, minutes: int, cost_minor: int) -> None:
    offer = sold(seller, {"hour": price}, currency="USD", billing=EVERY_SECOND)
    assert total(offer, run(minutes=minutes)) == cost_minor


def test_1_2_spacehpc_takes_a_cent_at_least() -> None:
    """By the second at an example price of 0.24: a minute is 0.004, so 0.01; two hours are 0.48 and no less."""
    offer = sold("SpaceHPC", {"hour": "0.24"}, billing=EVERY_SECOND | {"min_charge": "0.01"})
    assert invoice(offer, run(minutes=1)) == [
        ("run", "0.016667", "gpu-hour", "0.24", 0),
        ("minimum", "1", "lease", "0.01", 1),
    ]
    assert invoice(offer, run(2)) == [("run", "2", "gpu-hour", "0.24", 48)]


@pytest.mark.parametrize(
    ("seller", "price", "gpus", "minutes", "cost_minor"),
    [
        ("Lambda", "3.99", 8, 61, 3245),  # 8 x 3.99 x 61/60 = 32.452
        ("Hyperstack", "1.35", 1, 100, 225),  # 1.35 x 100/60 = 2.25
        ("Scaleway", "3.7969", 1, 1, 6),  # 0.06328
        ("胜算云", "1.98", 1, 59, 195),  # an example price: 1.947
        ("Atlas Cloud", "3.00", 1, 1, 5),  # under a minute is a minute: 0.05, the least that is rented
    ],
)
def test_1_3_and_1_4_by_the_minute(seller: str, price: str, gpus: int, minutes: int, cost_minor: int) -> None:
    offer = sold(seller, {"hour": price}, gpus=gpus, currency="USD", billing={"increment": "1 min"})
    assert total(offer, run(minutes=minutes)) == cost_minor


def test_1_5_ucloud_bills_used_minutes_of_the_hour() -> None:
    """后付费: 100 minutes at 1.50 are 100/60 x 1.50 = 2.50; when it is invoiced changes no sum."""
    offer = sold("UCloud", {"hour": "1.50"}, billing={"increment": "1 min"})
    assert total(offer, run(minutes=100)) == 250


@pytest.mark.parametrize(("minutes", "hours"), [(15, 1), (60, 1), (61, 2), (120, 2), (121, 3)])
@pytest.mark.parametrize(("seller", "price_minor"), [("UCloud 按时预付", 150), ("晨涧云", 515)])
def test_1_6_a_started_hour_is_kept(seller: str, price_minor: int, minutes: int, hours: int) -> None:
    """晨涧云's A800 at 5.15: 61 minutes are two hours, 10.30."""
    offer = sold(seller, {"hour": f"{price_minor / 100:.2f}"}, billing={"increment": "1 h"})
    assert total(offer, run(minutes=minutes)) == hours * price_minor


def test_hours_are_begun_ones_where_the_seller_does_not_say() -> None:
    assert total(sold("says nothing", {"hour": "6.20"}), run(minutes=61)) == 2 * 620


def test_three_starts_in_an_hour() -> None:
    """Amazon EC2 of old: 10 minutes on, 10 off, three times, at 1.00. Each start is an hour; together it is one."""
    starts = [run(minutes=10, at=at) for at in (0, 20, 40)]
    free = {"stopped": {"charge": "0 %"}, "increment": "1 h"}
    each = sold("Amazon EC2, 2016", {"hour": "1.00"}, billing=free | {"rounding": "start"})
    together = sold("rounds once", {"hour": "1.00"}, billing=free | {"rounding": "lease"})
    assert total(each, *starts) == 300
    assert total(together, *starts) == 100
    assert total(each, run(minutes=10), run(minutes=10, at=10)) == 100, "a machine that runs on is not started again"


def test_a_start_each_day_is_rounded_each_day() -> None:
    """Three days of 90 minutes, stopped between: 3 x 2 h with each start rounded, 4.5 h as 5 h without."""
    free = {"stopped": {"charge": "0 %"}, "increment": "1 h"}
    use = [run(minutes=90, at=day * DAY) for day in range(3)]
    assert total(sold("s", {"hour": "1"}, billing=free | {"rounding": "start"}), *use) == 600
    assert total(sold("s", {"hour": "1"}, billing=free), *use) == 500


def test_the_least_time_counts_what_is_billed_of_it() -> None:
    """Three hours at least, at 2.00 and by the minute: 15 minutes are 0.50 and 2.75 h more; 4 hours are 8.00."""
    offer = sold("s", {"hour": "2.00"}, billing={"increment": "1 min", "min_time": "3 h"})
    assert invoice(offer, run(minutes=15)) == [
        ("run", "0.25", "gpu-hour", "2.00", 50),
        ("minimum", "2.75", "gpu-hour", "2.00", 550),
    ]
    assert total(offer, run(4)) == 800


def test_starts_rounded_apart_count_towards_the_least_time() -> None:
    """Three starts of ten minutes are three billed hours, which reaches the least of two."""
    rules = {"increment": "1 h", "rounding": "start", "min_time": "2 h", "stopped": {"charge": "0 %"}}
    starts = [run(minutes=10, at=at) for at in (0, 20, 40)]
    assert total(sold("s", {"hour": "1"}, billing=rules), *starts) == 300


def test_idle_hours_count_towards_the_least_time_where_they_cost_as_much() -> None:
    """10 h, 14 h idle, 10 h: 34 h are metered, a day and more. Where it is stopped for nothing, 20 h and 4 more."""
    uses = [run(10), run(10, at=DAY)]
    rules = {"increment": "1 h", "min_time": "24 h"}
    assert total(sold("s", {"hour": "1"}, billing=rules), *uses) == 3400
    assert total(sold("s", {"hour": "1"}, billing=rules | {"stopped": {"charge": "0 %"}}), *uses) == 2400


def test_the_least_time_is_one_of_every_part() -> None:
    """15 minutes of a card at 2.00 beside a host at 1.00, an hour at least: 2.00 and 1.00."""
    host = {"name": "host", "per": "node", "hour": "1.00"}
    offer = sold("s", {"hour": "2.00", "components": [host]}, billing={"increment": "1 min", "min_time": "1 h"})
    assert [(line[0], line[-1]) for line in invoice(offer, run(minutes=15))] == [
        ("run", 50), ("run, host", 25), ("minimum", 150), ("minimum, host", 75),
    ]  # fmt: skip


def test_a_term_that_is_paid_for_has_no_minimum_after_it() -> None:
    offer = sold("s", {"hour": "1", "day": "20"}, billing={"min_time": "10 h", "min_charge": "50"})
    assert total(offer, run(25), day=1) == 2000 + 100
    assert total(offer, run(1)) == 5000


# Hetzner: hours never cost more than the month's maximum (opencost, configs/hetzner_pricing.csv). Prices are examples.


def hetzner(month: str) -> dict[str, object]:
    return {"increment": "1 h", "month": month, "monthly_cap": "200"}


def test_hours_of_a_calendar_month_cost_its_maximum_at_most() -> None:
    """740 h at 0.50 from 20 November: 11 days of November are 264 h, 132.00; 476 h of December would be 238.00."""
    offer = sold("Hetzner", {"hour": "0.50"}, currency="EUR", billing=hetzner("month_end"))
    assert invoice(offer, run(740), starts=date(2026, 11, 20)) == [
        ("run", "264", "gpu-hour", "0.50", 13_200),
        ("month at most", "1", "gpu-month", "200", 20_000),
    ]


@pytest.mark.parametrize("month", ["720 h", "30 days", "calendar"])
def test_a_month_that_begins_with_the_lease_holds_720_of_740_hours(month: str) -> None:
    """From 20 November to 20 December: 200.00, and 20 h at 0.50."""
    offer = sold("Hetzner", {"hour": "0.50"}, currency="EUR", billing=hetzner(month))
    assert total(offer, run(740), starts=date(2026, 11, 20)) == 20_000 + 1_000


def test_the_maximum_is_one_of_each_unit_and_hours_under_it_are_hours() -> None:
    """Two nodes of four cards: 8 x 200.00 a month; 100 h are 8 x 50.00."""
    offer = sold("Hetzner", {"hour": "0.50"}, gpus=4, currency="EUR", billing=hetzner("720 h"))
    assert total(offer, run(720), nodes=2) == 8 * 20_000
    assert total(offer, run(100), nodes=2) == 8 * 5_000


def test_clocks_that_change_move_no_hour() -> None:
    """Over the nights of 29 March and 25 October 2026 each day has 24 hours, as the meter and not the wall counts."""
    for starts in (date(2026, 3, 28), date(2026, 10, 24)):
        assert total(LAMBDA, run(48), starts=starts) == 48 * 8 * 399


@pytest.mark.parametrize("increment", ["90 s", "7 s", "0 s"])
def test_an_increment_that_is_no_minutes_is_refused(increment: str) -> None:
    with pytest.raises(ValidationError):
        Billing.model_validate({"increment": increment})


@pytest.mark.parametrize("increment", ["1 s", "30 s", "1 min", "15 min", "1 h", "1 day"])
def test_an_increment_that_divides_a_minute_or_is_some_is_read(increment: str) -> None:
    assert Billing.model_validate({"increment": increment}).increment_seconds


def test_without_a_price_for_the_hour_no_hour_is_metered() -> None:
    assert billed(sold("天翼云", {"month": "5000"}), run(1)) is None
    assert billed(sold("天翼云", {"month": "5000"}), run(minutes=30 * 24 * HOUR + 1), month=1) is None
