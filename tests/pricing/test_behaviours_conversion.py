"""How the prices of hour and month relate, and what follows a term: every sum worked out by hand."""

from datetime import date, timedelta

import pytest

from planner.pricing import best_prices, tariff, ways_of_paying
from planner.pricing.changing import converted
from planner.values.catalog import Offer
from planner.values.invoice import Rental, Way, WayKind
from tests.pricing.invoices import DAY, billed, cheapest, invoice, run, sold, total

FREE = {"stopped": {"charge": "0 %"}}


def test_3_1_jizhisuan_a_month_of_h20_saves_nothing() -> None:
    """720 x 6.20 = 4464.00, and every hour that is not run is saved."""
    h20 = sold("极智算", {"hour": "6.20", "month": "4464"}, billing=FREE)
    assert total(h20, run(720)) == total(h20, run(720), month=1) == 446_400
    assert cheapest(h20, run(719, per_day=24)) == ({}, 719 * 620)


@pytest.mark.parametrize(
    ("seller", "hour", "month", "last_hour", "hours_minor"),
    [
        ("极智算 H200", "13.94", "10036", 719, 1_002_286),  # 720 h are 10,036.80
        ("极智算 4090 24G", "1.57", "1073", 683, 107_231),  # 684 h are 1,073.88
        ("极智算 4090 48G", "2.86", "1956", 683, 195_338),  # 684 h are 1,956.24
        ("UCloud", "1.50", "720", 479, 71_850),  # hour = month x 1.5 / 720: 480 h are the month
        ("腾讯云 GN10X", "18.02", "5190", 288, 518_976),  # 289 h are 5,207.78
        ("腾讯云 GN7 T4", "8.68", "2500", 288, 249_984),  # 289 h are 2,508.52
    ],
)
def test_3_1_to_3_4_up_to_so_many_hours_of_a_month_hours_are_cheaper(
    seller: str, hour: str, month: str, last_hour: int, hours_minor: int
) -> None:
    """A machine that runs those hours within 30 days and is stopped for nothing in between."""
    offer = sold(seller, {"hour": hour, "month": month}, billing=FREE)

    def within_a_month(hours: int) -> tuple[dict[str, int], int]:
        return cheapest(offer, run(hours - 1), run(1, at=30 * DAY - 60))

    assert within_a_month(last_hour) == ({}, hours_minor)
    assert within_a_month(last_hour + 2) == ({"month": 1}, int(month) * 100)


def test_3_5_what_may_be_negotiated_is_no_price() -> None:
    """成都: 40 to 80 an hour and 60 to 70 % of it to be had by the month. A plan reckons with 80, and no month."""
    offer = sold(
        "成都", {"hour": {"low": "40", "high": "80"}}, kind="market_range", billing={"negotiable_to_percent": "70 %"}
    )
    assert total(offer, run(720)) == 720 * 8_000
    assert best_prices(tariff(offer, 1, terms=("month",)), [run(720)]) == ()
    assert offer.billing.negotiable_to_percent == 70


@pytest.mark.parametrize(
    ("hours", "off_percent"),
    [(167, 0), (168, 5), (719, 5), (720, 15)],
)
def test_3_6_hours_cost_less_where_the_lease_is_long(hours: int, off_percent: int) -> None:
    """智星云 takes a discount by length off the hour; example steps: 5 % from a week, 15 % from 30 days."""
    steps = [{"from": "7 days", "off": "5 %"}, {"from": "30 days", "off": "15 %"}]
    offer = sold("智星云", {"hour": "2.00"}, billing={"length_discounts": steps})
    assert total(offer, run(hours)) == hours * 200 * (100 - off_percent) // 100


def test_3_6_the_whole_lease_counts_stopped_days_too() -> None:
    """Ten hours a day for 30 days: 300 h at 2.00 less 15 %."""
    rules = FREE | {"length_discounts": [{"from": "30 days", "off": "15 %"}]}
    assert total(sold("智星云", {"hour": "2.00"}, billing=rules), run(300, per_day=10)) == 51_000


def test_3_10_spacehpc_a_term_that_ends_goes_on_by_the_hour() -> None:
    offer = sold("SpaceHPC", {"hour": "2", "month": "1000"}, billing={"on_expiry": "hourly"})
    assert invoice(offer, run(725), month=1) == [
        ("month", "1", "gpu-month", "1000", 100_000),
        ("run", "5", "gpu-hour", "2", 1_000),
    ]


def test_3_10_where_a_term_ends_in_nothing_the_next_one_is_bought() -> None:
    offer = sold("s", {"hour": "2", "month": "1000"}, billing={"on_expiry": "stop"})
    assert billed(offer, run(725), month=1) is None
    assert cheapest(offer, run(725)) == ({}, 145_000)
    assert cheapest(sold("s", {"hour": "9", "month": "1000"}, billing={"on_expiry": "stop"}), run(725)) == (
        {"month": 2},
        200_000,
    )


def test_where_nothing_is_said_hours_follow_a_term() -> None:
    assert total(sold("s", {"hour": "2", "month": "1000"}), run(725), month=1) == 101_000


def ways(of: Offer, days: int, start: date = date(2026, 11, 1)) -> dict[WayKind, Way]:
    """The cheapest way of each kind."""
    found, _ = ways_of_paying(Rental(of, start, start + timedelta(days=days)))
    return {way.kind: way for way in reversed(found)}


UCLOUD = {"on_expiry": "stop", "conversion": ["hour_to_month"], "month": "30 days"}


def test_3_7_hours_become_a_month_where_nothing_follows_a_month() -> None:
    """40 days: ten by the hour are 480, then a month for 1000. Two months are 2000, hours alone 1920."""
    offer = sold("UCloud", {"hour": "2", "month": "1000"}, billing=UCLOUD)
    way = ways(offer, 40)[WayKind.CONVERTED]
    assert [(charge.what, charge.cost_minor) for charge in way.charges] == [("run", 48_000), ("month", 100_000)]
    assert (way.total_minor, way.paid_minutes) == (148_000, 40 * DAY)
    assert WayKind.CONVERTED not in ways(sold("s", {"hour": "2", "month": "1000"}, billing={"on_expiry": "stop"}), 40)


def test_3_8_a_calendar_month_ends_with_the_rental() -> None:
    """From 10 January to 1 March: 22 days by the hour are 792, February 1000; two months are 2000."""
    rules = UCLOUD | {"month": "calendar"}
    offer = sold("阿里云", {"hour": "1.5", "month": "1000"}, billing=rules)
    assert ways(offer, 50, date(2026, 1, 10))[WayKind.CONVERTED].total_minor == 79_200 + 100_000


def test_3_9_where_hours_follow_a_month_changing_into_one_saves_nothing() -> None:
    """A month and ten days of hours cost as much in either order, so the plain one is shown."""
    offer = sold("胜算云", {"hour": "2", "month": "1000"}, billing=UCLOUD | {"on_expiry": "hourly"})
    found = ways(offer, 40)
    assert found[WayKind.MIX].total_minor == 148_000
    assert WayKind.CONVERTED not in found


def test_3_9_a_month_is_bought_at_the_price_of_the_day_on_which_it_begins() -> None:
    """The month costs 800 from 11 November on: ten days by the hour, 480, and then 800."""
    prices = {"hour": "2", "month": "1000", "changes": [{"from": "2026-11-11", "month": "800"}]}
    assert ways(sold("捷智算", prices, billing=UCLOUD), 40)[WayKind.CONVERTED].total_minor == 48_000 + 80_000


def test_3_11_an_interruptible_machine_does_not_convert() -> None:
    offer = sold("UCloud", {"hour": "2", "month": "1000"}, billing=UCLOUD, spot=True)
    assert WayKind.CONVERTED not in ways(offer, 40)


def test_3_7_a_month_that_holds_so_many_hours_does_so_after_hours_too() -> None:
    """40 days of 10 h: 100 h at 2, a month for 600, and of its 300 h the 200 beyond 100 at 5: 1,800."""
    month = {"amount": "600", "included_hours": "100", "overage": "5"}
    offer = sold("s", {"hour": "2", "month": month}, billing=UCLOUD | {"stopped": {"charge": "0 %"}})
    terms = tariff(offer, 1, starts=date(2026, 11, 1))
    rental = Rental(offer, date(2026, 11, 1), date(2026, 12, 11), 10 * 60)
    (way,) = converted(rental, terms)
    costs = [charge.cost_minor for charge in way.charges if charge.cost_minor]
    assert costs == [20_000, 60_000, 100_000]
