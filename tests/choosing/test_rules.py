"""Each rule bites: possible, impossible, possible again on the other side of the line."""

import pytest

from planner.checking import CHECKS
from planner.choosing import ChoosingOptions, choose
from planner.choosing.rules import RULES
from planner.values.plans import Chosen, Impossible, Problem, Step

from .instances import candidate, offer

OPTIONS = ChoosingOptions(runners_up=0, with_sellers=False)
HOUR = 60


def two_phases(**limits: int | None) -> Problem:
    """Ten hours of training, then five of serving, on an offer at 1.00 an hour with one node in stock."""
    machine = offer("o", hour="1", stock=limits.get("stock"))
    train = Step("train", (candidate("train", machine, 10, earliest_hours=limits.get("lead") or 0),))
    serve = Step(
        "serve",
        (candidate("serve", machine, 5),),
        after=(0,) if limits.get("order", 1) else (),
        gap_minutes=(limits.get("gap") or 0) * HOUR,
        deadline_minutes=None if limits.get("deadline") is None else limits["deadline"] * HOUR,
    )
    return Problem((train, serve), "CNY", limits.get("budget"))


@pytest.mark.parametrize(
    ("rule", "possible", "impossible"),
    [
        ("deadline", {"deadline": 15}, {"deadline": 14}),
        ("deadline", {"deadline": 18, "gap": 3}, {"deadline": 17, "gap": 3}),
        ("budget", {"budget": 1500}, {"budget": 1499}),
        ("lead_time", {"deadline": 16, "lead": 1}, {"deadline": 16, "lead": 2}),
        ("stock", {"deadline": 15, "order": 0, "stock": 1}, {"deadline": 9, "order": 0, "stock": 0}),
    ],
)
def test_a_rule_bites_and_lets_go(rule: str, possible: dict[str, int], impossible: dict[str, int]) -> None:
    assert isinstance(choose(two_phases(**possible), OPTIONS), Chosen)
    refused = choose(two_phases(**impossible), OPTIONS)
    assert isinstance(refused, Impossible)
    assert rule in refused.conflict
    assert isinstance(choose(two_phases(**impossible), OPTIONS, dropped=refused.conflict), Chosen)


def test_a_conflict_is_smallest() -> None:
    """Deadline and lead time conflict, the budget has no part in it: leave either out and it goes."""
    problem = two_phases(deadline=16, lead=2, budget=100_000)
    refused = choose(problem, OPTIONS)
    assert isinstance(refused, Impossible)
    assert set(refused.conflict) == {"deadline", "lead_time"}
    for rule in refused.conflict:
        assert isinstance(choose(problem, OPTIONS, dropped=(rule,)), Chosen)


def test_parallel_phases_wait_for_the_only_node() -> None:
    """Ten and five hours side by side on one node take fifteen; on two nodes ten."""
    one = choose(two_phases(order=0, stock=1), OPTIONS)
    two = choose(two_phases(order=0, stock=2), OPTIONS)
    assert isinstance(one, Chosen)
    assert isinstance(two, Chosen)
    assert max(lease.end_minutes for lease in one.best.leases) == 15 * HOUR
    assert max(lease.end_minutes for lease in two.best.leases) == 10 * HOUR


def test_every_rule_of_the_program_has_a_plain_twin_and_no_twin_stands_alone() -> None:
    assert {rule.name for rule in RULES} == {check.name for check in CHECKS} - {"requirements"}
