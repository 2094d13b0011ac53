"""What it would take for an offer to be chosen, against trying everything."""

from hypothesis import given

from planner.choosing import ChoosingOptions, choose
from planner.choosing.entering import MOST_PER_STEP
from planner.values.plans import Chosen, Problem, Step

from .enumeration import best_by_choice
from .instances import candidate, offer, problems
from .test_against_enumeration import _horizon
from .trying import tried

OPTIONS = ChoosingOptions(runners_up=0, with_sellers=False)


@tried(100)
@given(problems())
def test_the_cheapest_plan_on_each_candidate_is_that_of_trying_everything(problem: Problem) -> None:
    decision = choose(problem, OPTIONS)
    if not isinstance(decision, Chosen):
        return
    truth = best_by_choice(problem, _horizon(problem))
    rented = {lease.candidate.offer.id for lease in decision.best.leases}
    found = {(entry.step, entry.key): entry.cost_minor for entry in decision.entries}
    assert len(found) == len(decision.entries)
    assert found == {
        (step, one.key): min((cost for choice, cost in truth.items() if choice[step] == one.key), default=None)
        for step, phase in enumerate(problem.steps)
        for one in phase.candidates
        if one.offer.id not in rented
    }


def test_that_much_cheaper_it_is_chosen_and_a_little_less_it_is_not() -> None:
    """100 h at 2.00 against 2.50: 50.00 off its 250.00, which is 2.00 an hour."""

    def chosen(hour: str) -> tuple[str, list[int | None]]:
        dear = candidate("p0", offer("dear", hour=hour), 100)
        step = Step("p0", (candidate("p0", offer("cheap", hour="2"), 100, nodes=1), dear))
        decision = choose(Problem((step,), "CNY"), OPTIONS)
        assert isinstance(decision, Chosen)
        return decision.best.leases[0].candidate.offer.id, [entry.cost_minor for entry in decision.entries]

    assert chosen("2.50") == ("cheap", [25_000])
    assert chosen("2.01")[0] == "cheap"
    assert chosen("1.99")[0] == "dear"


def test_what_no_plan_can_use_has_no_cost() -> None:
    slow = candidate("p0", offer("slow", hour="1"), 100)
    step = Step("p0", (candidate("p0", offer("fast", hour="5"), 10), slow), deadline_minutes=20 * 60)
    decision = choose(Problem((step,), "CNY"), OPTIONS)
    assert isinstance(decision, Chosen)
    assert [(entry.key, entry.cost_minor) for entry in decision.entries] == [(("slow", 1), None)]


def test_the_cheapest_few_are_reckoned_and_none_where_it_is_not_asked() -> None:
    many = tuple(candidate("p0", offer(f"o{i:02}", hour=f"{i + 1}"), 10) for i in range(20))
    problem = Problem((Step("p0", many),), "CNY")
    decision = choose(problem, OPTIONS)
    assert isinstance(decision, Chosen)
    assert [entry.key[0] for entry in decision.entries] == [f"o{i:02}" for i in range(1, MOST_PER_STEP)]
    aside = choose(problem, OPTIONS.aside())
    assert isinstance(aside, Chosen)
    assert aside.entries == ()
