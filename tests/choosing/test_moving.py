"""Rules of data that is moved: each bites and lets go, and what stands in for another stands as near."""

from fractions import Fraction

import pytest

from planner.choosing import ChoosingOptions, choose
from planner.values.lease import Bill
from planner.values.moving import Move, MoveEnd
from planner.values.plans import Chosen, Impossible, Problem, Step

from .instances import candidate, moving_bill, offer

OPTIONS = ChoosingOptions(runners_up=0, with_sellers=False)
HOUR = 60
FREE = Bill((), 0, Fraction(1))


def problem(*, hours: int = 0, minor: int = 0, deadline_hours: int | None = None, budget: int | None = None) -> Problem:
    """Ten hours at 1.00, then five at 1.00 at another seller; or at 3.00 where the first runs."""
    home, away = offer("home", "a", hour="1"), offer("away", "b", hour="1")
    dear = offer("dear", "a", hour="3")
    steps = (
        Step("train", (candidate("train", home, 10),)),
        Step(
            "serve",
            (candidate("serve", away, 5), candidate("serve", dear, 5)),
            (0,),
            deadline_minutes=None if deadline_hours is None else deadline_hours * HOUR,
        ),
    )
    leaving = {"home": MoveEnd(hours * HOUR, moving_bill(minor))}
    arriving = {"away": MoveEnd(HOUR, None), "dear": MoveEnd(0, FREE)}
    return Problem(steps, "CNY", budget, moves=(Move("train", "serve", 10**9, leaving, arriving),))


def chosen(asked: Problem) -> tuple[int, int]:
    """Cost, and the hour at which serving starts."""
    decision = choose(asked, OPTIONS)
    assert isinstance(decision, Chosen)
    (start,) = (a.start_minutes for lease in decision.best.leases for a in lease.assignments if a.step == 1)
    return decision.best.cost_minor, start // HOUR


@pytest.mark.parametrize(("hours", "starts"), [(0, 11), (1, 11), (3, 13)])
def test_a_step_waits_for_the_slower_end(hours: int, starts: int) -> None:
    """The way arrives at one hour's speed."""
    assert chosen(problem(hours=hours)) == (1500, starts)


def test_a_deadline_that_the_way_leaves_no_time_for_is_impossible_until_it_is_later() -> None:
    """Both offers are in regions of their own: 10 + 3 + 5 hours."""
    assert chosen(problem(hours=3, deadline_hours=18)) == (1500, 13)
    refused = choose(problem(hours=3, deadline_hours=17), OPTIONS)
    assert isinstance(refused, Impossible)
    assert refused.conflict == ("deadline",)


def test_what_is_moved_is_paid_within_the_budget() -> None:
    assert chosen(problem(minor=700, budget=2200)) == (2200, 11)
    refused = choose(problem(minor=700, budget=2199), OPTIONS)
    assert isinstance(refused, Impossible)
    assert refused.conflict == ("budget",)


@pytest.mark.parametrize(("minor", "cost", "is_near"), [(900, 2400, False), (1100, 2500, True)])
def test_what_is_cheaper_alone_does_not_stand_in_for_what_is_near(minor: int, cost: int, *, is_near: bool) -> None:
    """Alone the other seller's offer beats the near one by 10.00, which moving may cost more than."""
    home, near = offer("home", "a", city="Here", hour="1"), offer("near", "a", city="Here", hour="3")
    away = offer("away", "b", hour="1")
    steps = (
        Step("train", (candidate("train", home, 10),)),
        Step("serve", (candidate("serve", away, 5), candidate("serve", near, 5)), (0,)),
    )
    leaving = {"home": MoveEnd(0, moving_bill(minor))}
    arriving = {"away": MoveEnd(0, FREE), "near": MoveEnd(0, FREE)}
    decision = choose(Problem(steps, "CNY", moves=(Move("train", "serve", 10**9, leaving, arriving),)), OPTIONS)
    assert isinstance(decision, Chosen)
    assert decision.best.cost_minor == cost
    assert (decision.best.leases[-1].candidate.offer.id == "near") is is_near
