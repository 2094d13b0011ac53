"""The program is as cheap as trying everything."""

from hypothesis import given

from planner.choosing import ChoosingOptions, choose
from planner.planning.deciding import billed_plan
from planner.values.plans import Chosen, ChosenPlan, Impossible, Problem

from .enumeration import best_by_choice
from .instances import problems
from .trying import tried

OPTIONS = ChoosingOptions(runners_up=2, with_sellers=False)


def _horizon(problem: Problem) -> int:
    waits = max(
        *(max(c.earliest_minutes, step.release_minutes) for step in problem.steps for c in step.candidates),
        *(ends for _, ends in problem.blackouts_minutes),
        0,
    )
    lengths = (max(c.span_minutes for c in step.candidates) + step.gap_minutes for step in problem.steps)
    ways = (end.minutes for move in problem.moves for end in (*move.leaving.values(), *move.arriving.values()))
    return (waits + sum(lengths) + len(problem.moves) * max(ways, default=0)) // 60


def _choice(plan: ChosenPlan) -> tuple[tuple[str, int], ...]:
    placed = {a.step: lease.candidate.key for lease in plan.leases for a in lease.assignments}
    return tuple(placed[index] for index in sorted(placed))


@tried(300)
@given(problems())
def test_the_plan_is_as_cheap_as_trying_everything(problem: Problem) -> None:
    truth = best_by_choice(problem, _horizon(problem))
    decision = choose(problem, OPTIONS)
    if not truth:
        assert isinstance(decision, Impossible)
        return
    assert isinstance(decision, Chosen)
    plans = [decision.best, *decision.runners_up]
    assert [plan.cost_minor for plan in plans] == sorted(truth.values())[:3]
    assert len({_choice(plan) for plan in plans}) == len(plans)
    assert all(truth[_choice(plan)] == plan.cost_minor == billed_plan(problem, plan).cost_minor for plan in plans)
    assert decision.best.is_proven
