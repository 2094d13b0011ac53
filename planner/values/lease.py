"""A lease as the bill sees it: the phases that run in it, its charges, and what they cost."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from planner.values.money import borne_minor
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.tariff import Bundle


def run_minutes_within(elapsed_minutes: int, minutes_per_day: int) -> int:
    """Running minutes in the first ``elapsed_minutes`` of a phase that runs so long at each day's beginning."""
    days, rest = divmod(elapsed_minutes, MINUTES_PER_DAY)
    return days * minutes_per_day + min(rest, minutes_per_day)


def span_minutes(run_minutes: int, minutes_per_day: int) -> int:
    """Calendar minutes that a phase takes: 300 h at 10 h a day span 30 whole days."""
    days, rest = divmod(run_minutes, minutes_per_day)
    return days * MINUTES_PER_DAY + rest


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of a bill: quantity x unit price = cost, rounded once, half up.

    ``agreed_percent``: what is off the unit price already, as the user has agreed with the seller.
    """

    what: str
    quantity: Decimal
    unit: str
    unit_price: Decimal
    cost_minor: int
    agreed_percent: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Use:
    """One phase inside a lease. ``start_minutes`` counts from the start of the lease.

    The phase books ``safe_run_minutes`` of running, at most ``minutes_per_day`` in each 24 hours from its
    start, and is expected to need ``run_minutes`` of them. ``extras`` are what it pays for storage that outlives
    the node, and for what it moves over the network.
    """

    start_minutes: int
    run_minutes: int
    safe_run_minutes: int
    minutes_per_day: int
    extras: tuple[Charge, ...] = ()

    @property
    def span_minutes(self) -> int:
        return span_minutes(self.safe_run_minutes, self.minutes_per_day)

    @property
    def end_minutes(self) -> int:
        return self.start_minutes + self.span_minutes


@dataclass(frozen=True, slots=True)
class Bill:
    """The charges of one lease in the seller's currency, as billed; costs are in the plan's, as the buyer bears them.

    ``billed_minor`` meters expected hours, ``billed_safe_minor`` all booked ones; ``basis`` turns either into cost.
    """

    charges: tuple[Charge, ...]
    billed_safe_minor: int
    basis: Fraction = Fraction(1)

    @property
    def billed_minor(self) -> int:
        return sum(charge.cost_minor for charge in self.charges)

    @property
    def cost_minor(self) -> int:
        return borne_minor(self.billed_minor, self.basis)

    @property
    def cost_safe_minor(self) -> int:
        return borne_minor(self.billed_safe_minor, self.basis)


@dataclass(frozen=True, slots=True)
class Price:
    """A bundle and what the lease then costs in all."""

    bundle: Bundle
    cost_minor: int
    cost_safe_minor: int
