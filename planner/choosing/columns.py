"""Shared leases worth considering: which phases, on which resource, with which prepaid terms.

A lease of one phase is priced beforehand, exactly. A lease of several phases is a column of the program:
(resource, members, prepaid terms but days). A column is left out only where it cannot be cheaper than leases of the
single phases, which could stand at the same times (see `reducing`): so leaving it out changes no optimum.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from planner.choosing.bounds import (
    ROUNDING_MINOR,
    Layout,
    bundle_minor,
    layout_of,
    least_billed,
    least_rate,
    most_days_of,
    separations,
)
from planner.choosing.reducing import Reduction
from planner.values.matches import Candidate
from planner.values.money import borne_minor
from planner.values.plans import Problem
from planner.values.tariff import Bundle, Tariff


@dataclass(frozen=True, slots=True)
class Column:
    """A lease that several steps may share. ``most_days``: prepaid days the program may add to the bundle."""

    key: tuple[str, int]
    members: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    bundle: Bundle
    most_days: int
    least_minor: int
    """A bound below the lease's cost, whenever it begins and ends."""

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


def _follow_directly(problem: Problem, members: tuple[int, ...]) -> bool:
    """Whether each member follows the one before: then going on in one lease costs the same as two."""
    return all(first in problem.steps[second].after for first, second in pairwise(members))


def columns(problem: Problem, reduction: Reduction, horizon_minutes: int) -> Iterator[Column]:
    """All shared leases that could be cheaper than, or as cheap as going on with, single ones."""
    apart = separations(problem)
    resources: dict[tuple[str, int], dict[int, Candidate]] = {}
    for index, step in enumerate(problem.steps):
        for candidate in step.candidates:
            resources.setdefault(candidate.key, {})[index] = candidate
    for key, by_step in resources.items():
        for members, dissolved_minor in _worth_a_look(key, by_step, reduction):
            layout = layout_of(apart, members, [by_step[member] for member in members])
            if _may_share(layout.candidates):
                yield from _columns_of(problem, dissolved_minor, key, members, layout, horizon_minutes)


def _worth_a_look(
    key: tuple[str, int], by_step: dict[int, Candidate], reduction: Reduction
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Members with what their lease costs if it is dissolved, where neither the dearest of them alone nor the least
    rate of their running costs more.
    """
    own_minor = {member: candidate.prices[0].cost_minor for member, candidate in by_step.items()}
    dissolved = {member: reduction.dissolved_minor[member][key] for member in by_step}
    rate: float | None = None
    for size in range(2, len(by_step) + 1):
        for members in combinations(sorted(by_step), size):
            most_minor = sum(dissolved[member] for member in members) + ROUNDING_MINOR
            if max(own_minor[member] for member in members) > most_minor:
                continue
            if rate is None:
                rate = min(least_rate(candidate.tariff) for candidate in by_step.values())
            if rate * sum(by_step[member].run_minutes for member in members) <= most_minor:
                yield members, most_minor - ROUNDING_MINOR


def _may_share(candidates: Sequence[Candidate]) -> bool:
    """One tariff for all, which phases with other terms or invoices may not have, and hours in proportion."""
    tariff = candidates[0].tariff
    return tariff.is_linear and all(candidate.tariff == tariff for candidate in candidates)


def _columns_of(
    problem: Problem,
    dissolved_minor: int,
    key: tuple[str, int],
    members: tuple[int, ...],
    layout: Layout,
    horizon_minutes: int,
) -> Iterator[Column]:
    candidates = layout.candidates
    tariff = candidates[0].tariff
    extras_minor = sum(candidate.extras_minor for candidate in candidates)
    most_days = most_days_of(tariff, horizon_minutes)
    for bundle in tariff.bundles(horizon_minutes, without=("day",)):
        billed = least_billed(tariff, layout, bundle, most_days)
        if billed is None:
            continue
        least = borne_minor(billed + extras_minor, tariff.basis)
        if least < dissolved_minor or (least == dissolved_minor and _follow_directly(problem, members)):
            yield Column(key, members, candidates, bundle, most_days, least)
