"""What a shared lease costs at least, wherever its phases stand: the tighter, the fewer leases the program holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from planner.values.lease import run_minutes_within
from planner.values.matches import Candidate
from planner.values.money import minor_digits, to_minor
from planner.values.plans import Problem
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.tariff import Bundle, Tariff

Separations = Mapping[tuple[int, int], int]


def bundle_minor(tariff: Tariff, bundle: Bundle) -> int:
    """What prepaid terms of a lease are billed at: each line rounded once, as `pricing` does."""
    lines = [
        (count, price)
        for name, number in bundle.counts
        if (term := tariff.parts[0].term(name)) is not None
        for count, price in term.lines(number)
    ]
    return sum(to_minor(count * tariff.units * Fraction(price), tariff.currency) for count, price in lines)


def day_minor(tariff: Tariff) -> Fraction:
    """Exact minor units that a prepaid day of the whole lease costs; 0 where no day is sold."""
    day = tariff.parts[0].term("day")
    return _exact_minor(tariff, Decimal(0) if day is None else day.price)


def increment_minor(tariff: Tariff) -> Fraction:
    """Exact minor units that one metered increment of the whole lease costs while it runs."""
    return _exact_minor(tariff, tariff.hour or Decimal(0)) * Fraction(tariff.increment_minutes, MINUTES_PER_HOUR)


def _exact_minor(tariff: Tariff, price: Decimal) -> Fraction:
    return Fraction(price) * tariff.units * Fraction(10 ** minor_digits(tariff.currency))


def most_days_of(tariff: Tariff, horizon_minutes: int) -> int:
    """Days are worth buying only below the price of 24 metered hours."""
    day = tariff.parts[0].term("day")
    if day is None or (tariff.hour is not None and day.price >= 24 * tariff.hour):
        return 0
    return -(-horizon_minutes // MINUTES_PER_DAY)


@dataclass(frozen=True, slots=True)
class Layout:
    """The earliest that members can stand in a lease: minutes from its start to each. ``is_ordered``: no two of them
    could change places.
    """

    offsets: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    is_ordered: bool

    @property
    def span_minutes(self) -> int:
        """Of the lease, at least: its phases do not overlap."""
        placed = zip(self.offsets, self.candidates, strict=True)
        last = max(offset + candidate.span_minutes for offset, candidate in placed)
        return max(last, sum(candidate.span_minutes for candidate in self.candidates))


def separations(problem: Problem) -> Separations:
    """Minutes at least from the end of a step to the start of each that follows it, over all steps between."""
    least: dict[tuple[int, int], int] = {}
    for index, step in enumerate(problem.steps):
        for before in step.after:
            shortest = min((one.span_minutes for one in problem.steps[before].candidates), default=0)
            reached = {before: 0} | {a: apart + shortest for (a, b), apart in least.items() if b == before}
            for ancestor, apart in reached.items():
                known = least.get((ancestor, index), 0)
                least[ancestor, index] = max(known, apart + step.gap_minutes)
    return least


def layout_of(apart: Separations, members: Sequence[int], candidates: Sequence[Candidate]) -> Layout:
    """Each member as soon as those that it follows allow, whatever else stands in the lease."""
    offsets: list[int] = []
    for place, member in enumerate(members):
        ready = (
            offsets[earlier] + candidates[earlier].span_minutes + apart[members[earlier], member]
            for earlier in range(place)
            if (members[earlier], member) in apart
        )
        offsets.append(max(ready, default=0))
    is_ordered = all(pair in apart for pair in pairwise(members))
    return Layout(tuple(offsets), tuple(candidates), is_ordered)


def least_billed(tariff: Tariff, layout: Layout, bundle: Bundle, most_days: int) -> int | None:
    """A bound below the bill with any number of prepaid days; None where none of them covers the lease.

    To push a phase back never makes more of the lease prepaid, so the earliest layout is the cheapest one.
    """
    costs = []
    for days in range(most_days + 1):
        prepaid_minutes = tariff.prepaid_minutes(bundle) + days * MINUTES_PER_DAY
        if tariff.hour is not None or prepaid_minutes >= layout.span_minutes:
            prepaid_minor = bundle_minor(tariff, bundle) + bundle_minor(tariff, Bundle.of(day=days))
            costs.append(prepaid_minor + _metered_minor(tariff, layout, prepaid_minutes))
        if prepaid_minutes >= layout.span_minutes:
            break
    return min(costs, default=None)


def _metered_minor(tariff: Tariff, layout: Layout, prepaid_minutes: int) -> int:
    run = safe = 0
    for offset, candidate in zip(layout.offsets, layout.candidates, strict=True):
        inside = min(max(prepaid_minutes - offset, 0), candidate.span_minutes)
        paid = run_minutes_within(inside, candidate.minutes_per_day)
        run += max(0, candidate.run_minutes - paid)
        safe += max(0, candidate.safe_run_minutes - paid)
    waiting = max(0, layout.span_minutes - prepaid_minutes) - safe if layout.is_ordered else 0
    if tariff.stopped_percent is None:
        # Running and idle are lines of their own: rounding both may take off a unit of what they come to.
        rounding = 0 if increment_minor(tariff).denominator == 1 else 1
        return max(0, _hours_minor(tariff, run + waiting, Fraction(1)) - rounding)
    share = Fraction(tariff.stopped_percent) / 100
    return _hours_minor(tariff, run, Fraction(1)) + _hours_minor(tariff, waiting, share)


def _hours_minor(tariff: Tariff, minutes: int, share: Fraction) -> int:
    increments = -(-minutes // tariff.increment_minutes)
    exact = increments * increment_minor(tariff) * share / 10 ** minor_digits(tariff.currency)
    return to_minor(exact, tariff.currency)


# What rounding may take off a few lines of a bill, and floats off a bound.
ROUNDING_MINOR = 10


def least_rate(tariff: Tariff) -> float:
    """A bound below what a running minute costs in minor units of the plan's currency, under any mix of terms."""
    part = tariff.parts[0]
    rates = [] if tariff.hour is None else [float(tariff.hour) / MINUTES_PER_HOUR]
    for term in part.terms:
        off = max((float(percent) for _, percent in term.discounts), default=0.0)
        prices = (term.price, term.price if term.renewal is None else term.renewal)
        rates.append(float(min(prices)) * (100 - off) / 100 / tariff.least_minutes(term.name))
    minor_units = float(10 ** minor_digits(tariff.currency))
    return min(rates, default=0.0) * part.units * float(tariff.basis) * minor_units
