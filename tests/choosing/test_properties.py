"""What must hold for all problems, without knowing any answer."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from planner.choosing import ChoosingOptions, choose
from planner.choosing.bounds import ROUNDING_MINOR
from planner.pricing import best_prices
from planner.values.lease import Use
from planner.values.matches import Candidate
from planner.values.plans import Chosen, ChosenPlan, Decision, Problem

from .instances import candidate, offers, problems
from .trying import tried

OPTIONS = ChoosingOptions(runners_up=0, with_sellers=False)
quick = tried(40)


def _cost(decision: Decision) -> float:
    """Impossible costs more than anything."""
    return decision.best.cost_minor if isinstance(decision, Chosen) else float("inf")


def _best(problem: Problem) -> float:
    return _cost(choose(problem, OPTIONS))


@quick
@given(problems(), st.data())
def test_one_more_offer_never_makes_the_plan_dearer(problem: Problem, data: st.DataObject) -> None:
    more = candidate("p0", data.draw(offers(9)), 6 * data.draw(st.integers(1, 4)))
    first = replace(problem.steps[0], candidates=(*problem.steps[0].candidates, more))
    assert _best(replace(problem, steps=(first, *problem.steps[1:]))) <= _best(problem)


@quick
@given(problems(), st.integers(1, 20_000))
def test_a_budget_never_makes_the_plan_cheaper(problem: Problem, budget: int) -> None:
    free = replace(problem, budget_minor=None)
    assert _best(replace(free, budget_minor=budget)) >= _best(free)


@quick
@given(problems(), st.integers(0, 2), st.integers(1, 40))
def test_a_later_deadline_never_makes_the_plan_dearer(problem: Problem, index: int, later: int) -> None:
    step = problem.steps[index % len(problem.steps)]
    assume(step.deadline_minutes is not None)
    steps = [
        s if s is not step else replace(s, deadline_minutes=s.deadline_minutes + later * 60) for s in problem.steps
    ]
    assert _best(replace(problem, steps=tuple(steps))) <= _best(problem)


def _dearer(one: Candidate, factor: int) -> Candidate:
    part = one.tariff.parts[0]
    scaled = replace(
        one.tariff,
        parts=(
            replace(
                part,
                hour=None if part.hour is None else part.hour * factor,
                terms=tuple(replace(term, price=term.price * factor) for term in part.terms),
            ),
        ),
    )
    use = Use(0, one.run_minutes, one.safe_run_minutes, one.minutes_per_day)
    return replace(one, tariff=scaled, prices=best_prices(scaled, [use]))


@quick
@given(problems())
def test_scaling_every_price_scales_the_bill(problem: Problem) -> None:
    """By a thousand, where the prices have at most three decimals, so that nothing is left to round."""
    free = replace(problem, budget_minor=None, projects=(), moves=())

    def scaled(factor: int) -> Problem:
        steps = (replace(s, candidates=tuple(_dearer(c, factor) for c in s.candidates)) for s in free.steps)
        return replace(free, steps=tuple(steps))

    once = _best(scaled(1000))
    assume(once != float("inf"))
    assert _best(scaled(7000)) == 7 * once


def _plan(plan: ChosenPlan) -> list[tuple[object, ...]]:
    return [
        (lease.candidate.key, lease.bundle, [(a.step, a.start_minutes) for a in lease.assignments])
        for lease in plan.leases
    ]


@quick
@given(problems())
def test_the_same_question_gives_the_same_plan(problem: Problem) -> None:
    first, second = choose(problem, OPTIONS), choose(problem, OPTIONS)
    if isinstance(first, Chosen) and isinstance(second, Chosen):
        assert _plan(first.best) == _plan(second.best)
    else:
        assert first == second


@quick
@given(problems())
def test_what_the_checker_finds_in_a_plan_is_nothing(problem: Problem) -> None:
    from planner.planning.deciding import billed_plan

    decision = choose(problem, ChoosingOptions(runners_up=2))
    if isinstance(decision, Chosen):
        for plan in (decision.best, *decision.runners_up, *(plan for _, plan in decision.by_seller)):
            billed_plan(problem, plan)  # raises where a rule is broken


@quick
@given(problems())
def test_each_other_sellers_best_is_with_that_seller_and_no_cheaper(problem: Problem) -> None:
    decision = choose(problem, ChoosingOptions(runners_up=0))
    if isinstance(decision, Chosen):
        for seller, plan in decision.by_seller:
            assert seller in {lease.candidate.offer.seller for lease in plan.leases}
            assert plan.cost_minor >= decision.best.cost_minor


@given(problems(), st.integers(0, 40))
def test_a_shared_lease_costs_no_less_than_the_dearest_of_its_phases_alone(problem: Problem, wait_hours: int) -> None:
    """Up to what rounding two lines apart may take off: so a dear phase alone rules its leases out."""
    first = problem.steps[0].candidates[0]
    for step in problem.steps[1:]:
        for second in step.candidates:
            if second.key != first.key or not second.tariff.is_linear:
                continue
            uses = [first.use(0), second.use(first.span_minutes + wait_hours * 60)]
            shared = best_prices(first.tariff, uses)[0].cost_minor
            assert shared + ROUNDING_MINOR >= max(first.prices[0].cost_minor, second.prices[0].cost_minor)
