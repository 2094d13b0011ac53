"""What comes back of a prepaid term that is given back before it ends: the seller's rule, what was bought, the day.

A field that is left out is not known. Where a rule needs one that is missing, the refund is not known either.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from pydantic import Field

from planner.values.quantities import Amount, Percent
from planner.values.requirements import Written


class RefundRule(StrEnum):
    """How a refund is reckoned. ``paid`` is without coupons, ``used`` and ``total`` are lengths of time.

    none: nothing (RunPod savings plan, AWS Capacity Block, Azure savings plan, 晨涧云, 腾讯云 GPU 包年包月).
    penalty: paid - paid x used/total x factor (UCloud, factor 1.25 by the day and 1.5 by the month).
    clawback: paid - list price of the whole term x used/total (UCloud by the year).
    clawback_with_fee: paid x left/total - discount received so far x (100 % + fee) (Vast.ai reserved, fee 5 %).
    months_then_hours: paid - month price x whole months x today's discount - hour price x hours over (腾讯云).
    list_at_discount: paid - list price of the whole term x days begun/total x today's discount (腾讯云).
    daily: paid x days not begun/total, less fee (Azure reservations).
    calendar_days: payment of a month x sum of (days left in a calendar month / its days), less fee (华为云).
    """

    NONE = "none"
    PENALTY = "penalty"
    CLAWBACK = "clawback"
    CLAWBACK_WITH_FEE = "clawback_with_fee"
    MONTHS_THEN_HOURS = "months_then_hours"
    LIST_AT_DISCOUNT = "list_at_discount"
    DAILY = "daily"
    CALENDAR_DAYS = "calendar_days"


class RefundTo(StrEnum):
    """Where a refund goes: back as money, or as credit that only this seller takes (智星云 算力券)."""

    CASH = "cash"
    CREDIT = "credit"


class Refund(Written):
    """What the seller pays back of a prepaid term that is given back early."""

    rule: RefundRule | None = None
    """How it is reckoned; left out where the seller quotes it case by case (捷智算, CompShare)."""
    factor: Decimal | None = Field(None, ge=1, le=100)
    """Of penalty: how many times its share of the payment the time used costs. 1.5 for UCloud by the month."""
    fee_percent: Percent | None = Field(None, alias="fee")
    """Of clawback_with_fee: on top of the discount taken back. Of daily and calendar_days: off what comes back;
    write 0 where there is none."""
    grace_days: int | None = Field(None, ge=0, le=3650)
    """All that was paid comes back within so many days of the start, once per buyer (腾讯云 and 华为云: 5)."""
    cap: Amount | None = None
    """The most that is refunded in 12 months, before the fee; none where nothing is said. Azure (USD 50,000)
    refuses a refund that would pass it, so more comes back only in parts."""
    to: RefundTo | None = None
    """cash or credit; it does not change the amount."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """A prepaid term as it was bought, of a whole lease: all its units together.

    ``paid_minor`` is everything paid; of it ``coupon_minor`` by coupons, which never come back, and
    ``bonus_minor`` by money that the seller gave. ``increment_minutes`` is the seller's: a started one counts
    as used. ``list_price`` is that of the whole term (month price x months), no discount taken off. ``start``
    and ``months`` are for calendar rules.
    """

    currency: str
    paid_minor: int
    total_minutes: int
    increment_minutes: int
    coupon_minor: int = 0
    bonus_minor: int = 0
    list_price: Decimal | None = None
    start: date | None = None
    months: int | None = None

    @property
    def refundable_minor(self) -> int:
        """The most that can come back: what was paid without coupons."""
        return max(0, self.paid_minor - self.coupon_minor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A prepaid term given back: how long it was used, and what the seller charges for the lease on that day.

    ``month_price`` is a list price, and ``discount_factor`` what is charged of it for as long as was used:
    0.88 where that is 12 % off. ``hour_price`` is what a metered hour costs. ``grace_spent``: the buyer has
    already had the one full refund. ``refunded_minor`` came back in the 12 months before.
    """

    used_minutes: int
    month_minutes: int | None = None
    month_price: Decimal | None = None
    hour_price: Decimal | None = None
    discount_factor: Decimal | None = None
    grace_spent: bool = False
    refunded_minor: int = 0
