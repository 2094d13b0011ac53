"""Leases of several phases under tariffs that are not linear: as cheap as trying every way to share."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from planner.choosing import ChoosingOptions, choose
from planner.planning.deciding import billed_plan
from planner.planning.sharing import shared_leases
from planner.pricing import best_prices
from planner.values.extras import Fee
from planner.values.matches import Candidate
from planner.values.plans import Chosen, Problem, Step
from tests.choosing.instances import candidate, offer

HOUR = 60
RULES: list[dict[str, Any]] = [
    {"min_charge": "20"},
    {"min_time": "30 h"},
    {"monthly_cap": "15", "month": "24 h"},
    {"length_discounts": [{"from": "20 h", "off": "30 %"}]},
    {"rounding": "start", "increment": "5 h"},
    {"on_expiry": "stop"},
]


@st.composite
def chains(draw: st.DrawFn) -> Problem:
    """Two or three phases one after another on one to three offers, with gaps."""
    catalog = []
    for index in range(draw(st.integers(1, 3))):
        prices = {"hour": str(draw(st.integers(1, 9)))}
        if draw(st.booleans()):
            prices["day"] = str(draw(st.integers(10, 60)))
        catalog.append(offer(f"o{index}", billing=draw(st.sampled_from(RULES)), **prices))
    steps = []
    for index in range(draw(st.integers(2, 3))):
        chosen = draw(st.lists(st.sampled_from(catalog), min_size=1, unique_by=lambda one: one.id))
        hours = draw(st.integers(1, 12))
        candidates = [candidate(f"p{index}", one, hours) for one in sorted(chosen, key=lambda one: one.id)]
        gap = HOUR * draw(st.sampled_from([0, 0, 3])) if index else 0
        steps.append(Step(f"p{index}", tuple(candidates), (index - 1,) if index else (), gap))
    return Problem(tuple(steps), "CNY", shared=shared_leases(steps))


def every_way(problem: Problem, index: int = 0) -> Iterator[int]:
    """The cost of every choice of offers and of every way to cut the chain into leases."""
    if index == len(problem.steps):
        yield 0
        return
    for last in range(index, len(problem.steps)):
        cheapest = min((cost for cost in _together(problem, index, last)), default=None)
        if cheapest is not None:
            yield from (cheapest + rest for rest in every_way(problem, last + 1))


def _together(problem: Problem, first: int, last: int) -> Iterator[int]:
    members = problem.steps[first : last + 1]
    for one in members[0].candidates:
        placed: list[Candidate | None] = [
            next((other for other in step.candidates if other.key == one.key), None) for step in members
        ]
        if any(other is None for other in placed):
            continue
        uses, start = [], 0
        for step, other in zip(members, placed, strict=True):
            assert other is not None
            start += step.gap_minutes if uses else 0
            uses.append(other.use(start))
            start += other.span_minutes
        yield best_prices(one.tariff, uses)[0].cost_minor


@given(chains())
@settings(max_examples=150, deadline=None)
def test_sharing_is_as_cheap_as_trying_every_way(problem: Problem) -> None:
    decision = choose(problem, ChoosingOptions(runners_up=1, with_sellers=False))
    assert isinstance(decision, Chosen)
    assert decision.best.cost_minor == min(every_way(problem))
    for plan in (decision.best, *decision.runners_up):
        assert billed_plan(problem, plan).cost_minor == plan.cost_minor


def test_a_setup_fee_is_paid_once_where_phases_share_a_lease() -> None:
    """Two phases of 10 hours at 2.00, and 50.00 once: 90.00 together, 140.00 apart."""
    setup = Fee.model_validate({"name": "set-up", "amount": "50", "per": "once"})
    one = offer("o", hour="2").model_copy(update={"fees": (setup,)})
    steps = (Step("a", (candidate("a", one, 10),)), Step("b", (candidate("b", one, 10),), (0,)))
    decision = choose(Problem(steps, "CNY", shared=shared_leases(steps)), ChoosingOptions(runners_up=0))
    assert isinstance(decision, Chosen)
    assert decision.best.cost_minor == 9_000
    assert len(decision.best.leases) == 1
