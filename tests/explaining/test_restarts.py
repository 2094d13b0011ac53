"""How often a machine is started again whose cards its seller does not keep."""

import pytest

from planner.explaining import risky_restarts
from planner.explaining.restarts import restarts_of
from planner.values.plans import Assignment, ChosenLease
from planner.values.tariff import Bundle
from tests.checking.plans import billed
from tests.choosing.instances import candidate, offer

HOUR = 60
FREE = {"stopped": {"charge": "0 %"}}


def serving(**stopped: object) -> ChosenLease:
    """30 days of 10 hours."""
    one = offer("o", hour="2", month="900", billing={"month": "240 h", "stopped": {"charge": "0 %"} | stopped})
    return ChosenLease((Assignment(0, candidate("serve", one, 300, hours_per_day=10), 0),), Bundle())


def test_every_day_after_the_first_is_a_start() -> None:
    assert restarts_of(serving()) == 29
    assert risky_restarts(billed(serving())) == {"o": 29}


@pytest.mark.parametrize("says", [{"gpu_held": True}, {"allowed": False}])
def test_no_card_is_lost_where_it_is_kept_or_the_machine_runs_on(says: dict[str, object]) -> None:
    assert risky_restarts(billed(serving(**says))) == {}


def test_what_waits_inside_a_prepaid_term_is_not_stopped() -> None:
    """A month of 240 hours is 10 days: the starts of days 11 to 30 are left."""
    paid = ChosenLease(serving().assignments, Bundle.of(month=1))
    assert restarts_of(paid) == 19  # the one on day 11 falls on the minute where the term ends: it goes on


def test_a_phase_that_follows_directly_goes_on() -> None:
    one = offer("o", hour="2", billing=FREE)
    train, evaluate = candidate("train", one, 10), candidate("evaluate", one, 5)
    direct = ChosenLease((Assignment(0, train, 0), Assignment(1, evaluate, 10 * HOUR)), Bundle())
    later = ChosenLease((Assignment(0, train, 0), Assignment(1, evaluate, 20 * HOUR)), Bundle())
    assert (restarts_of(direct), restarts_of(later)) == (0, 1)
