"""What need not enter the program: candidates and shared leases that no plan asked for can need.

Exchange arguments, each exact:

* A phase that runs alone on a candidate may move, at the same start, to any that *stands in* for it: no
  slower, no later to have, no dearer (expected or safe), of an offer without a stock limit, and takes no more of what
  the plan may have only so much of (see `taking`). The plan then
  costs no more and every rule still holds. So a candidate with enough stand-ins is never needed alone. When
  ``forbidden`` plans are excluded, one more stand-in than there are of those always leaves one that is not.
* A shared lease may be dissolved into leases of its single phases, at the same starts, each on its own
  resource or on a stand-in. So a lease that costs no less than that is never needed. A project's budget bears a shared
  lease in full, and after it only the project's own part of what costs no more.

Among equals the stand-in must also win the ties (earlier end, fewer nodes, fewer sellers, catalog order), so that the
plan settled on is the same with and without reduction. Which of two sellers makes fewer of them hangs on the whole
plan, so with all else equal only the same seller's offers stand in.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from planner.choosing.tables import Bools, Ints, Table
from planner.choosing.taking import taken, takes_no_more
from planner.values.matches import Candidate
from planner.values.moving import MoveEnd
from planner.values.plans import Problem

Within = Callable[[Candidate], Hashable]


@dataclass(frozen=True, slots=True)
class Reduction:
    """By step: which candidates may run alone, and what each costs at most if its lease is dissolved."""

    alone: tuple[frozenset[int], ...]
    dissolved_minor: tuple[dict[tuple[str, int], int], ...]


def reduce(problem: Problem, forbidden: int, within: Within | None = None) -> Reduction:
    """What is needed to find a best plan besides ``forbidden`` ones.

    ``within``: only candidates of which it says the same may stand in for each other. What is asked of the plan by
    that alone, such as to rent something from one seller, then holds after the move as before.
    """
    alone, dissolved = [], []
    for step in problem.steps:
        is_alone, costs = reduced(Table.of(step), problem, forbidden, within)
        alone.append(frozenset(np.flatnonzero(is_alone).tolist()))
        keys = (candidate.key for candidate in step.candidates)
        dissolved.append(dict(zip(keys, costs.tolist(), strict=True)))
    return Reduction(tuple(alone), tuple(dissolved))


def reduced(table: Table, problem: Problem, forbidden: int, within: Within | None = None) -> tuple[Bools, Ints]:
    """The same of one step, by place among its candidates.

    They are gone through as they rank, so that of all that may stand in for one the cheapest are counted. One that is
    not needed alone counts for none: it has enough stand-ins, each of which stands in for the other too.
    """
    enough = forbidden + 1
    own_minor = table.least_safe_minor if _has_budget(problem) else table.cost_minor
    marks = _marks(table, _within_moves(problem, _within_sellers(problem, within)))
    takes = taken(table, problem)
    stand_ins = np.zeros(len(own_minor), dtype=np.int64)
    dearest_minor = np.zeros(len(own_minor), dtype=np.int64)
    rest = table.ranking
    while len(rest) and enough < len(own_minor):
        one, rest = rest[0], rest[1:]
        if table.candidates[one].offer.stock_nodes is None:
            served = rest[_stands_in(table, one, rest, marks) & takes_no_more(takes, one, rest)]
            stand_ins[served] += 1
            dearest_minor[served] = np.maximum(dearest_minor[served], own_minor[one])
            rest = rest[stand_ins[rest] < enough]
    has_enough = stand_ins >= enough
    return ~has_enough, np.where(has_enough, np.minimum(own_minor, dearest_minor), own_minor)


def _has_budget(problem: Problem) -> bool:
    return problem.budget_minor is not None or any(one.budget_minor is not None for one in problem.projects)


def _marks(table: Table, within: Within | None) -> Ints | None:
    if within is None:
        return None
    numbers: dict[Hashable, int] = {}
    marks = [numbers.setdefault(within(candidate), len(numbers)) for candidate in table.candidates]
    return np.array(marks, dtype=np.int64)


def _within_sellers(problem: Problem, within: Within | None) -> Within | None:
    """Where it matters how many sellers a plan rents from, only the same seller's offers stand in."""
    if problem.sellers_at_least is None and problem.sellers_at_most is None:
        return within
    return lambda candidate: (candidate.offer.seller, None if within is None else within(candidate))


def _within_moves(problem: Problem, within: Within | None) -> Within | None:
    """Where data is moved, only offers of one region from which, or to which, it takes as long and costs as much."""
    ways: dict[str, list[Mapping[str, MoveEnd]]] = {}
    for move in problem.moves:
        ways.setdefault(move.before, []).append(move.leaving)
        ways.setdefault(move.phase, []).append(move.arriving)
    if not ways:
        return within

    def mark(candidate: Candidate) -> Hashable:
        ends = [way[candidate.offer.id] for way in ways.get(candidate.phase, ())]
        alike = tuple((end.minutes, end.cost_minor) for end in ends)
        return (alike, candidate.offer.region if ends else None, None if within is None else within(candidate))

    return mark


def _stands_in(table: Table, one: int, others: Ints, marks: Ints | None) -> Bools:
    """For which others, ranked behind it, a phase that is alone on them may as well be alone on this one."""
    found = table.no_worse(one, others)
    if marks is not None:
        found &= marks[others] == marks[one]
    equals = np.flatnonzero(found & table.as_ranked(one, others))
    seller = table.candidates[one].offer.seller
    found[equals] = [table.candidates[other].offer.seller == seller for other in others[equals]]
    return found
