"""Shared leases worth considering: which phases, on which resource, with how many prepaid months.

A lease of one phase is priced beforehand, exactly. A lease of several phases is a column of the program:
(resource, members, months). A column is left out only where it cannot be cheaper than leases of the single
phases, which could stand at the same times (see `reducing`): so leaving it out changes no optimum.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from planner.choosing.reducing import Reduction
from planner.values.lease import Tariff
from planner.values.matches import Candidate
from planner.values.money import minor_digits, to_minor
from planner.values.plans import Problem
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR


@dataclass(frozen=True, slots=True)
class Column:
    """A lease that several steps may share. ``most_days``: prepaid days the program may add to the months."""

    key: tuple[str, int]
    members: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    months: int
    most_days: int

    @property
    def tariff(self) -> Tariff:
        return self.candidates[0].tariff

    @property
    def months_minor(self) -> int:
        """What the prepaid months cost."""
        return term_minor(self.tariff, "month", self.months)

    @property
    def storage_minor(self) -> int:
        """What the members pay for storage, wherever the lease begins and ends."""
        return sum(candidate.storage_minor for candidate in self.candidates)


def term_minor(tariff: Tariff, term: str, count: int) -> int:
    """Cost of so many months or days of a lease; 0 of a term that is not sold."""
    return to_minor(exact_minor(tariff, term) * count / 10 ** minor_digits(tariff.currency), tariff.currency)


def exact_minor(tariff: Tariff, term: str) -> Fraction:
    """Exact minor units that one hour, day or month of the whole lease costs; 0 of a term that is not sold."""
    price = getattr(tariff, term) or 0
    return Fraction(price) * tariff.units * Fraction(10 ** minor_digits(tariff.currency))


def increment_minor(tariff: Tariff) -> Fraction:
    """Exact minor units that one metered increment of the whole lease costs while it runs."""
    return exact_minor(tariff, "hour") * Fraction(tariff.increment_minutes, MINUTES_PER_HOUR)


def _most_days(tariff: Tariff, horizon_minutes: int) -> int:
    """Days are worth buying only below the price of 24 metered hours."""
    if tariff.day is None or (tariff.hour is not None and tariff.day >= 24 * tariff.hour):
        return 0
    return -(-horizon_minutes // MINUTES_PER_DAY)


def _least_cost(tariff: Tariff, run_minutes: int, span_minutes: int, months: int, most_days: int) -> int | None:
    """A bound below the cost of any lease that holds so much running and is at least so long."""
    costs = []
    for days in range(most_days + 1):
        prepaid_minutes = months * tariff.month_minutes + days * MINUTES_PER_DAY
        cost = term_minor(tariff, "month", months) + term_minor(tariff, "day", days)
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
    resources: dict[tuple[str, int], dict[int, Candidate]] = {}
    for index, step in enumerate(problem.steps):
        for candidate in step.candidates:
            resources.setdefault(candidate.key, {})[index] = candidate
    for key, by_step in resources.items():
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
    storage_minor = sum(candidate.storage_minor for candidate in candidates)
    dissolved_minor = sum(reduction.dissolved_minor[member][key] for member in members) - storage_minor
    run_minutes = sum(candidate.run_minutes for candidate in candidates)
    span_minutes = sum(candidate.span_minutes for candidate in candidates)
    most_months = -(-horizon_minutes // tariff.month_minutes) if tariff.month is not None else 0
    most_days = _most_days(tariff, horizon_minutes)
    for months in range(most_months + 1):
        if term_minor(tariff, "month", months) > dissolved_minor:
            break
        least = _least_cost(tariff, run_minutes, span_minutes, months, most_days)
        if least is not None and (
            least < dissolved_minor or (least == dissolved_minor and _follow_directly(problem, members))
        ):
            yield Column(key, members, candidates, months, most_days)
