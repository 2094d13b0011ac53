"""Each rule bites: possible, impossible, possible again on the other side of the line."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from planner.checking import CHECKS
from planner.choosing import ChoosingOptions, choose
from planner.choosing.rules import RULES
from planner.choosing.searching import Search
from planner.values.catalog import SellerQuota
from planner.values.plans import Chosen, Decision, Impossible, Portion, Problem, Step

from .instances import candidate, offer

OPTIONS = ChoosingOptions(runners_up=0, with_sellers=False)
HOUR = 60


def two_phases(**limits: int | None) -> Problem:
    """Ten hours of training, then five of serving, on an offer at 1.00 an hour. Limits are in hours; ``dark`` is when
    a blackout of ten hours begins.
    """
    machine = offer("o", hour="1", stock=limits.get("stock"))
    train = Step("train", (candidate("train", machine, 10, earliest_hours=limits.get("lead") or 0),))
    serve = Step(
        "serve",
        (candidate("serve", machine, 5),),
        after=(0,) if limits.get("order", 1) else (),
        gap_minutes=(limits.get("gap") or 0) * HOUR,
        deadline_minutes=None if limits.get("deadline") is None else limits["deadline"] * HOUR,
        gap_at_most_minutes=None if limits.get("close") is None else limits["close"] * HOUR,
        release_minutes=(limits.get("release") or 0) * HOUR,
    )
    dark = limits.get("dark")
    blackouts = () if dark is None else ((dark * HOUR, (dark + 10) * HOUR),)
    return Problem((train, serve), "CNY", limits.get("budget"), blackouts_minutes=blackouts)


@pytest.mark.parametrize(
    ("rule", "possible", "impossible"),
    [
        ("deadline", {"deadline": 15}, {"deadline": 14}),
        ("deadline", {"deadline": 18, "gap": 3}, {"deadline": 17, "gap": 3}),
        ("budget", {"budget": 1500}, {"budget": 1499}),
        ("lead_time", {"deadline": 16, "lead": 1}, {"deadline": 16, "lead": 2}),
        ("stock", {"deadline": 15, "order": 0, "stock": 1}, {"deadline": 9, "order": 0, "stock": 0}),
        ("release", {"deadline": 25, "release": 20}, {"deadline": 25, "release": 21}),
        # The training ends at 15 at the latest, where the blackout begins; serving may start at 25, where it is over.
        (
            "gap_at_most",
            {"dark": 15, "release": 16, "close": 10},
            {"dark": 15, "release": 16, "close": 9, "deadline": 30},
        ),
        ("blackout", {"deadline": 15, "dark": 15}, {"deadline": 15, "dark": 14}),
        ("blackout", {"deadline": 25, "dark": 10}, {"deadline": 24, "dark": 10}),
    ],
)
def test_a_rule_bites_and_lets_go(rule: str, possible: dict[str, int], impossible: dict[str, int]) -> None:
    assert isinstance(choose(two_phases(**possible), OPTIONS), Chosen)
    refused = choose(two_phases(**impossible), OPTIONS)
    assert isinstance(refused, Impossible)
    assert rule in refused.conflict
    assert isinstance(choose(two_phases(**impossible), OPTIONS, dropped=refused.conflict), Chosen)


def two_sellers(least: int | None = None, most: int | None = None) -> Problem:
    """Two phases, each cheapest with another seller: 10.00 together, 19.00 with either of them alone."""
    first, second = offer("o", "a", hour="1"), offer("p", "b", hour="1")
    steps = []
    for name, cheap in (("train", first), ("evaluate", second)):
        candidates = tuple(candidate(name, one, 5 if one is cheap else 14) for one in (first, second))
        steps.append(Step(name, candidates, (0,) if steps else ()))
    return Problem(tuple(steps), "CNY", sellers_at_least=least, sellers_at_most=most)


def cost_of(problem: Problem) -> int:
    decision = choose(problem, OPTIONS)
    assert isinstance(decision, Chosen)
    return decision.best.cost_minor


def test_a_plan_rents_from_as_many_sellers_as_are_asked() -> None:
    assert cost_of(two_sellers()) == cost_of(two_sellers(least=2, most=2)) == 1000
    assert cost_of(two_sellers(most=1)) == 1900
    refused = choose(two_sellers(least=3), OPTIONS)
    assert isinstance(refused, Impossible)
    assert refused.conflict == ("sellers_at_least",)
    both = choose(two_sellers(least=2, most=1), OPTIONS)
    assert isinstance(both, Impossible)
    assert set(both.conflict) == {"sellers_at_least", "sellers_at_most"}


def on_spot(share: Fraction | None) -> Problem:
    """Ten hours of training, then five of serving on two nodes: 1.00 an hour on spot, 3.00 on demand."""
    machines = offer("demand", hour="3"), offer("spot", spot=True, hour="1")
    train = Step("train", tuple(candidate("train", one, 10) for one in machines))
    serve = Step("serve", tuple(candidate("serve", one, 5, nodes=2) for one in machines), (0,))
    return Problem((train, serve), "CNY", spot_share_at_most=share)


def test_no_more_hours_than_the_share_are_on_machines_that_can_be_taken_back() -> None:
    """Each phase is half of the GPU-hours: 10 + 10 on spot, one of them at 30, both at 30 + 30."""
    assert cost_of(on_spot(None)) == cost_of(on_spot(Fraction(1))) == 2000
    assert cost_of(on_spot(Fraction(1, 2))) == 4000
    assert cost_of(on_spot(Fraction(49, 100))) == cost_of(on_spot(Fraction(0))) == 6000
    problem = on_spot(Fraction(1, 2))
    only_spot = tuple(replace(step, candidates=step.candidates[1:]) for step in problem.steps)
    refused = choose(replace(problem, steps=only_spot), OPTIONS)
    assert isinstance(refused, Impossible)
    assert refused.conflict == ("spot_share",)
    assert isinstance(choose(replace(problem, steps=only_spot), OPTIONS, dropped=refused.conflict), Chosen)


def within_quota(gpus: int, deadline_hours: int) -> Problem:
    """Ten and five hours side by side, each on an offer of its own of one seller."""
    steps = tuple(
        Step(name, (candidate(name, offer(name, "a", hour="1"), hours),), deadline_minutes=deadline_hours * HOUR)
        for name, hours in (("train", 10), ("serve", 5))
    )
    return Problem(steps, "CNY", quotas=(SellerQuota("a", frozenset({"train", "serve"}), gpus),))


def test_no_more_cards_of_a_quota_are_leased_at_one_time() -> None:
    """On one card after another, 15 hours; on none nothing runs."""
    for gpus, hours in ((2, 10), (1, 15)):
        assert cost_of(within_quota(gpus, hours)) == 1500
        refused = choose(within_quota(gpus - 1, 14), OPTIONS)
        assert isinstance(refused, Impossible)
        assert set(refused.conflict) == ({"deadline", "quota"} if gpus == 2 else {"quota"})
        assert isinstance(choose(within_quota(gpus - 1, 14), OPTIONS, dropped=["quota"]), Chosen)


def test_what_takes_a_quota_gives_way_where_another_phase_needs_it() -> None:
    """Both run best on the seller with the quota, at 1.00; one goes elsewhere, at 2.00 for five hours."""
    few, many = offer("few", "a", hour="1"), offer("many", "b", hour="2")
    steps = tuple(
        Step(name, (candidate(name, few, hours), candidate(name, many, hours)), deadline_minutes=10 * HOUR)
        for name, hours in (("train", 10), ("serve", 5))
    )
    problem = Problem(steps, "CNY", quotas=(SellerQuota("a", frozenset({"few"}), 1),))
    assert cost_of(problem) == 1000 + 5 * 200
    assert cost_of(replace(problem, quotas=())) == 1500


def in_projects(first: int | None, second: int | None, **prices: str) -> Problem:
    """The two phases as a project each, with budgets in minor units."""
    problem = two_phases()
    machine = offer("o", hour="1", **prices)
    steps = tuple(
        replace(step, candidates=(candidate(step.name, machine, 10 - 5 * index),))
        for index, step in enumerate(problem.steps)
    )
    return replace(problem, steps=steps, projects=(Portion("one", (0,), first), Portion("two", (1,), second)))


def test_a_project_stays_within_its_budget() -> None:
    """Ten hours and five at 1.00."""
    assert cost_of(in_projects(1000, 500)) == 1500
    for short, budgets in (("first", (999, 500)), ("second", (1000, 499))):
        refused = choose(in_projects(*budgets), OPTIONS)
        assert isinstance(refused, Impossible), short
        assert refused.conflict == ("project_budget",)
        assert isinstance(choose(in_projects(*budgets), OPTIONS, dropped=refused.conflict), Chosen)


def test_a_lease_that_projects_share_counts_in_full_for_each() -> None:
    """A day at 6.00 holds both. Whoever may spend only 5.99 pays five hours at 1.00 of its own instead."""
    assert cost_of(in_projects(600, 600, day="6")) == 600
    assert cost_of(in_projects(600, 599, day="6")) == 600 + 500
    assert isinstance(choose(in_projects(599, 600, day="6"), OPTIONS), Impossible)


def test_a_conflict_is_smallest() -> None:
    """Deadline and lead time conflict, the budget has no part in it: leave either out and it goes."""
    problem = two_phases(deadline=16, lead=2, budget=100_000)
    refused = choose(problem, OPTIONS)
    assert isinstance(refused, Impossible)
    assert set(refused.conflict) == {"deadline", "lead_time"}
    assert refused.is_smallest
    for rule in refused.conflict:
        assert isinstance(choose(problem, OPTIONS, dropped=(rule,)), Chosen)


@pytest.mark.parametrize("undecided", ["budget", "deadline", "lead_time"])
def test_a_rule_that_the_time_does_not_decide_stays_in_the_conflict_which_says_so(
    undecided: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of the conflict is still in it; what else is, is told not to be sure."""
    decided = Search.has_plan

    def has_plan(search: Search, dropped: Sequence[str]) -> bool | None:
        return None if dropped[-1] == undecided else decided(search, dropped)

    monkeypatch.setattr(Search, "has_plan", has_plan)
    refused = choose(two_phases(deadline=16, lead=2, budget=100_000), OPTIONS)
    assert isinstance(refused, Impossible)
    assert set(refused.conflict) == {"deadline", "lead_time", undecided}
    assert not refused.is_smallest


def test_parallel_phases_wait_for_the_only_node() -> None:
    """Ten and five hours side by side on one node take fifteen; on two nodes ten."""
    one = choose(two_phases(order=0, stock=1), OPTIONS)
    two = choose(two_phases(order=0, stock=2), OPTIONS)
    assert isinstance(one, Chosen)
    assert isinstance(two, Chosen)
    assert max(lease.end_minutes for lease in one.best.leases) == 15 * HOUR
    assert max(lease.end_minutes for lease in two.best.leases) == 10 * HOUR


def starts_in_hours(decision: Decision) -> dict[int, float]:
    assert isinstance(decision, Chosen)
    return {a.step: a.start_minutes / HOUR for lease in decision.best.leases for a in lease.assignments}


@pytest.mark.parametrize(
    ("limits", "train", "serve"),
    [
        ({"release": 30}, 0, 30),
        ({"release": 30, "close": 20}, 0, 30),
        ({"release": 30, "close": 5}, 15, 30),  # training waits, so that serving follows closely
        ({"dark": 10}, 0, 20),
        ({"dark": 9}, 19, 29),  # ten hours do not fit before it: a phase is not split
        ({"dark": 10, "close": 3}, 20, 30),  # both before it, or both after it
        ({"dark": 12, "close": 10}, 2, 22),  # training ends at 12
        ({"dark": 1000}, 0, 10),
    ],
)
def test_phases_stand_as_early_as_their_windows_allow(limits: dict[str, int], train: int, serve: int) -> None:
    decision = choose(two_phases(**limits), OPTIONS)
    assert starts_in_hours(decision) == {0: train, 1: serve}
    assert decision.best.cost_minor == 1500, "ten and five hours, none of them waiting"


def test_a_lease_lasts_through_a_blackout_where_waiting_costs_less_than_a_second_month() -> None:
    """A month of 48 hours for both phases and the ten hours between them."""
    machine = offer("o", month="100", billing={"month": "48 h"})
    steps = (
        Step("train", (candidate("train", machine, 10),)),
        Step("serve", (candidate("serve", machine, 5),), after=(0,)),
    )
    decision = choose(Problem(steps, "CNY", blackouts_minutes=((10 * HOUR, 20 * HOUR),)), OPTIONS)
    assert starts_in_hours(decision) == {0: 0, 1: 20}
    assert [lease.end_minutes for lease in decision.best.leases] == [25 * HOUR]
    assert decision.best.cost_minor == 10_000


def test_overlapping_blackouts_are_one() -> None:
    blackouts = ((5 * HOUR, 12 * HOUR), (11 * HOUR, 20 * HOUR))
    problem = replace(two_phases(), blackouts_minutes=blackouts)
    assert starts_in_hours(choose(problem, OPTIONS)) == {0: 20, 1: 30}


def test_a_slow_machine_is_needed_where_a_phase_must_reach_from_one_to_the_next() -> None:
    """It begins when the first has ended, at 2, and must not have ended before the third may begin, at 12."""
    first, fast, slow = offer("first", hour="1"), offer("fast", hour="1"), offer("slow", hour="9")
    steps = (
        Step("first", (candidate("first", first, 2),), deadline_minutes=2 * HOUR),
        Step("middle", (candidate("middle", fast, 4), candidate("middle", slow, 10)), (0,), gap_at_most_minutes=0),
        Step("third", (candidate("third", first, 1),), (1,), gap_at_most_minutes=0, release_minutes=12 * HOUR),
    )
    decision = choose(Problem(steps, "CNY"), OPTIONS)
    assert starts_in_hours(decision) == {0: 0, 1: 2, 2: 12}
    assert decision.best.cost_minor == 200 + 10 * 900 + 100


def test_every_rule_of_the_program_has_a_plain_twin_and_no_twin_stands_alone() -> None:
    assert {rule.name for rule in RULES} == {check.name for check in CHECKS} - {"requirements"}
