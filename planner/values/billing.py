"""How a seller bills, as a person writes it: prices by term, metering, what stopping costs, discounts.

A field that is left out is not known.
"""

import re
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from planner.values.quantities import MINUTES_PER_HOUR, Amount, Day, Minutes, MonthRule, Percent, Seconds, fault
from planner.values.refunds import Refund
from planner.values.requirements import Name, Written

# No article states how long a month is: 720 h is an assumption, shown wherever a month is bought.
ASSUMED_MONTH_MINUTES: Final = 720 * MINUTES_PER_HOUR
ASSUMED_INCREMENT_SECONDS: Final = 3600
# Where a lease's first day is not known yet, a month of the calendar counts as short as one can be.
SHORTEST_MONTH_DAYS: Final = 28
TERMS: Final = ("year", "quarter", "month", "week", "day")
"""Terms that are paid for as a whole, longest first; hours are metered."""
MONTHS_OF: Final = {"year": 12, "quarter": 3, "month": 1}
_COUNTS = re.compile(r"(\d{1,4})(?:-(\d{1,4})(?:/(\d{1,4}))?)?", re.ASCII)
_MOST_COUNT: Final = 4000


def _parse_counts(value: Any) -> Any:
    """``1-14, 21-182/7``: one to fourteen, then twenty-one to 182 by sevens."""
    if isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return value
    counts: set[int] = set()
    for part in value.split(","):
        match = _COUNTS.fullmatch(part.strip())
        first, last, step = (int(text) if text else 0 for text in match.groups()) if match else (0, 0, 0)
        if not 1 <= first <= (last or first) <= _MOST_COUNT or (match and match[3] and step < 1):
            raise fault("counts", "1-14, 21-182/7")
        counts.update(range(first, (last or first) + 1, step or 1))
    return tuple(sorted(counts))


Counts = Annotated[
    tuple[Annotated[int, Field(ge=1, le=_MOST_COUNT)], ...],
    Field(min_length=1, max_length=_MOST_COUNT),
    BeforeValidator(_parse_counts),
    PlainSerializer(lambda counts: ", ".join(map(str, counts)), return_type=str),
    WithJsonSchema({"type": ["string", "integer"], "description": "counts that are sold, such as 1-14, 21-182/7"}),
]


class CountDiscount(Written):
    """Off the price of a term where at least so many of it are bought at once."""

    from_count: int = Field(alias="from", ge=1, le=_MOST_COUNT)
    off_percent: Percent = Field(alias="off")


class LengthDiscount(Written):
    """Off the hourly price where the lease is at least so long."""

    from_minutes: Minutes = Field(alias="from", gt=0)
    off_percent: Percent = Field(alias="off")


class VolumeDiscount(Written):
    """Off every price where at least so many nodes are rented together."""

    from_nodes: int = Field(alias="from", ge=1, le=10_000)
    off_percent: Percent = Field(alias="off")


class Rate(Written):
    """A price: one amount, or a range of the market. Written as ``6.20`` or ``{low: 6, high: 12}``."""

    amount: Amount | None = None
    low: Amount | None = None
    high: Amount | None = None
    before_discount: Amount | None = None
    """The list price that a public discount was taken from; recorded, never charged."""
    renewal: Amount | None = Field(None, alias="renewal_price", gt=0)
    """What each further one costs after the first."""
    counts: Counts | None = Field(None, alias="allowed_counts")
    """How many may be bought in one lease; any number where nothing is said."""
    discounts: tuple[CountDiscount, ...] = ()
    included_hours: Decimal | None = Field(None, gt=0, le=100_000, max_digits=12)
    """Running hours that one term holds for each priced unit; each further one costs ``overage``."""
    overage: Amount | None = Field(None, gt=0)
    """Price of a running hour beyond the included ones."""
    upfront_percent: Percent | None = Field(None, alias="upfront")
    """Share of the price that is due at the start, the rest in equal parts by the month; all of it unless said."""

    @model_validator(mode="before")
    @classmethod
    def _from_plain(cls, value: Any) -> Any:
        return {"amount": value} if isinstance(value, (str, int, Decimal)) else value

    @model_validator(mode="after")
    def _one_price(self) -> Self:
        is_range = self.low is not None and self.high is not None and self.amount is None
        if not is_range and (self.amount is None or self.low is not None or self.high is not None):
            raise PydanticCustomError("rate", "an amount, or low and high", {"expected": "amount | low, high"})
        if is_range and self.charged > 0 and (self.low or 0) > self.charged:
            raise PydanticCustomError("rate", "low above high", {"expected": "low <= high"})
        if (self.included_hours is None) != (self.overage is None):
            expected = "included_hours with overage"
            raise PydanticCustomError("rate", "included hours and what more cost", {"expected": expected})
        if self.charged <= 0:
            raise PydanticCustomError("rate", "a price above 0", {"expected": "> 0"})
        return self

    @property
    def charged(self) -> Decimal:
        """What a plan reckons with: the amount, or the high end of a range."""
        amount = self.high if self.amount is None else self.amount
        return Decimal(0) if amount is None else amount


class PriceList(Written):
    """Prices by term. A term that is not priced is not sold."""

    hour: Rate | None = None
    day: Rate | None = None
    week: Rate | None = None
    month: Rate | None = None
    quarter: Rate | None = None
    year: Rate | None = None

    @model_validator(mode="after")
    def _has_a_price(self) -> Self:
        if not self.rates:
            raise PydanticCustomError("no_price", "a price for hour, day or month", {"expected": "hour | day | month"})
        return self

    @property
    def rates(self) -> dict[str, Rate]:
        """By term, hours first, then longest first."""
        return {term: rate for term in ("hour", *TERMS) if (rate := getattr(self, term)) is not None}


def _in_whole_minutes(seconds: int) -> int:
    """Leases are of whole minutes: what neither divides one nor is some would be rounded wrongly."""
    if seconds and 60 % seconds and seconds % 60:
        raise fault("a duration that divides a minute, or is some", "1 s, 1 min or 1 h")
    return seconds


Increment = Annotated[Seconds, AfterValidator(_in_whole_minutes)]
PerUnit = Literal["gpu", "node"]


class Component(PriceList):
    """A part that is priced apart and added, such as the host beside its cards."""

    name: Name
    per: PerUnit


class PriceChange(PriceList):
    """Prices that hold from a day on, announced beforehand; terms not named here keep theirs."""

    from_day: Day = Field(alias="from")


class Prices(PriceList):
    """Prices per GPU or for the whole node, with what is added and what is announced."""

    per: PerUnit
    components: tuple[Component, ...] = ()
    changes: tuple[PriceChange, ...] = ()


class Stopped(Written):
    """What a stopped machine costs, and whether its cards are kept."""

    charge_percent: Percent = Field(alias="charge")
    """Share of the hourly price: 0 % is free, 100 % means that stopping saves nothing."""
    flat_month: Amount | None = Field(None, alias="flat_fee")
    """What a node costs for a month of being stopped, whatever it cost running."""
    allowed: bool = True
    """False: it can only be given back, so waiting costs as much as running."""
    gpu_held: bool | None = None
    """Whether the cards are kept while stopped; if not, starting again may fail."""
    retention_minutes: Minutes | None = Field(None, alias="retention")
    """How long a stopped machine and its data are kept."""
    ends_term: bool | None = None
    """Whether a stop within a prepaid term ends the term: what is left of it is lost."""


class Spot(Written):
    """How interruptible capacity is sold."""

    model: Literal["bid", "floating", "fixed"]
    notice_minutes: Minutes | None = Field(None, alias="notice")
    guaranteed_minutes: Minutes | None = Field(None, alias="guaranteed")


class Renewal(Written):
    """What happens when a prepaid term is followed by another."""

    mode: Literal["manual", "auto", "notify"] | None = None
    """Whether a term renews by itself, is only announced, or ends unless the buyer acts."""
    charged_before_minutes: Minutes | None = Field(None, alias="charged_before")
    """How long before the end a renewal takes the money."""
    discount: Literal["each", "in_all"] | None = None
    """Which count the discount of a renewal follows: that of the renewal itself, or of all terms in one row."""


class AfterEnd(Written):
    """What a seller does with a machine that is not paid for any more."""

    off_minutes: Minutes | None = Field(None, alias="off")
    """How long after the end it still runs."""
    reclaimed_minutes: Minutes | None = Field(None, alias="reclaimed")
    """How long after the end it is taken away, with its data."""


class Billing(Written):
    """How the seller meters, rounds, discounts, and what follows a term."""

    increment_seconds: Increment | None = Field(None, alias="increment", gt=0)
    rounding: Literal["lease", "start"] | None = None
    """What is rounded up to the increment: the lease's running as a whole, or each start of the machine."""
    minimum_charge: Amount | None = Field(None, alias="min_charge")
    """The least that a metered lease costs."""
    minimum_minutes: Minutes | None = Field(None, alias="min_time")
    """The least that is metered of a lease by the hour."""
    month: MonthRule | None = Field(None, alias="month")
    monthly_cap: Amount | None = None
    """The most that a month of metered hours costs, per priced unit."""
    length_discounts: tuple[LengthDiscount, ...] = ()
    volume_discounts: tuple[VolumeDiscount, ...] = ()
    on_expiry: Literal["hourly", "stop"] | None = None
    """What follows a prepaid term: hours at the hourly price, or nothing."""
    conversion: tuple[Literal["hour_to_month", "month_to_year", "month_to_hour"], ...] | None = None
    """Ways in which a running lease may change its terms."""
    renewal: Renewal | None = None
    after_term: AfterEnd | None = None
    """When a prepaid term has ended."""
    arrears: AfterEnd | None = None
    """When the balance is used up."""
    stopped: Stopped | None = None
    cardless_hour: Amount | None = Field(None, alias="cardless_rate")
    """An hour of the node without its cards, for moving data."""
    refund: Refund | None = None
    """What comes back of a prepaid term that is given back early."""
    spot_terms: Spot | None = None
    renewal_factor_at_most: Decimal | None = Field(None, ge=1, le=100)
    """The renewal may cost up to so many times the first month; recorded for the buyer to settle."""
    negotiable_to_percent: Percent | None = None
    """A target for negotiation, as a share of the list price; never a price."""
