"""The reductions leave out nothing that a plan asked for can need: with and without them the answers are the same."""

from collections.abc import Hashable

import pytest
from hypothesis import given

from planner.choosing import ChoosingOptions, choose, searching
from planner.choosing.reducing import Reduction
from planner.values.distinct import Distinct
from planner.values.plans import Chosen, Decision, Problem

from .instances import problems
from .trying import tried

BEYOND_ANY_COST_MINOR = 10**9


def nothing_left_out(problem: Problem, _forbidden: int, _within: Hashable = None) -> Reduction:
    """Every candidate may run alone, and no lease is cheaper dissolved."""
    return Reduction(
        tuple(frozenset(range(len(step.candidates))) for step in problem.steps),
        tuple({candidate.key: BEYOND_ANY_COST_MINOR for candidate in step.candidates} for step in problem.steps),
    )


def told(decision: Decision) -> object:
    """Of the k best plans their costs, and of the best one everything but how its lease is cut."""
    if not isinstance(decision, Chosen):
        return decision
    best = {(a.step, a.candidate.key, a.start_minutes) for lease in decision.best.leases for a in lease.assignments}
    return best, [plan.cost_minor for plan in (decision.best, *decision.runners_up)]


@pytest.mark.parametrize("distinct", [Distinct.PLAN, Distinct.OFFER, Distinct.SELLER])
@tried(60)
@given(problems())
def test_the_best_plans_are_the_same_with_and_without_reductions(distinct: Distinct, problem: Problem) -> None:
    options = ChoosingOptions(runners_up=3, with_sellers=False, with_entries=False, distinct=distinct)
    reduced = choose(problem, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "reduce", nothing_left_out)
        whole = choose(problem, options)
    assert told(reduced) == told(whole)
