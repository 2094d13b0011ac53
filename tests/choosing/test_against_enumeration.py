"""The program is as cheap as trying everything."""

from hypothesis import given

from planner.choosing import ChoosingOptions, choose
from planner.pricing import bill
from planner.values.lease import Use
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
    return (waits + sum(lengths)) // 60


def _choice(plan: ChosenPlan) -> tuple[tuple[str, int], ...]:
    placed = {a.step: lease.candidate.key for lease in plan.leases for a in lease.assignments}
    return tuple(placed[index] for index in sorted(placed))


def _billed(plan: ChosenPlan) -> int:
    """The plan's leases, billed again."""
    total = 0
    for lease in plan.leases:
        uses = [
            Use(a.start_minutes - lease.start_minutes, c.run_minutes, c.safe_run_minutes, c.minutes_per_day)
            for a in lease.assignments
            for c in (a.candidate,)
        ]
        billed = bill(lease.candidate.tariff, uses, lease.bundle)
        assert billed is not None
        total += billed.cost_minor
    return total


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
    assert all(truth[_choice(plan)] == plan.cost_minor == _billed(plan) for plan in plans)
    assert decision.best.is_proven
