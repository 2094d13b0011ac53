"""Refunds as the sellers' own documents reckon them, the arithmetic in the test."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from planner.pricing.refunds import cash_minor, deleted_after, last_day, refund_minor, remaining_months
from planner.values.money import to_minor
from planner.values.refunds import Purchase, Refund, RefundRule, RefundTo, Release

HOUR = 60
DAY = 24 * HOUR
MONTH = 30 * DAY
YEAR = 12 * MONTH


def says(**fields: str) -> Refund:
    """What a seller's file says, as it is written there."""
    return Refund.model_validate(fields)


def bought(paid: str, total_minutes: int, *, coupon: str = "0", bonus: str = "0", list_price: str = "") -> Purchase:
    """A term in CNY (or any currency of hundredths), metered by the started hour."""
    return Purchase(
        currency="CNY",
        paid_minor=to_minor(Decimal(paid), "CNY"),
        coupon_minor=to_minor(Decimal(coupon), "CNY"),
        bonus_minor=to_minor(Decimal(bonus), "CNY"),
        total_minutes=total_minutes,
        increment_minutes=HOUR,
        list_price=Decimal(list_price) if list_price else None,
    )


def after(used_minutes: int) -> Release:
    return Release(used_minutes=used_minutes)


# Nothing comes back: RunPod savings plan, AWS Capacity Block, Azure savings plan, 晨涧云 (a day stopped by hand);
# 腾讯云 GPU 包年包月 cannot even be destroyed before it expires.


def test_a_seller_that_refunds_nothing_gives_back_nothing() -> None:
    assert refund_minor(says(rule="none"), bought("2000", 3 * MONTH), after(1)) == 0


# UCloud, github.com/UCloudDoc-Team/charge refund.md


@pytest.mark.parametrize(
    ("paid", "total_days", "used_days", "factor", "back"),
    [
        ("800", 30, 10, "1.5", 400),  # example 1: 800 - 800 x 10/30 x 1.5
        ("2400", 90, 45, "1.5", 600),  # example 2: 2400 - 2400 x 45/90 x 1.5
        ("700", 7, 2, "1.25", 450),  # by the day: 700 - 700 x 2/7 x 1.5/1.2
        ("800", 30, 20, "1.5", 0),  # 800 - 800 x 20/30 x 1.5
        ("800", 30, 25, "1.5", 0),  # -200: what is missing is not asked for
        ("800", 30, 30, "1.5", 0),
    ],
)
def test_used_time_costs_a_factor_of_its_share(
    paid: str, total_days: int, used_days: int, factor: str, back: int
) -> None:
    refund = says(rule="penalty", factor=factor)
    assert refund_minor(refund, bought(paid, total_days * DAY), after(used_days * DAY)) == back * 100


@pytest.mark.parametrize(
    ("paid", "list_price", "total_months", "used_months", "back"),
    [
        ("8000", "9600", 12, 2, 6400),  # example 3: 8000 - 800 x 12 x 2/12
        ("8000", "9600", 12, 11, 0),  # example 4: 8000 - 8800 is below 0
        ("14400", "28800", 36, 15, 2400),  # example 5: 14400 - 800 x 12 x 3 x 15/36
    ],
)
def test_the_discount_of_a_year_is_taken_back(
    paid: str, list_price: str, total_months: int, used_months: int, back: int
) -> None:
    purchase = bought(paid, total_months * MONTH, list_price=list_price)
    assert refund_minor(says(rule="clawback"), purchase, after(used_months * MONTH)) == back * 100


def test_a_started_hour_counts() -> None:
    """720 h for 720.00, factor 1.5: one minute is an hour, 718.50; an hour and a minute are two, 717.00."""
    refund, purchase = says(rule="penalty", factor="1.5"), bought("720", MONTH)
    assert [refund_minor(refund, purchase, after(used)) for used in (0, 1, 60, 61)] == [72_000, 71_850, 71_850, 71_700]


# Vast.ai, github.com/vast-ai/docs guides/instances/choosing/reserved-instances.mdx: 576 for what lists at 720


@pytest.mark.parametrize(
    ("used_days", "back"),
    [
        (0, 57_600),  # "cancel immediately: 576"
        (15, 21_240),  # "about 212": 576 x 15/30 - 1.05 x (720 - 576) x 15/30 = 288 - 75.6
        (30, 0),  # "cancel at the end: 0"
    ],
)
def test_the_discount_received_is_taken_back_with_a_fee(used_days: int, back: int) -> None:
    purchase = bought("576", MONTH, list_price="720")
    assert refund_minor(says(rule="clawback_with_fee", fee="5 %"), purchase, after(used_days * DAY)) == back


# 腾讯云, github.com/tencentyun/qcloud-documents 云服务退货说明.md: a year at 17 % off, 100 of it paid by coupon

TENCENT = says(rule="months_then_hours", grace_days="5")


def test_whole_months_cost_a_month_and_the_rest_hours() -> None:
    """Case 2, scene 2: 7 months and 5 days of 71 a month; today 7 months are 12 % off.

    The 120 h cost 0.42 x 96 + 0.21 x 24 + 0.063 x 120 = 52.92, 0.441 an hour.
    607.16 - 71 x 7 x 0.88 - 52.92 = 607.16 - 437.36 - 52.92 = 116.88, of which 300/607.16 is money: 57.75.
    """
    purchase = bought("707.16", YEAR, coupon="100", bonus="307.16")
    release = Release(
        used_minutes=7 * MONTH + 5 * DAY,
        month_minutes=MONTH,
        month_price=Decimal(71),
        hour_price=Decimal("0.441"),
        discount_factor=Decimal("0.88"),
    )
    assert refund_minor(TENCENT, purchase, release) == 11_688
    assert cash_minor(11_688, purchase) == 5_775


def test_the_hours_of_a_month_that_is_not_full_can_cost_more_than_the_month() -> None:
    """GN10X at 5190 a month and 18.02 an hour, three months paid: 15570 - 719 x 18.02, but 15570 - 5190."""
    purchase = bought("15570", 3 * MONTH)
    release = Release(
        used_minutes=719 * HOUR,
        month_minutes=MONTH,
        month_price=Decimal(5190),
        hour_price=Decimal("18.02"),
        discount_factor=Decimal(1),
    )
    assert refund_minor(says(rule="months_then_hours"), purchase, release) == 261_362
    assert refund_minor(says(rule="months_then_hours"), purchase, replace(release, used_minutes=MONTH)) == 1_038_000


def test_the_elapsed_share_costs_its_list_price_at_todays_discount_and_a_started_day_counts() -> None:
    """51 x 12 = 612 list, 507.96 paid; 89 days and a minute are 90 of 360, today 5 % off.

    507.96 - 612 x 90/360 x 0.95 = 507.96 - 145.35 = 362.61.
    """
    purchase = bought("507.96", YEAR, list_price="612")
    release = Release(used_minutes=89 * DAY + 1, discount_factor=Decimal("0.95"))
    assert refund_minor(says(rule="list_at_discount"), purchase, release) == 36_261
    assert refund_minor(says(rule="list_at_discount"), purchase, replace(release, used_minutes=90 * DAY)) == 36_261


def test_five_days_give_everything_back_once() -> None:
    """Case 1 with 腾讯云's 407.96 paid beside the coupon: all of it; the second time 407.96 - 0.378 x 120 h = 362.60.

    0.42 x 96 h + 0.21 x 24 h = 45.36, 0.378 an hour. Money is 200/407.96 of it: 200.00, and 177.76.
    """
    purchase = bought("507.96", YEAR, coupon="100", bonus="207.96")
    release = Release(
        used_minutes=5 * DAY,
        month_minutes=MONTH,
        month_price=Decimal(51),
        hour_price=Decimal("0.378"),
        discount_factor=Decimal(1),
    )
    assert refund_minor(TENCENT, purchase, release) == 40_796
    assert cash_minor(40_796, purchase) == 20_000
    assert refund_minor(TENCENT, purchase, replace(release, grace_spent=True)) == 36_260
    assert cash_minor(36_260, purchase) == 17_776


def test_after_the_grace_days_the_rule_holds() -> None:
    """华为云: five times 24 hours; what it then keeps as a fee it does not say."""
    refund = says(rule="calendar_days", grace_days="5")
    purchase = replace(bought("1750", MONTH), start=date(2023, 4, 8), months=1)
    assert refund_minor(refund, purchase, after(5 * DAY)) == 175_000
    assert refund_minor(refund, purchase, after(5 * DAY + 1)) is None


# Azure, github.com/MicrosoftDocs/azure-docs exchange-and-refund-azure-reservations.md


def test_days_not_begun_come_back_up_to_a_cap() -> None:
    """USD 100 a month for three years, given back after the first: 2400. That leaves 50,000 - 2,400 = 47,600."""
    refund = says(rule="daily", cap="50,000", fee="0 %")
    purchase = bought("3600", 3 * YEAR)
    assert refund_minor(refund, purchase, after(YEAR)) == 240_000
    assert refund_minor(refund, purchase, after(YEAR - DAY + 1)) == 240_000  # a started day counts
    large = bought("120000", 3 * YEAR)  # 80,000 are left of it
    assert refund_minor(refund, large, after(YEAR)) == 5_000_000
    assert refund_minor(refund, large, Release(used_minutes=YEAR, refunded_minor=240_000)) == 4_760_000
    assert refund_minor(refund, large, Release(used_minutes=YEAR, refunded_minor=6_000_000)) == 0


def test_the_fee_that_may_come_is_taken_off_what_is_cancelled() -> None:
    """12 %: 2400 - 288; of the 80,000 only 50,000 may be cancelled, and 44,000 come back."""
    refund = says(rule="daily", cap="50,000", fee="12 %")
    assert refund_minor(refund, bought("3600", 3 * YEAR), after(YEAR)) == 211_200
    assert refund_minor(refund, bought("120000", 3 * YEAR), after(YEAR)) == 4_400_000


# 华为云 ModelArts, 变更配置后对计费的影响:
# huaweicloud.com/guide/productsdesc-bms_6c01eab09b9a5aa655ae89d800cec7f8support1


def test_days_left_are_shares_of_their_calendar_months() -> None:
    """A month from 8 April, changed on the 18th from 1750 to 3500: 12/30 + 8/31 = 0.6581 months are left.

    The document rounds that to four places and each product to cents: 2303.35 - 1151.68 = 1151.67. In exact
    numbers it is 1750 x 102/155 = 1151.61, and 华为云 itself says to keep at least eight places.
    """
    left = remaining_months(date(2023, 4, 18), last_day(date(2023, 4, 8), 1))
    assert left == Fraction(12, 30) + Fraction(8, 31)
    rounded = round(left, 4)
    assert rounded == Fraction("0.6581")
    assert to_minor(3500 * rounded, "CNY") - to_minor(1750 * rounded, "CNY") == 115_167

    refund = says(rule="calendar_days", fee="0")
    purchase = replace(bought("1750", MONTH), start=date(2023, 4, 8), months=1)
    assert refund_minor(refund, purchase, after(10 * DAY)) == 115_161
    dearer = replace(purchase, paid_minor=350_000)
    assert refund_minor(refund, dearer, after(10 * DAY)) == 230_323  # 3500 x 102/155 = 2303.226


def test_a_whole_calendar_month_counts_1() -> None:
    """After 25 May through 30 June: 6/31 + 1 (support.huaweicloud.com/price-codeartsagent/codeartsagent_billing_0027).

    A year from 8 April 2023 for 12000, given back on the 18th: 12000/12 x (12/30 + 11 + 8/30) = 11666.67.
    """
    assert remaining_months(date(2026, 5, 25), date(2026, 6, 30)) == Fraction(6, 31) + 1
    purchase = replace(bought("12000", 366 * DAY), start=date(2023, 4, 8), months=12)
    assert refund_minor(says(rule="calendar_days", fee="0"), purchase, after(10 * DAY)) == 1_166_667


@pytest.mark.parametrize(
    ("start", "months", "last"),
    [
        (date(2024, 11, 30), 1, date(2024, 12, 30)),  # 华为云 iDEE: 2024/11/30 15:50:04 to 2024/12/30 23:59:59
        (date(2023, 1, 31), 1, date(2023, 2, 28)),
        (date(2024, 1, 31), 1, date(2024, 2, 29)),
        (date(2023, 12, 5), 1, date(2024, 1, 5)),
    ],
)
def test_a_month_lasts_through_the_same_day_of_the_next(start: date, months: int, last: date) -> None:
    assert last_day(start, months) == last


def test_a_month_that_starts_where_months_are_long_never_gives_back_more_than_was_paid() -> None:
    """30 January through 28 February: 1/31 + 28/28 is more than the one month that was paid."""
    purchase = replace(bought("1000", 30 * DAY), start=date(2023, 1, 30), months=1)
    assert refund_minor(says(rule="calendar_days", fee="0"), purchase, after(0)) == 100_000


# What is paid back in, and what is never paid back


def test_credit_is_reckoned_as_money_is() -> None:
    """智星云 pays back in 算力券: 800 - 800 x 10/30."""
    refund = says(rule="penalty", factor="1", to="credit")
    assert refund.to is RefundTo.CREDIT
    assert refund_minor(refund, bought("800", MONTH), after(10 * DAY)) == 53_333


def test_a_coupon_does_not_come_back() -> None:
    """UCloud: 800, 200 of it by coupon; 600 - 600 x 10/30 x 1.5 = 300, half of it money where 300 were bonus."""
    purchase = bought("800", MONTH, coupon="200", bonus="300")
    assert refund_minor(says(rule="penalty", factor="1.5"), purchase, after(10 * DAY)) == 30_000
    assert cash_minor(30_000, purchase) == 15_000
    assert refund_minor(says(rule="penalty", factor="1.5"), purchase, after(0)) == 60_000


def test_a_coupon_is_no_discount_that_could_be_taken_back() -> None:
    """576 of 720, 100 of it by coupon, half used: 476 / 2 - 1.05 x 144 / 2 = 162.40."""
    purchase = bought("576", MONTH, coupon="100", list_price="720")
    assert refund_minor(says(rule="clawback_with_fee", fee="5 %"), purchase, after(15 * DAY)) == 16_240


def test_what_only_coupons_paid_gives_nothing_back() -> None:
    purchase = bought("100", MONTH, coupon="100")
    assert refund_minor(says(rule="daily", fee="0"), purchase, after(DAY)) == 0
    assert cash_minor(0, purchase) == 0


def test_what_only_bonus_and_coupons_paid_gives_back_no_money() -> None:
    assert cash_minor(5_000, bought("100", MONTH, coupon="40", bonus="80")) == 0


def test_a_fee_is_the_one_that_was_written() -> None:
    """0.1 % off 5.00 are 4.995, rounded half up 5.00; the binary number nearest to 0.1 is above it."""
    assert refund_minor(says(rule="daily", fee="0.1 %"), bought("5", MONTH), after(0)) == 500


# 捷智算 get_refund_amount and CompShare quote a refund: ask first


def test_a_rule_that_is_not_known_is_asked_for() -> None:
    assert refund_minor(says(to="credit"), bought("800", MONTH), after(DAY)) is None
    assert refund_minor(says(grace_days="5"), bought("800", MONTH), after(6 * DAY)) is None
    assert refund_minor(says(grace_days="5"), bought("800", MONTH), after(4 * DAY)) == 80_000
    assert refund_minor(says(), bought("800", MONTH), after(MONTH)) == 0  # nothing is left of it


FULL = Release(
    used_minutes=DAY,
    month_minutes=MONTH,
    month_price=Decimal(800),
    hour_price=Decimal(2),
    discount_factor=Decimal(1),
)
DATED = replace(bought("800", MONTH, list_price="900"), start=date(2026, 3, 1), months=1)


@pytest.mark.parametrize(
    ("refund", "purchase", "release"),
    [
        (says(rule="penalty"), DATED, FULL),
        (says(rule="clawback"), replace(DATED, list_price=None), FULL),
        (says(rule="clawback_with_fee"), DATED, FULL),
        (says(rule="clawback_with_fee", fee="5"), replace(DATED, list_price=None), FULL),
        (says(rule="months_then_hours"), DATED, replace(FULL, month_minutes=None)),
        (says(rule="months_then_hours"), DATED, replace(FULL, month_price=None)),
        (says(rule="months_then_hours"), DATED, replace(FULL, hour_price=None)),
        (says(rule="months_then_hours"), DATED, replace(FULL, discount_factor=None)),
        (says(rule="list_at_discount"), replace(DATED, list_price=None), FULL),
        (says(rule="list_at_discount"), DATED, replace(FULL, discount_factor=None)),
        (says(rule="daily"), DATED, FULL),
        (says(rule="calendar_days"), DATED, FULL),
        (says(rule="calendar_days", fee="0"), replace(DATED, start=None), FULL),
        (says(rule="calendar_days", fee="0"), replace(DATED, months=None), FULL),
    ],
)
def test_a_figure_that_is_missing_is_not_0(refund: Refund, purchase: Purchase, release: Release) -> None:
    assert refund_minor(refund, purchase, release) is None


# How long data lives


@pytest.mark.parametrize(
    ("end", "days", "deleted"),
    [
        (date(2026, 11, 23), 10, date(2026, 12, 3)),  # UCloud, recycle.md: released on the tenth day after expiry
        (date(2028, 2, 25), 7, date(2028, 3, 3)),  # 腾讯云, 天翼云: seven days, here over a leap day
        (date(2026, 11, 23), 0, date(2026, 11, 23)),
    ],
)
def test_data_is_deleted_so_many_days_after_the_end(end: date, days: int, deleted: date) -> None:
    assert deleted_after(end, days) == deleted


# What a person writes


def test_a_refund_is_read_as_it_is_written() -> None:
    refund = says(rule="daily", fee="12 %", grace_days="5", cap="50,000", to="cash")
    assert (refund.rule, refund.fee_percent, refund.grace_days) == (RefundRule.DAILY, 12, 5)
    assert (refund.cap, refund.to) == (Decimal(50_000), RefundTo.CASH)
    assert Refund.model_validate(refund.model_dump(by_alias=True)) == refund


@pytest.mark.parametrize(
    "fields",
    [{"rule": "half"}, {"factor": "0.5"}, {"fee": "101 %"}, {"grace_days": "-1"}, {"cap": "-5"}, {"to": "bank"}],
)
def test_what_no_seller_can_mean_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        says(**fields)


# Properties, for all rules and all sums

prices = st.decimals(0, 10**9, places=18, allow_nan=False, allow_infinity=False)
minors = st.integers(0, 10**11)
# The one rule whose refund may rise with use, as shown above.
FALLING = [rule.value for rule in RefundRule if rule is not RefundRule.MONTHS_THEN_HOURS]


def refunds(rules: list[str]) -> st.SearchStrategy[Refund]:
    return st.builds(
        lambda rule, factor, fee, more: says(rule=rule, factor=str(factor), fee=str(fee), **more),
        st.sampled_from(rules),
        st.decimals(1, 3, places=9),
        st.decimals(0, 100, places=9),
        st.sampled_from([{}, {"grace_days": "5"}, {"cap": "1234.56"}, {"grace_days": "3", "cap": "0.10"}]),
    )


purchases = st.builds(
    Purchase,
    currency=st.sampled_from(["CNY", "USD", "JPY", "KWD"]),
    paid_minor=minors,
    coupon_minor=minors,
    bonus_minor=minors,
    total_minutes=st.integers(1, 4 * YEAR),
    increment_minutes=st.sampled_from([1, HOUR, DAY]),
    list_price=prices,
    start=st.dates(date(2020, 1, 1), date(2030, 12, 31)),
    months=st.integers(1, 36),
)
releases = st.builds(
    Release,
    used_minutes=st.integers(0, 4 * YEAR),
    month_minutes=st.sampled_from([MONTH, 730 * HOUR]),
    month_price=prices,
    hour_price=prices,
    discount_factor=st.decimals(0, 1, places=9),
    grace_spent=st.booleans(),
    refunded_minor=minors,
)


@given(refunds([rule.value for rule in RefundRule]), purchases, releases)
def test_a_refund_is_never_below_0_and_never_above_what_was_paid(
    refund: Refund, purchase: Purchase, release: Release
) -> None:
    back = refund_minor(refund, purchase, release)
    assert type(back) is int
    assert 0 <= back <= max(0, purchase.paid_minor - purchase.coupon_minor)
    cash = cash_minor(back, purchase)
    assert type(cash) is int
    assert 0 <= cash <= back


@given(refunds(FALLING), purchases, releases, st.integers(0, YEAR))
def test_a_refund_never_rises_with_use(refund: Refund, purchase: Purchase, release: Release, more_minutes: int) -> None:
    later = replace(release, used_minutes=release.used_minutes + more_minutes)
    sooner_back, later_back = refund_minor(refund, purchase, release), refund_minor(refund, purchase, later)
    assert sooner_back is not None
    assert later_back is not None
    assert later_back <= sooner_back


def exact_minor(amount: Fraction) -> int:
    """Half up to hundredths, by asking which whole number is nearest."""
    floor = int(amount * 100)
    return floor + 1 if amount * 100 - floor >= Fraction(1, 2) else floor


@given(
    st.integers(1, 10**11),
    prices,
    st.integers(1, 1000),
    st.integers(0, 1000),
    st.decimals(1, 3, places=18),
    st.integers(0, 100_000),
)
def test_no_digit_is_lost(
    paid_minor: int, list_price: Decimal, total_days: int, used_days: int, factor: Decimal, fee_thousandths: int
) -> None:
    paid, used = Fraction(paid_minor, 100), Fraction(min(used_days, total_days), total_days)
    left, fee = 1 - used, Fraction(fee_thousandths, 100_000)
    discount = max(Fraction(0), Fraction(list_price) - paid)
    written = str(Decimal(fee_thousandths).scaleb(-3))
    expected = {
        says(rule="penalty", factor=str(factor)): paid - paid * used * Fraction(factor),
        says(rule="clawback"): paid - Fraction(list_price) * used,
        says(rule="clawback_with_fee", fee=written): paid * left - discount * used * (1 + fee),
        says(rule="daily", fee=written): paid * left * (1 - fee),
    }
    purchase = replace(bought("0", total_days * DAY), paid_minor=paid_minor, list_price=list_price)
    for refund, amount in expected.items():
        back = 0 if used == 1 else exact_minor(min(max(amount, Fraction(0)), paid))
        assert refund_minor(refund, purchase, after(used_days * DAY)) == back
