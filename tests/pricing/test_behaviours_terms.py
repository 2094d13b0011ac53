"""Terms that are paid for as a whole, and how long a month is: every invoice worked out by hand."""

from datetime import date, timedelta

import pytest

from planner.planning.billing import invoice as invoice_of
from planner.pricing import best_prices, tariff
from planner.values.invoice import Rental
from planner.values.tariff import Bundle
from tests.pricing.invoices import DAY, billed, cheapest, invoice, run, sold, total

JIEZHISUAN = sold("捷智算", {"hour": "2", "day": "40", "week": "250", "month": "900", "year": "9000"})


def test_2_1_hour_day_week_month_and_year_each_have_a_line() -> None:
    """Example prices. 365 + 30 + 7 + 2 days and three hours: 9000 + 900 + 250 + 2 x 40 + 3 x 2."""
    use = run((365 + 30 + 7 + 2) * 24 + 3)
    assert invoice(JIEZHISUAN, use, year=1, month=1, week=1, day=2) == [
        ("year", "1", "gpu-year", "9000", 900_000),
        ("month", "1", "gpu-month", "900", 90_000),
        ("week", "1", "gpu-week", "250", 25_000),
        ("day", "2", "gpu-day", "40", 8_000),
        ("run", "3", "gpu-hour", "2", 600),
    ]


@pytest.mark.parametrize(
    ("days", "terms", "cost_minor"),
    [
        (1, {"day": 1}, 4_000),  # 24 h would be 48
        (6, {"day": 6}, 24_000),  # a week is 250
        (7, {"week": 1}, 25_000),
        (28, {"month": 1}, 90_000),  # four weeks are 1000
        (37, {"month": 1, "week": 1}, 115_000),
        (365, {"year": 1}, 900_000),  # twelve months and five days are 10,800 and 200
    ],
)
def test_2_1_the_cheapest_of_them(days: int, terms: dict[str, int], cost_minor: int) -> None:
    assert cheapest(JIEZHISUAN, run(days * 24)) == (terms, cost_minor)


WEEKS = {"amount": "250", "allowed_counts": "1-4"}
MONTHS = {"amount": "900", "allowed_counts": "1-9, 12, 24, 36, 48, 60"}


def test_2_2_alibaba_sells_one_to_four_weeks_and_nine_twelve_or_24_months() -> None:
    """By the week alone 28 days are sold and 29 are not. By the month ten cost twelve: 12 x 900."""
    weeks, months = sold("阿里云 ECS", {"week": WEEKS}), sold("阿里云 ECS", {"month": MONTHS})
    assert cheapest(weeks, run(28 * 24)) == ({"week": 4}, 100_000)
    assert best_prices(tariff(weeks, 1), [run(28 * 24 + 1)]) == ()
    assert cheapest(months, run(270 * 24)) == ({"month": 9}, 810_000)
    assert cheapest(months, run(271 * 24)) == ({"month": 12}, 1_080_000)
    assert best_prices(tariff(months, 1), [run(1801 * 24)]) == (), "60 months are the most"


def test_2_2_weeks_fill_up_what_months_leave() -> None:
    both = sold("阿里云 ECS", {"week": WEEKS, "month": MONTHS})
    assert cheapest(both, run(35 * 24)) == ({"month": 1, "week": 1}, 115_000)


def test_2_3_tencent_hai_sells_hours_days_and_1_to_12_24_or_36_months() -> None:
    """390 days of example prices: twelve months, 30 days more at 40, where 13 months are not sold."""
    prices = {"hour": "2", "day": "40", "month": {"amount": "900", "allowed_counts": "1-12, 24, 36"}}
    hai = sold("腾讯云 HAI", prices)
    assert cheapest(hai, run(390 * 24)) == ({"month": 12, "day": 30}, 1_080_000 + 120_000)
    assert cheapest(sold("腾讯云 HAI", {"month": prices["month"]}), run(390 * 24)) == ({"month": 24}, 2_160_000)


def test_2_4_tianyi_sells_months_and_years_and_no_hour() -> None:
    """31 days are two months; one month does not cover them; who buys by the hour finds nothing."""
    offer = sold("天翼云", {"month": "5000", "year": "50000"})
    assert cheapest(offer, run(31 * 24)) == ({"month": 2}, 1_000_000)
    assert billed(offer, run(31 * 24), month=1) is None
    assert best_prices(tariff(offer, 1, terms=("hour",)), [run(1)]) == ()


def test_2_5_jygpu_a_month_of_the_whole_server_for_ten_days() -> None:
    """7920, not a third of it; 9900 is the list price, recorded and not charged."""
    month = {"amount": "7,920", "before_discount": "9,900"}
    offer = sold("JYGPU", {"per": "node", "month": month}, gpus=8)
    assert invoice(offer, run(240), month=1) == [("month", "1", "node-month", "7920", 792_000)]
    assert cheapest(offer, run(240)) == ({"month": 1}, 792_000)


def test_2_6_qubrid_a_year_of_eight_h200() -> None:
    """210,240 a year is 3.00 a card and hour: 8 x 8760 x 3.00. Three months cost the year."""
    offer = sold("Qubrid AI", {"per": "node", "year": "210240"}, gpus=8, currency="USD")
    assert total(offer, run(90 * 24), year=1) == 8 * 8760 * 300
    assert cheapest(offer, run(8760)) == ({"year": 1}, 21_024_000)


@pytest.mark.parametrize(
    ("seller", "month", "hours"),
    [
        ("极智算, Vast.ai", "720 h", 720),
        ("comparison tools of the US", "730 h", 730),
        ("Hyperstack", "744 h", 744),
        ("UCloud", "30 days", 720),
        ("says nothing", None, 720),
    ],
)
def test_2_7_2_8_and_2_11_a_month_of_so_many_hours(seller: str, month: str | None, hours: int) -> None:
    """One minute more is an hour more. A quarter is three of them; a year has 365 days."""
    billing = {} if month is None else {"month": month}
    offer = sold(seller, {"hour": "1", "month": "500", "quarter": "1400", "year": "5000"}, billing=billing)
    assert total(offer, run(hours), month=1) == 50_000
    assert total(offer, run(hours, minutes=1), month=1) == 50_000 + 100
    assert total(offer, run(3 * hours, minutes=1), quarter=1) == 140_000 + 100
    assert total(offer, run(365 * 24, minutes=1), year=1) == 500_000 + 100


def test_2_7_jizhisuan_a_month_is_720_hours_to_the_fen() -> None:
    assert 720 * 620 == 446_400
    assert total(sold("极智算", {"hour": "6.20", "month": "4464"}), run(720), month=1) == 446_400


CALENDAR = sold(
    "华为云", {"hour": "1", "month": "500", "quarter": "1400", "year": "5000"}, billing={"month": "calendar"}
)


@pytest.mark.parametrize(
    ("starts", "terms", "ends"),
    [
        (date(2023, 4, 18), {"month": 1}, date(2023, 5, 18)),  # 13 of April's 30 days, 17 of May's 31
        (date(2026, 1, 31), {"month": 1}, date(2026, 2, 28)),
        (date(2026, 1, 31), {"month": 2}, date(2026, 3, 31)),  # from the day it began, not from the 28th
        (date(2028, 1, 31), {"month": 1}, date(2028, 2, 29)),
        (date(2028, 2, 10), {"month": 1}, date(2028, 3, 10)),  # 29 days
        (date(2026, 12, 15), {"month": 1}, date(2027, 1, 15)),
        (date(2026, 3, 15), {"month": 1}, date(2026, 4, 15)),  # 31 days of 24 hours, clocks or no clocks
        (date(2026, 10, 10), {"month": 1}, date(2026, 11, 10)),
        (date(2026, 11, 30), {"quarter": 1}, date(2027, 2, 28)),
        (date(2028, 2, 29), {"year": 1}, date(2029, 2, 28)),
        (date(2027, 6, 1), {"year": 1}, date(2028, 6, 1)),  # 366 days
        (date(2026, 1, 31), {"quarter": 1, "month": 1}, date(2026, 5, 31)),
    ],
)
def test_2_9_a_calendar_month_lasts_to_the_same_day(starts: date, terms: dict[str, int], ends: date) -> None:
    """Nothing is metered until then, and one hour of the minute after."""
    hours = (ends - starts).days * 24
    prices = {"month": 50_000, "quarter": 140_000, "year": 500_000}
    paid = sum(prices[name] * count for name, count in terms.items())
    assert total(CALENDAR, run(hours), starts=starts, **terms) == paid
    assert total(CALENDAR, run(hours, minutes=1), starts=starts, **terms) == paid + 100


def test_2_9_weeks_and_days_come_after_months() -> None:
    """A month from 31 January 2026 and a week are 28 + 7 days."""
    offer = sold("s", {"hour": "1", "week": "100", "month": "500"}, billing={"month": "calendar"})
    assert tariff(offer, 1, starts=date(2026, 1, 31)).prepaid_minutes(Bundle.of(month=1, week=1)) == 35 * DAY


UCLOUD = sold(
    "UCloud",
    {"hour": "2", "month": {"amount": "800", "renewal_price": "900"}},
    billing={"month": "month_end"},
)


def test_2_10_ucloud_the_first_month_ends_with_the_calendars_and_costs_its_share() -> None:
    """From 16 November 15 of 30 days: 400.00. December is a whole one, of 31 days."""
    starts = date(2026, 11, 16)
    assert invoice(UCLOUD, run(15 * 24), starts=starts, month=1) == [
        ("month, its rest", "0.5", "gpu-month", "800", 40_000)
    ]
    assert invoice(UCLOUD, run(46 * 24, minutes=1), starts=starts, month=2) == [
        ("month, its rest", "0.5", "gpu-month", "800", 40_000),
        ("month, renewed", "1", "gpu-month", "900", 90_000),
        ("run", "1", "gpu-hour", "2", 200),
    ]


@pytest.mark.parametrize(
    ("starts", "days", "cost_minor"),
    [
        (date(2026, 11, 1), 30, 80_000),
        (date(2026, 1, 31), 1, 2_581),  # 800 x 1/31 = 25.806
        (date(2028, 2, 10), 20, 55_172),  # 20 of 29 days: 551.724
        (date(2027, 2, 10), 19, 54_286),  # 19 of 28 days: 542.857
    ],
)
def test_2_10_the_first_day_counts(starts: date, days: int, cost_minor: int) -> None:
    assert total(UCLOUD, run(days * 24), starts=starts, month=1) == cost_minor
    assert total(UCLOUD, run(days * 24, minutes=1), starts=starts, month=1) == cost_minor + 200


@pytest.mark.parametrize(("need_days", "billed_days"), [(1, 1), (14, 14), (15, 21), (20, 21), (30, 35)])
def test_2_12_capacity_blocks_are_sold_in_days_to_14_then_in_weeks(need_days: int, billed_days: int) -> None:
    """Example price of 500 a day; nothing follows the last day, and 182 are the most."""
    day = {"amount": "500", "allowed_counts": "1-14, 21-182/7"}
    offer = sold("AWS Capacity Blocks", {"per": "node", "day": day}, gpus=8, currency="USD")
    assert cheapest(offer, run(need_days * 24)) == ({"day": billed_days}, billed_days * 50_000)


def test_2_12_a_block_ends_and_no_hour_follows_it() -> None:
    day = {"amount": "500", "allowed_counts": "1-14, 21-182/7"}
    offer = sold("AWS Capacity Blocks", {"per": "node", "day": day, "hour": "30"}, billing={"on_expiry": "stop"})
    assert billed(offer, run(25), day=1) is None
    assert total(offer, run(25), day=2) == 100_000
    assert total(offer, run(25)) == 75_000, "hours alone are sold"
    assert best_prices(tariff(sold("AWS Capacity Blocks", {"day": day}), 1), [run(183 * 24)]) == ()


def test_where_the_first_day_is_not_known_no_month_is_longer_than_the_one_it_may_be() -> None:
    """A calendar month is 28 days; one that ends with the calendar's is a day, at the price of a whole one."""
    ends = sold("UCloud", {"month": "800", "quarter": "2400", "year": "8000"}, billing={"month": "month_end"})
    for offer, first_days in ((CALENDAR, 28), (ends, 1)):
        plan = tariff(offer, 1)
        assert plan.prepaid_minutes(Bundle.of(month=1)) == first_days * DAY
        assert plan.prepaid_minutes(Bundle.of(month=3)) == (first_days + 56) * DAY
        for day in range(0, 800, 3):
            starts = date(2027, 1, 1) + timedelta(days=day)
            known = tariff(offer, 1, starts=starts)
            for bundle in (Bundle.of(month=1), Bundle.of(month=5), Bundle.of(quarter=2), Bundle.of(year=1)):
                assert plan.prepaid_minutes(bundle) <= known.prepaid_minutes(bundle)
    assert total(ends, run(24), month=1) == 80_000
    assert cheapest(ends, run(29 * 24)) == ({"month": 2}, 160_000)


def test_a_first_month_of_a_day_makes_no_endless_list_of_mixes() -> None:
    """A year from 30 November: 13 months, two years, and three quarters, since four cost more than the year."""
    prices = {"month": "4500", "quarter": "13000", "year": "50000"}
    terms = tariff(sold("s", prices, billing={"month": "month_end"}), 1, starts=date(2026, 11, 30))
    tried = {term.name: max(terms._counts(term, list(terms.terms), 365 * DAY)) for term in terms.terms}
    assert tried == {"year": 2, "quarter": 3, "month": 13}


def test_2_12_a_block_that_begins_on_a_day_to_come_is_told_before_it() -> None:
    """AWS Capacity Blocks are bought for a start to come."""
    offer = sold("AWS", {"day": "100"}, available_from="2026-11-20")
    early, later = (
        invoice_of(Rental(offer, start, start + timedelta(days=2)))
        for start in (date(2026, 11, 19), date(2026, 11, 20))
    )
    assert ("available_from", "2026-11-20") in {(one.rule, one.value) for one in early.notices}
    assert "available_from" not in {one.rule for one in later.notices}
