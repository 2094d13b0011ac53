"""Chooses: the best plan with its proof, then the next best, then each other seller's best, and what others lack."""

from collections.abc import Collection

from planner.choosing.entering import entries
from planner.choosing.rules import WISHES
from planner.choosing.searching import ChoosingOptions, Search
from planner.values.plans import Chosen, ChosenPlan, Decision, Impossible, Problem, Unfinished


def _conflict(search: Search) -> Impossible:
    """A smallest set of wishes that cannot all hold: drop one at a time, keep those without which a plan exists.

    Kept is also one of which the time did not suffice to say: then the set may not be the smallest.
    """
    kept = list(WISHES)
    dropped: list[str] = []
    is_smallest = True
    for name in tuple(kept):
        has_plan = search.has_plan([*dropped, name])
        if has_plan is False:
            dropped.append(name)
            kept.remove(name)
        is_smallest = is_smallest and has_plan is not None
    return Impossible(tuple(kept), is_smallest)


def choose(problem: Problem, options: ChoosingOptions, dropped: Collection[str] = ()) -> Decision:
    """The best plan, its runners-up and each other seller's best; or the conflict; or the best so far.

    Every step must have candidates. ``dropped`` rules do not hold, to see what they cost. Runners-up differ
    from each other and from the best in at least one step, by what ``options.distinct`` says, and never get cheaper
    down the list.
    """
    search = Search(problem, options, dropped)
    first = search.best()
    if isinstance(first, Impossible):
        return _conflict(search)
    if isinstance(first, Unfinished):
        return first
    plans = [first.best]
    while len(plans) <= options.runners_up:
        following = search.best(forbidden=plans)
        if not isinstance(following, Chosen):
            break
        plans.append(following.best)
    by_seller = _best_by_seller(search, first.best) if options.with_sellers else ()
    entered = tuple(entries(search, first.best)) if options.with_entries else ()
    return Chosen(plans[0], tuple(plans[1:]), by_seller, entered)


def _best_by_seller(search: Search, best: ChosenPlan) -> tuple[tuple[str, ChosenPlan], ...]:
    """The cheapest plan wholly with each other seller; with it in part where it cannot carry all phases."""
    offered = {candidate.offer.seller for step in search.problem.steps for candidate in step.candidates}
    plans = []
    for seller in sorted(offered - {lease.candidate.offer.seller for lease in best.leases}):
        if search.is_stopped:
            break
        outcome = search.best(seller=seller)
        if isinstance(outcome, Impossible):
            outcome = search.best(seller=seller, wholly=False)
        if isinstance(outcome, Chosen):
            plans.append((seller, outcome.best))
    return tuple(sorted(plans, key=lambda pair: (pair[1].cost_minor, pair[0])))
