"""What a rental of an offer costs by every way of paying: the answer of `planner bill`.

`Rental`, `Way`, `NoWay` and `BreakEven` are exact; `Invoice` is the document (planner.bill/1): money is decimal text
in the major unit, moments are ISO 8601 text by the seller's calendar, kinds, reasons and notes are stable identifiers.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Final

from pydantic import Field

from planner.values.catalog import Offer
from planner.values.lease import Charge, Use
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.report import ChargeLine
from planner.values.tariff import Bundle

BILL_SCHEMA: Final = "planner.bill/1"
MOST_DAYS: Final = 3 * 366
"""The longest rental that is billed."""
MOST_NODES: Final = 10_000


class WayKind(StrEnum):
    """A way of paying; among equally cheap ones the first named is the plainest."""

    HOUR = "hour"
    """By the hour, stopped outside the hours of each day where that is possible."""
    HOUR_RUNNING = "hour_running"
    """By the hour, kept running all day."""
    TERM = "term"
    """One prepaid term alone, as many of it as cover the rental."""
    MIX = "mix"
    CONVERTED = "converted"
    """By the hour first, then changed into prepaid months."""
    RENEWED = "renewed"
    """One prepaid term first, and the others when it ends, at the discount of a renewal."""
    RELEASE = "release"
    """A prepaid term that is given back early."""
    ANEW = "anew"
    """One lease after the other, each of one term at its first price."""


@dataclass(frozen=True, slots=True)
class Rental:
    """So many nodes of an offer from the beginning of the day ``start`` to the beginning of ``end``.

    Days are the seller's calendar days without daylight saving, 24 h each. The machine runs ``minutes_per_day`` at
    the beginning of each.
    """

    offer: Offer
    start: date
    end: date
    minutes_per_day: int = MINUTES_PER_DAY
    nodes: int = 1

    @property
    def days(self) -> int:
        return (self.end - self.start).days

    @property
    def span_minutes(self) -> int:
        return self.days * MINUTES_PER_DAY

    @property
    def run_minutes(self) -> int:
        return self.days * self.minutes_per_day

    @property
    def gpus(self) -> int:
        return self.nodes * self.offer.gpus_per_node

    @property
    def use(self) -> Use:
        """As it is wanted."""
        return Use(0, self.run_minutes, self.run_minutes, self.minutes_per_day)

    @property
    def use_all_day(self) -> Use:
        return Use(0, self.span_minutes, self.span_minutes, MINUTES_PER_DAY)


@dataclass(frozen=True, slots=True)
class Way:
    """A way of paying, with its bill in the seller's currency; ``paid_minutes`` from the start, of one lease or of
    ``leases`` one after the other. ``upfront_minor``: due at the start, where that is not all of a prepaid term.
    """

    kind: WayKind
    bundle: Bundle
    charges: tuple[Charge, ...]
    paid_minutes: int
    leases: int = 1
    notes: tuple[str, ...] = ()
    upfront_minor: int | None = None

    @property
    def total_minor(self) -> int:
        return sum(charge.cost_minor for charge in self.charges)


@dataclass(frozen=True, slots=True)
class NoWay:
    """A way that is impossible. ``term``: hour, or a prepaid term; ``found``: what stands against it, such as the
    counts that are sold.

    ``reason``: not_sold, part_not_sold (a component has no such price), counts (none that is sold covers the rental),
    refund_not_said, refund_unclear (the rule, or a figure that it needs, is missing), nothing_back.
    """

    kind: WayKind
    term: str
    reason: str
    found: str = ""


@dataclass(frozen=True, slots=True)
class BreakEven:
    """A prepaid term against the hour. ``equal_hours``: its price / the price of an hour, exact.

    ``beyond_hours``: hours inside the term beyond which it is cheaper; None where it never is. They are hours
    running, or where stopping saves nothing (``is_rented``), hours rented. ``count``: the fewest that are sold
    together. ``is_renewal``: at the price of each one after the first.
    """

    term: str
    count: int
    is_renewal: bool
    term_minutes: int
    equal_hours: Fraction
    beyond_hours: Fraction | None
    is_rented: bool


@dataclass(frozen=True, slots=True)
class TermCount:
    term: str
    count: int


@dataclass(frozen=True, slots=True)
class TaxReport:
    """What the total is made of: net + tax = gross. ``withheld`` is paid beside the bill; None: the seller does not
    say whether there is any.
    """

    rate_percent: str
    is_included: bool
    net: str
    tax: str
    gross: str
    withholding_percent: str | None
    withheld: str | None


@dataclass(frozen=True, slots=True)
class WayReport:
    """``total`` is the sum of the charges, as the seller writes its prices. ``price_per_gpu_hour``: of each hour that
    a card runs, to four decimals. ``unused_hours``: paid for beyond the end of the rental. ``tax`` None: not said.
    ``upfront``: due at the start where that is not all of a prepaid term; the rest follows in equal parts by the month.
    """

    kind: str
    terms: tuple[TermCount, ...]
    leases: int
    charges: tuple[ChargeLine, ...]
    total: str
    price_per_gpu_hour: str
    paid_until: str
    paid_hours: str
    unused_hours: str
    tax: TaxReport | None
    notes: tuple[str, ...]
    upfront: str | None = None


@dataclass(frozen=True, slots=True)
class NoWayReport:
    kind: str
    term: str
    reason: str
    found: str


@dataclass(frozen=True, slots=True)
class BreakEvenReport:
    """Hours as decimal text, exact or to six decimals; ``pays_beyond_hours`` None: the term saves nothing."""

    term: str
    count: int
    is_renewal: bool
    term_hours: str
    equal_hours: str
    pays_beyond_hours: str | None
    is_rented: bool


@dataclass(frozen=True, slots=True)
class BillNotice:
    """Something to know before signing, and what it is about."""

    rule: str
    value: str


@dataclass(frozen=True, slots=True)
class Invoice:
    """``ways``: cheapest first. ``deposit``: cash that comes back, in no total. ``to`` itself is not included."""

    offer: str
    seller: str
    gpu: str
    gpus_per_node: int
    nodes: int
    currency: str
    price_kind: str
    observed: str
    from_: Annotated[str, Field(serialization_alias="from")]
    to: str
    days: int
    hours_per_day: str
    run_hours: str
    gpu_hours: str
    ways: tuple[WayReport, ...]
    impossible: tuple[NoWayReport, ...]
    break_even: tuple[BreakEvenReport, ...]
    deposit: str | None
    notices: tuple[BillNotice, ...]
    actions: tuple[str, ...]
    note: str | None
    """The seller's or the catalog's own words about the offer."""
