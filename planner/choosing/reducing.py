"""What need not enter the program: candidates and shared leases that no plan asked for can need.

Exchange arguments, each exact:

* A phase that runs alone on a candidate may move, at the same start, to any that *stands in* for it: no
  slower, no later to have, no dearer (expected or safe), of an offer without a stock limit. The plan then
  costs no more and every rule still holds. So a candidate with enough stand-ins is never needed alone. When
  ``forbidden`` plans are excluded, one more stand-in than there are of those always leaves one that is not.
* A shared lease may be dissolved into leases of its single phases, at the same starts, each on its own
  resource or on a stand-in. So a lease that costs no less than that is never needed. A project's budget bears a shared
  lease in full, and after it only the project's own part of what costs no more.

Among equals the stand-in must also win the ties (earlier end, fewer nodes, fewer sellers, catalog order), so that the
plan settled on is the same with and without reduction. Which of two sellers makes fewer of them hangs on the whole
plan, so with all else equal only the same seller's offers stand in.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice

from planner.values.matches import Candidate
from planner.values.moving import MoveEnd
from planner.values.plans import Problem, Step

Ranked = tuple[int, int, int, int]
"""Cost alone, span in minutes, nodes, and place among the step's candidates."""


def _stands_in(one: Candidate, other: Candidate) -> bool:
    """Whether a phase alone on ``other`` may as well run alone on ``one``, which is no slower; the order of equals is
    the caller's.
    """
    return (
        one.offer.stock_nodes is None
        and one.earliest_minutes <= other.earliest_minutes
        and all(
            any(p.cost_minor <= q.cost_minor and p.cost_safe_minor <= q.cost_safe_minor for p in one.prices)
            for q in other.prices
        )
    )


def _cost_minor(candidate: Candidate, *, safe: bool) -> int:
    """What a candidate alone costs at most: under a budget the safe cost must be kept down as well."""
    if safe:
        return min(price.cost_safe_minor for price in candidate.prices)
    return candidate.prices[0].cost_minor


@dataclass(frozen=True, slots=True)
class Reduction:
    """By step: which candidates may run alone, and what each costs at most if its lease is dissolved."""

    alone: tuple[frozenset[int], ...]
    dissolved_minor: tuple[dict[tuple[str, int], int], ...]


def reduce(problem: Problem, forbidden: int, within: Callable[[Candidate], Hashable] | None = None) -> Reduction:
    """What is needed to find a best plan besides ``forbidden`` ones.

    ``within``: only candidates of which it says the same may stand in for each other. What is asked of the plan by
    that alone, such as to rent something from one seller, then holds after the move as before.
    """
    within = _within_moves(problem, _within_sellers(problem, within))
    enough = forbidden + 1
    safe = problem.budget_minor is not None or any(one.budget_minor is not None for one in problem.projects)
    alone, dissolved = [], []
    for step in problem.steps:
        kept: list[Ranked] = []
        costs: dict[tuple[str, int], int] = {}
        for ranked in sorted(map(_ranked, step.candidates, count())):
            candidate = step.candidates[ranked[-1]]
            better = list(islice(_better(step, kept, ranked, within), enough))
            if len(better) < enough:
                kept.append(ranked)
            costs[candidate.key] = _dissolved_minor(candidate, better, enough, safe=safe)
        alone.append(frozenset(ranked[-1] for ranked in kept))
        dissolved.append(costs)
    return Reduction(tuple(alone), tuple(dissolved))


def _within_sellers(
    problem: Problem, within: Callable[[Candidate], Hashable] | None
) -> Callable[[Candidate], Hashable] | None:
    """Where it matters how many sellers a plan rents from, only the same seller's offers stand in."""
    if problem.sellers_at_least is None and problem.sellers_at_most is None:
        return within
    return lambda candidate: (candidate.offer.seller, None if within is None else within(candidate))


def _within_moves(
    problem: Problem, within: Callable[[Candidate], Hashable] | None
) -> Callable[[Candidate], Hashable] | None:
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


def _better(
    step: Step, kept: list[Ranked], ranked: Ranked, within: Callable[[Candidate], Hashable] | None
) -> Iterator[Candidate]:
    """Those kept before that stand in for the candidate, cheapest first.

    One that was not kept has enough stand-ins among the kept, each of which stands in for the candidate too.
    """
    candidate = step.candidates[ranked[-1]]
    for *rank, place in kept:
        if rank[1] > ranked[1]:
            continue
        other = step.candidates[place]
        if tuple(rank) == ranked[:3] and other.offer.seller != candidate.offer.seller:
            continue
        if (within is None or within(other) == within(candidate)) and _stands_in(other, candidate):
            yield other


def _ranked(candidate: Candidate, place: int) -> Ranked:
    """Cheapest first; among equals as ties are settled."""
    return (candidate.prices[0].cost_minor, candidate.span_minutes, candidate.nodes, place)


def _dissolved_minor(candidate: Candidate, better: list[Candidate], enough: int, *, safe: bool) -> int:
    own = _cost_minor(candidate, safe=safe)
    if len(better) < enough:
        return own
    return min(own, sorted(_cost_minor(one, safe=safe) for one in better)[enough - 1])
