"""A lease as the bill sees it: its tariff, the terms bought, and the phases that run in it."""

from dataclasses import dataclass
from decimal import Decimal

from planner.values.quantities import MINUTES_PER_DAY


def run_minutes_within(elapsed_minutes: int, minutes_per_day: int) -> int:
    """Running minutes in the first ``elapsed_minutes`` of a phase that runs so long at each day's beginning."""
    days, rest = divmod(elapsed_minutes, MINUTES_PER_DAY)
    return days * minutes_per_day + min(rest, minutes_per_day)


def span_minutes(run_minutes: int, minutes_per_day: int) -> int:
    """Calendar minutes that a phase takes: 300 h at 10 h a day span 30 whole days."""
    days, rest = divmod(run_minutes, minutes_per_day)
    return days * MINUTES_PER_DAY + rest


@dataclass(frozen=True, slots=True)
class Tariff:
    """What one lease of an offer costs by term, per unit (a GPU or a node) as the seller prices it.

    ``units`` are those of the whole lease: all cards of all nodes, or the nodes. A price that is None is a
    term that is not sold. ``stopped_percent`` is the share of the hourly price while stopped; None: the
    seller does not say that stopping is possible, so idle hours cost as much as running ones.
    """

    currency: str
    unit: str
    units: int
    hour: Decimal | None
    day: Decimal | None
    month: Decimal | None
    month_minutes: int
    increment_minutes: int
    stopped_percent: Decimal | None


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of a bill: quantity x unit price = cost, rounded once, half up."""

    what: str
    quantity: Decimal
    unit: str
    unit_price: Decimal
    cost_minor: int


@dataclass(frozen=True, slots=True)
class Use:
    """One phase inside a lease. ``start_minutes`` counts from the start of the lease.

    The phase books ``safe_run_minutes`` of running, at most ``minutes_per_day`` in each 24 hours from its
    start, and is expected to need ``run_minutes`` of them. ``storage`` is what it pays for storage that
    outlives the node, where that is asked for.
    """

    start_minutes: int
    run_minutes: int
    safe_run_minutes: int
    minutes_per_day: int
    storage: Charge | None = None

    @property
    def span_minutes(self) -> int:
        return span_minutes(self.safe_run_minutes, self.minutes_per_day)

    @property
    def end_minutes(self) -> int:
        return self.start_minutes + self.span_minutes


@dataclass(frozen=True, slots=True)
class Bundle:
    """Prepaid terms at the beginning of a lease: so many months, then so many days. Hours follow, metered."""

    months: int = 0
    days: int = 0

    def prepaid_minutes(self, tariff: Tariff) -> int:
        return self.months * tariff.month_minutes + self.days * MINUTES_PER_DAY


@dataclass(frozen=True, slots=True)
class Bill:
    """The charges of one lease. ``cost_minor`` meters expected hours, ``cost_safe_minor`` all booked ones."""

    charges: tuple[Charge, ...]
    cost_safe_minor: int

    @property
    def cost_minor(self) -> int:
        return sum(charge.cost_minor for charge in self.charges)


@dataclass(frozen=True, slots=True)
class Price:
    """A bundle and what the lease then costs in all."""

    bundle: Bundle
    cost_minor: int
    cost_safe_minor: int
