"""Runners-up that differ by offer, card or seller are the best ones: every choice is tried, and grouped by that."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.choosing import ChoosingOptions, choose
from planner.values.distinct import Distinct
from planner.values.hardware import HardwareClass
from planner.values.matches import Candidate
from planner.values.plans import Chosen, ChosenPlan, Impossible, Problem, Step

from .enumeration import best_by_choice
from .instances import GPU, candidate, offer, problems
from .test_against_enumeration import _horizon
from .trying import tried

Choice = tuple[tuple[str, int], ...]
CARDS = {"o0": "A", "o1": "B", "o2": "A"}
SELLERS = {"o0": "s0", "o1": "s1", "o2": "s0"}
GROUPS: dict[Distinct, Callable[[tuple[str, int]], object]] = {
    Distinct.PLAN: lambda key: key,
    Distinct.OFFER: lambda key: key[0],
    Distinct.GPU: lambda key: CARDS[key[0]],
    Distinct.SELLER: lambda key: SELLERS[key[0]],
}


def _with_card(one: Candidate) -> Candidate:
    gpu = replace(GPU, name=CARDS[one.offer.id])
    return replace(one, hardware=HardwareClass(gpu, 1, one.nodes))


@st.composite
def instances(draw: st.DrawFn) -> Problem:
    """Two steps at most, one of which may run on one offer at several node counts."""
    problem = draw(problems())
    steps: list[Step] = []
    for step in problem.steps[:2]:
        first = step.candidates[0]
        hours = 6 * draw(st.integers(1, 4))
        more = candidate(
            step.name, first.offer, hours, nodes=3 - first.nodes, earliest_hours=6 * draw(st.integers(0, 1))
        )
        candidates = (*step.candidates, more) if draw(st.booleans()) else step.candidates
        steps.append(replace(step, candidates=tuple(_with_card(one) for one in candidates)))
    names = {step.name for step in steps}
    moves = tuple(move for move in problem.moves if move.phase in names)
    return replace(problem, steps=tuple(steps), moves=moves)


def _choice(plan: ChosenPlan) -> Choice:
    placed = {a.step: a.candidate.key for lease in plan.leases for a in lease.assignments}
    return tuple(placed[index] for index in sorted(placed))


@tried(100)
@given(instances())
def test_the_best_plans_that_differ_are_those_that_trying_everything_finds(problem: Problem) -> None:
    truth = best_by_choice(problem, _horizon(problem))
    for distinct, group in GROUPS.items():
        least: dict[tuple[object, ...], int] = {}
        for choice, cost in truth.items():
            key = tuple(group(placed) for placed in choice)
            least[key] = min(cost, least.get(key, cost))
        decision = choose(problem, ChoosingOptions(runners_up=3, with_sellers=False, distinct=distinct))
        if not truth:
            assert isinstance(decision, Impossible)
            continue
        assert isinstance(decision, Chosen)
        plans = [decision.best, *decision.runners_up]
        assert [plan.cost_minor for plan in plans] == sorted(least.values())[:4]
        found = [tuple(group(placed) for placed in _choice(plan)) for plan in plans]
        assert len(set(found)) == len(found)
        assert [least[key] for key in found] == [plan.cost_minor for plan in plans]


@pytest.mark.parametrize(
    ("distinct", "costs"),
    [
        (Distinct.PLAN, [1000, 1100, 1200, 1500]),
        (Distinct.OFFER, [1000, 1200, 1500]),
        (Distinct.GPU, [1000, 1500]),
        (Distinct.SELLER, [1000, 1200]),
    ],
)
def test_each_way_to_differ(distinct: Distinct, costs: list[int]) -> None:
    """Ten hours at 1.00; the same offer on two nodes, 11.00; the same card elsewhere, 12.00; another card, 15.00."""
    first, elsewhere, other = offer("o0", "s0", hour="1"), offer("o2", "s1", hour="1.2"), offer("o1", "s0", hour="1.5")
    two = candidate("p0", offer("o0", "s0", hour="0.55"), 10, nodes=2)
    candidates = (candidate("p0", first, 10), two, candidate("p0", elsewhere, 10), candidate("p0", other, 10))
    problem = Problem((Step("p0", tuple(_with_card(one) for one in candidates)),), "CNY")
    decision = choose(problem, ChoosingOptions(runners_up=4, with_sellers=False, distinct=distinct))
    assert isinstance(decision, Chosen)
    assert [plan.cost_minor for plan in (decision.best, *decision.runners_up)] == costs
