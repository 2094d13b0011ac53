"""A sound plan, whose bills are easy to reckon by hand, and plans of other leases of the same phases."""

from planner.pricing import bill
from planner.values.lease import Use
from planner.values.matches import Candidate
from planner.values.plans import Assignment, BilledPlan, ChosenLease, ChosenPlan, Problem, Step
from planner.values.tariff import Bundle
from tests.choosing.instances import candidate, offer

HOUR = 60
FIRST = offer("first", "a", stock=2, hour="2", month="1000")
SECOND = offer("second", "b", stock=2, hour="1")
TRAIN = candidate("train", FIRST, 10, safe_hours=12, earliest_hours=5)
EVALUATE = candidate("evaluate", FIRST, 4)
SERVE = candidate("serve", SECOND, 20, nodes=2, hours_per_day=10)

# Train from 5 to 17 and evaluate from 18 to 22 in one lease, then serve from 22 on two nodes of another.
PROBLEM = Problem(
    (
        Step("train", (TRAIN,), (), 0, 17 * HOUR),
        Step("evaluate", (EVALUATE,), (0,), HOUR, None),
        Step("serve", (SERVE,), (1,), 0, None),
    ),
    "CNY",
    13_000,
)


def billed(*leases: ChosenLease) -> BilledPlan:
    """A plan of these leases with the bills that they cost."""
    bills = []
    for lease in leases:
        uses = [
            Use(a.start_minutes - lease.start_minutes, c.run_minutes, c.safe_run_minutes, c.minutes_per_day)
            for a in lease.assignments
            for c in (a.candidate,)
        ]
        one = bill(lease.candidate.tariff, uses, lease.bundle)
        assert one is not None
        bills.append(one)
    cost = sum(one.cost_minor for one in bills)
    return BilledPlan(ChosenPlan(leases, cost, cost), tuple(bills))


def lease(*placed: tuple[int, int], bundle: Bundle = Bundle()) -> ChosenLease:  # noqa: B008 - frozen
    """Steps with the hours at which they begin."""
    assignments = tuple(Assignment(step, PROBLEM.steps[step].candidates[0], hours * HOUR) for step, hours in placed)
    return ChosenLease(assignments, bundle)


SOUND = billed(lease((0, 5), (1, 18)), lease((2, 22)))


def billed_alone(one: Candidate, *, months: int = 0, start_minutes: int = 0) -> BilledPlan:
    """A plan of one phase in a lease of its own."""
    return billed(ChosenLease((Assignment(0, one, start_minutes),), Bundle.of(month=months)))
