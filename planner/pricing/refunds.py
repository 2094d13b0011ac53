"""What comes back of a prepaid term that is given back early.

Everything is an exact fraction of the currency until the refund is rounded, once, half up. Sources:

- UCloud: github.com/UCloudDoc-Team/charge, refund.md (penalty, clawback; a started hour counts)
- Vast.ai: github.com/vast-ai/docs, guides/instances/choosing/reserved-instances.mdx (clawback_with_fee)
- 腾讯云: github.com/tencentyun/qcloud-documents, 云服务退货说明.md (months_then_hours, list_at_discount, grace)
- Azure: github.com/MicrosoftDocs/azure-docs, exchange-and-refund-azure-reservations.md (daily, cap, fee)
- 华为云: support.huaweicloud.com/usermanual-billing/renewals_topic_60000001.html (calendar_days)
"""

from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from planner.values.money import minor_digits, to_minor
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.refunds import Purchase, Refund, RefundRule, Release

MONTHS_PER_YEAR = 12
# Rules whose fee is taken off what comes back.
_FEE_TAKEN_OFF = (RefundRule.DAILY, RefundRule.CALENDAR_DAYS)


def last_day(start: date, months: int) -> date:
    """The last paid day of so many months from ``start``, 华为云's way: 8 April and a month last through 8 May.

    A day that the last month lacks is its last one: 31 January and a month last through 28 February.
    """
    year, month = divmod(start.year * MONTHS_PER_YEAR + start.month - 1 + months, MONTHS_PER_YEAR)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def remaining_months(after: date, last: date) -> Fraction:
    """Months in the days after one day through another, each day as its share of its own calendar month.

    After 18 April through 8 May: 12/30 + 8/31. Whole calendar months count 1 each; negative where ``last`` is first.
    """
    return _months_until(last) - _months_until(after)


def _months_until(day: date) -> Fraction:
    return day.year * MONTHS_PER_YEAR + day.month + Fraction(day.day, monthrange(day.year, day.month)[1])


def _money(minor: int, currency: str) -> Fraction:
    return Fraction(minor, 10 ** minor_digits(currency))


def _share(percent: float) -> Fraction:
    """A percentage as the share that was written: 0.1 % is a thousandth, not the nearest binary number."""
    return Fraction(Decimal(str(percent))) / 100


def _used_share(purchase: Purchase, release: Release, increment_minutes: int) -> Fraction:
    """Share of the term that is used, a started increment counting as a whole one."""
    increments = -(-release.used_minutes // increment_minutes)
    return min(Fraction(1), Fraction(increments * increment_minutes, purchase.total_minutes))


def _refundable(purchase: Purchase) -> Fraction:
    return _money(purchase.refundable_minor, purchase.currency)


def _none(_refund: Refund, _purchase: Purchase, _release: Release) -> Fraction:
    return Fraction(0)


def _penalty(refund: Refund, purchase: Purchase, release: Release) -> Fraction | None:
    if refund.factor is None:
        return None
    used = _used_share(purchase, release, purchase.increment_minutes)
    return _refundable(purchase) * (1 - used * Fraction(refund.factor))


def _clawback(_refund: Refund, purchase: Purchase, release: Release) -> Fraction | None:
    if purchase.list_price is None:
        return None
    used = _used_share(purchase, release, purchase.increment_minutes)
    return _refundable(purchase) - Fraction(purchase.list_price) * used


def _clawback_with_fee(refund: Refund, purchase: Purchase, release: Release) -> Fraction | None:
    if purchase.list_price is None or refund.fee_percent is None:
        return None
    used = _used_share(purchase, release, purchase.increment_minutes)
    # A coupon pays a price, it is no discount on it: the discount is off the whole price, coupons and all.
    discount = max(Fraction(0), Fraction(purchase.list_price) - _money(purchase.paid_minor, purchase.currency))
    return _refundable(purchase) * (1 - used) - discount * used * (1 + _share(refund.fee_percent))


def _months_then_hours(_refund: Refund, purchase: Purchase, release: Release) -> Fraction | None:
    """May rise with use: the hours of a month that is not full can cost more than the month."""
    month, hour, discount = release.month_price, release.hour_price, release.discount_factor
    if month is None or hour is None or discount is None or release.month_minutes is None:
        return None
    increments = -(-release.used_minutes // purchase.increment_minutes)
    months, minutes_over = divmod(increments * purchase.increment_minutes, release.month_minutes)
    consumed = Fraction(month) * months * Fraction(discount) + Fraction(hour) * Fraction(minutes_over, MINUTES_PER_HOUR)
    return _refundable(purchase) - consumed


def _list_at_discount(_refund: Refund, purchase: Purchase, release: Release) -> Fraction | None:
    if purchase.list_price is None or release.discount_factor is None:
        return None
    used = _used_share(purchase, release, MINUTES_PER_DAY)
    return _refundable(purchase) - Fraction(purchase.list_price) * Fraction(release.discount_factor) * used


def _daily(_refund: Refund, purchase: Purchase, release: Release) -> Fraction:
    return _refundable(purchase) * (1 - _used_share(purchase, release, MINUTES_PER_DAY))


def _calendar_days(_refund: Refund, purchase: Purchase, release: Release) -> Fraction | None:
    """The day of the release counts as used, whatever the hour; 华为云 may give back the hours that are left of it."""
    if purchase.start is None or not purchase.months:
        return None
    today = purchase.start + timedelta(days=release.used_minutes // MINUTES_PER_DAY)
    left = remaining_months(today, last_day(purchase.start, purchase.months))
    return _refundable(purchase) / purchase.months * left


_RULES: Mapping[RefundRule, Callable[[Refund, Purchase, Release], Fraction | None]] = {
    RefundRule.NONE: _none,
    RefundRule.PENALTY: _penalty,
    RefundRule.CLAWBACK: _clawback,
    RefundRule.CLAWBACK_WITH_FEE: _clawback_with_fee,
    RefundRule.MONTHS_THEN_HOURS: _months_then_hours,
    RefundRule.LIST_AT_DISCOUNT: _list_at_discount,
    RefundRule.DAILY: _daily,
    RefundRule.CALENDAR_DAYS: _calendar_days,
}


def _capped(value: Fraction, refund: Refund, purchase: Purchase, release: Release) -> Fraction:
    """Never below 0, never above what was paid without coupons, never above what is left of the seller's cap."""
    value = min(max(value, Fraction(0)), _refundable(purchase))
    if refund.cap is None:
        return value
    left = Fraction(refund.cap) - _money(release.refunded_minor, purchase.currency)
    return min(value, max(left, Fraction(0)))


def _by_rule(refund: Refund, purchase: Purchase, release: Release) -> Fraction | None:
    if refund.rule is None:
        return None
    value = _RULES[refund.rule](refund, purchase, release)
    if value is None:
        return None
    value = _capped(value, refund, purchase, release)
    if refund.rule not in _FEE_TAKEN_OFF:
        return value
    return None if refund.fee_percent is None else value * (1 - _share(refund.fee_percent))


def _within_grace(refund: Refund, release: Release) -> bool:
    if refund.grace_days is None or release.grace_spent:
        return False
    return release.used_minutes <= refund.grace_days * MINUTES_PER_DAY


def refund_minor(refund: Refund, purchase: Purchase, release: Release) -> int | None:
    """What comes back, in whole minor units, money and bonus together; 0 where nothing does.

    None where the rule is not known, or a figure that it needs is missing: ask the seller first. A term that
    is used up gives nothing back under any rule.
    """
    if release.used_minutes >= purchase.total_minutes:
        return 0
    if _within_grace(refund, release):
        value: Fraction | None = _capped(_refundable(purchase), refund, purchase, release)
    else:
        value = _by_rule(refund, purchase, release)
    return None if value is None else to_minor(value, purchase.currency)


def cash_minor(refunded_minor: int, purchase: Purchase) -> int:
    """How much of a refund is money, in minor units: it comes back in the shares in which money and bonus paid."""
    paid = purchase.refundable_minor
    if not paid:
        return 0
    cash = max(0, paid - purchase.bonus_minor)
    return to_minor(_money(refunded_minor, purchase.currency) * Fraction(cash, paid), purchase.currency)


def deleted_after(end: date, retention_days: int) -> date:
    """The day on which a machine and its data are deleted, so many days after it expired or was stopped."""
    return end + timedelta(days=retention_days)
