"""Among plans of one cost the nicest is settled on: what ends earlier, then fewer nodes, then fewer sellers."""

from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from planner.choosing import ChoosingOptions, choose
from planner.values.matches import Candidate
from planner.values.plans import Chosen, Problem, Step

from .instances import candidate, offer
from .trying import tried

OPTIONS = ChoosingOptions(runners_up=0, with_sellers=False, with_entries=False)
OFFERS = [offer(f"o{index}", f"s{index % 3}", hour="1" if index < 6 else "0.5") for index in range(8)]


@st.composite
def equals(draw: st.DrawFn) -> Problem:
    """Two or three phases side by side, on offers that cost the same for one node, or for two at half the price."""
    steps = []
    for index in range(draw(st.integers(2, 3))):
        chosen = draw(st.lists(st.sampled_from(OFFERS), min_size=1, max_size=4, unique_by=lambda one: one.id))
        candidates = [candidate(f"p{index}", of, 6, nodes=1 if of in OFFERS[:6] else 2) for of in chosen]
        steps.append(Step(f"p{index}", tuple(candidates)))
    return Problem(tuple(steps), "CNY")


def _niceness(plan: list[Candidate]) -> tuple[int, int, int, int]:
    """Side by side from the start, each in a lease of its own: to wait for another's lease would end later."""
    return (
        sum(one.prices[0].cost_minor for one in plan),
        sum(one.span_minutes for one in plan),
        sum(one.nodes for one in plan),
        len({one.offer.seller for one in plan}),
    )


@tried(60)
@given(equals())
def test_the_plan_is_the_nicest_of_those_of_its_cost(problem: Problem) -> None:
    best = min(_niceness(list(plan)) for plan in product(*(step.candidates for step in problem.steps)))
    decision = choose(problem, OPTIONS)
    assert isinstance(decision, Chosen)
    assert _niceness([a.candidate for lease in decision.best.leases for a in lease.assignments]) == best


def test_the_seller_that_is_needed_anyway_carries_what_another_would_for_the_same() -> None:
    """The second phase has only s1: the first goes there too, though s0 stands before it in the catalog."""
    first = Step("p0", (candidate("p0", OFFERS[0], 6), candidate("p0", OFFERS[1], 6)))
    second = Step("p1", (candidate("p1", OFFERS[4], 6),))
    problem = Problem((first, second), "CNY")
    decision = choose(problem, OPTIONS)
    assert isinstance(decision, Chosen)
    assert {lease.candidate.offer.seller for lease in decision.best.leases} == {"s1"}
    alone = choose(replace(problem, steps=(first,)), OPTIONS)
    assert isinstance(alone, Chosen)
    assert alone.best.leases[0].candidate.offer.seller == "s0"
