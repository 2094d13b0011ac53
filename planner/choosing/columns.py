"""Shared leases worth considering: which phases, on which resource, with which prepaid terms.

A lease of one phase is priced beforehand, exactly. A lease of several phases is a column of the program:
(resource, members, prepaid terms but days). A column is left out only where it cannot be cheaper than leases of the
single phases, which could stand at the same times (see `reducing`): so leaving it out changes no optimum.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise

from planner.choosing.reducing import Reduction
from planner.values.matches import Candidate
from planner.values.money import borne_minor, minor_digits, to_minor
from planner.values.plans import Problem
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.tariff import Bundle, Tariff


@dataclass(frozen=True, slots=True)
class Column:
    """A lease that several steps may share. ``most_days``: prepaid days the program may add to the bundle."""

    key: tuple[str, int]
    members: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    bundle: Bundle
    most_days: int

    @property
    def tariff(self) -> Tariff:
        return self.candidates[0].tariff

    @property
    def bundle_minutes(self) -> int:
        return self.tariff.prepaid_minutes(self.bundle)

    @property
    def bundle_minor(self) -> int:
        """What the prepaid terms are billed at."""
        return bundle_minor(self.tariff, self.bundle)

    @property
    def extras_minor(self) -> int:
        """What the members pay beside machine hours, wherever the lease begins and ends."""
        return sum(candidate.extras_minor for candidate in self.candidates)


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


def _most_days(tariff: Tariff, horizon_minutes: int) -> int:
    """Days are worth buying only below the price of 24 metered hours."""
    day = tariff.parts[0].term("day")
    if day is None or (tariff.hour is not None and day.price >= 24 * tariff.hour):
        return 0
    return -(-horizon_minutes // MINUTES_PER_DAY)


def _least_billed(tariff: Tariff, run_minutes: int, span_minutes: int, bundle: Bundle, most_days: int) -> int | None:
    """A bound below the bill of any lease that holds so much running and is at least so long."""
    costs = []
    for days in range(most_days + 1):
        prepaid_minutes = tariff.prepaid_minutes(bundle) + days * MINUTES_PER_DAY
        cost = bundle_minor(tariff, bundle) + bundle_minor(tariff, Bundle.of(day=days))
        if tariff.hour is not None:
            increments = -(-max(0, run_minutes - prepaid_minutes) // tariff.increment_minutes)
            costs.append(
                cost
                + to_minor(
                    increments * increment_minor(tariff) / 10 ** minor_digits(tariff.currency),
                    tariff.currency,
                )
            )
        elif prepaid_minutes >= span_minutes:
            costs.append(cost)
        if prepaid_minutes >= span_minutes:
            break
    return min(costs, default=None)


def _follow_directly(problem: Problem, members: tuple[int, ...]) -> bool:
    """Whether each member follows the one before: then going on in one lease costs the same as two."""
    return all(first in problem.steps[second].after for first, second in pairwise(members))


def columns(problem: Problem, reduction: Reduction, horizon_minutes: int) -> Iterator[Column]:
    """All shared leases that could be cheaper than, or as cheap as going on with, single ones."""
    resources: dict[tuple[tuple[str, int], Tariff], dict[int, Candidate]] = {}
    for index, step in enumerate(problem.steps):
        for candidate in step.candidates:
            if candidate.tariff.is_linear:
                resources.setdefault((candidate.key, candidate.tariff), {})[index] = candidate
    for (key, _), by_step in resources.items():
        for size in range(2, len(by_step) + 1):
            for members in combinations(sorted(by_step), size):
                yield from _columns_of(problem, reduction, key, members, by_step, horizon_minutes)


def _columns_of(
    problem: Problem,
    reduction: Reduction,
    key: tuple[str, int],
    members: tuple[int, ...],
    by_step: dict[int, Candidate],
    horizon_minutes: int,
) -> Iterator[Column]:
    candidates = tuple(by_step[member] for member in members)
    tariff = candidates[0].tariff
    extras_minor = sum(candidate.extras_minor for candidate in candidates)
    dissolved_minor = sum(reduction.dissolved_minor[member][key] for member in members)
    run_minutes = sum(candidate.run_minutes for candidate in candidates)
    span_minutes = sum(candidate.span_minutes for candidate in candidates)
    most_days = _most_days(tariff, horizon_minutes)
    for bundle in tariff.bundles(horizon_minutes, without=("day",)):
        billed = _least_billed(tariff, run_minutes, span_minutes, bundle, most_days)
        if billed is None:
            continue
        least = borne_minor(billed + extras_minor, tariff.basis)
        if least < dissolved_minor or (least == dissolved_minor and _follow_directly(problem, members)):
            yield Column(key, members, candidates, bundle, most_days)
