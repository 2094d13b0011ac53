"""Each check bites: a sound plan is broken in one way, and that breach alone is found."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings

from planner.checking import CHECKS, breaches
from planner.checking.metering import metered_again
from planner.choosing import ChoosingOptions, choose
from planner.choosing.rules import RULES
from planner.planning.deciding import billed_plan
from planner.values.catalog import SellerQuota
from planner.values.lease import Bill, Charge
from planner.values.matches import Compliance, Outcome
from planner.values.moving import Move, Moved, MoveEnd
from planner.values.plans import Assignment, BilledPlan, Chosen, ChosenLease, Portion, Problem, Step
from planner.values.requirements import Place
from planner.values.tariff import Bundle
from tests.choosing.instances import candidate, offer, problems

from .plans import EVALUATE, FIRST, HOUR, PROBLEM, SECOND, SERVE, SOUND, TRAIN, billed, lease


def with_candidate(step: int, **changes: object) -> BilledPlan:
    """The sound plan with another candidate for a step; the bill stays."""
    leases = tuple(
        replace(
            one,
            assignments=tuple(
                replace(a, candidate=replace(a.candidate, **changes)) if a.step == step else a for a in one.assignments
            ),
        )
        for one in SOUND.chosen.leases
    )
    return replace(SOUND, chosen=replace(SOUND.chosen, leases=leases))


def with_bills(change: Callable[[Bill], Bill]) -> BilledPlan:
    return replace(SOUND, bills=(change(SOUND.bills[0]), *SOUND.bills[1:]))


def dearer(one: Bill) -> Bill:
    first, *others = one.charges
    return replace(one, charges=(replace(first, cost_minor=first.cost_minor + 1), *others))


def broken_rules(plan: BilledPlan, problem: Problem = PROBLEM) -> set[str]:
    return {breach.rule for breach in breaches(problem, plan)}


def test_a_sound_plan_has_no_breach() -> None:
    """Ten and four expected hours and one between them, at 2.00; then two days of two nodes, at 1.00 each."""
    assert SOUND.cost_minor == (10 + 4 + 1) * 200 + 2 * 24 * 2 * 100
    assert SOUND.cost_safe_minor == (12 + 4 + 1) * 200 + 2 * 24 * 2 * 100
    assert breaches(PROBLEM, SOUND) == ()


NOT_ASKED = Compliance("nvme", "yes", "no", Outcome.NOT_MET)
BROKEN: dict[str, tuple[BilledPlan, ...]] = {
    "once": (
        billed(lease((0, 5), (1, 18))),  # a step is left out
        billed(lease((0, 5), (1, 18)), lease((2, 22)), lease((2, 90))),  # a step runs twice
    ),
    "order": (
        billed(lease((0, 5), (1, 17)), lease((2, 22))),  # no gap
        billed(lease((0, 5), (1, 18)), lease((2, 21))),  # too early behind the evaluation
    ),
    "lease_span": (
        replace(SOUND, chosen=replace(SOUND.chosen, leases=(lease((1, 18), (0, 5)), lease((2, 22))))),  # not by start
    ),
    "lease_paid": (
        with_bills(dearer),
        with_bills(lambda one: replace(one, billed_safe_minor=one.billed_safe_minor - 1)),
        with_bills(lambda one: replace(one, charges=one.charges[:1])),
        replace(SOUND, chosen=replace(SOUND.chosen, cost_minor=SOUND.cost_minor - 1)),
    ),
    "deadline": (billed(lease((0, 6), (1, 19)), lease((2, 23))),),
    "lead_time": (billed(lease((0, 4), (1, 17)), lease((2, 21))),),
    "stock": (with_candidate(2, nodes=2, offer=offer("second", "b", stock=1, hour="1")),),
    "requirements": (
        with_candidate(0, compliance=(NOT_ASKED,)),
        with_candidate(0, compliance=(replace(NOT_ASKED, has="", outcome=Outcome.UNKNOWN),)),
        with_candidate(1, memory=replace(EVALUATE.memory, capacity_gib=0.9)),
    ),
}


@pytest.mark.parametrize(("rule", "plan"), [(rule, plan) for rule, plans in BROKEN.items() for plan in plans])
def test_a_plan_that_is_broken_in_one_way_has_that_breach_alone(rule: str, plan: BilledPlan) -> None:
    assert broken_rules(plan) == {rule}


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_the_budget_binds_the_bill_if_all_booked_hours_run(off: int) -> None:
    problem = replace(PROBLEM, budget_minor=SOUND.cost_safe_minor + off)
    assert SOUND.cost_safe_minor > SOUND.cost_minor
    assert broken_rules(SOUND, problem) == ({"budget"} if off < 0 else set())


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_the_budget_of_a_project_binds_all_leases_in_which_it_runs(off: int) -> None:
    """Evaluation alone, in the lease that it shares with the training: 12 + 4 booked hours at 2.00, 1 h of waiting."""
    (shared, _) = SOUND.bills
    problem = replace(PROBLEM, projects=(Portion("p", (1,), shared.cost_safe_minor + off),))
    assert shared.cost_safe_minor == (12 + 4 + 1) * 200
    assert broken_rules(SOUND, problem) == ({"project_budget"} if off < 0 else set())


def with_windows(**changes: object) -> Problem:
    """Windows of the evaluation, which runs from 18 to 22, an hour after the training has ended."""
    steps = (PROBLEM.steps[0], replace(PROBLEM.steps[1], **changes), PROBLEM.steps[2])
    return replace(PROBLEM, steps=steps)


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_the_release_binds_the_start(off: int) -> None:
    problem = with_windows(release_minutes=18 * HOUR + off)
    assert broken_rules(SOUND, problem) == ({"release"} if off > 0 else set())


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_the_longest_gap_binds_the_start_after_each_phase_before(off: int) -> None:
    problem = with_windows(gap_at_most_minutes=HOUR + off)
    assert broken_rules(SOUND, problem) == ({"gap_at_most"} if off < 0 else set())
    both = replace(PROBLEM.steps[2], after=(0, 1), gap_at_most_minutes=5 * HOUR + off)  # training ended at 17
    problem = replace(PROBLEM, steps=(*PROBLEM.steps[:2], both))
    assert broken_rules(SOUND, problem) == ({"gap_at_most"} if off < 0 else set())


@pytest.mark.parametrize(
    ("begins", "ends", "is_kept"),
    [
        (0, 5 * HOUR, True),  # the training begins when it is over
        (0, 5 * HOUR + 1, False),
        (17 * HOUR, 18 * HOUR, True),  # the lease lasts through it, no phase runs
        (17 * HOUR - 1, 18 * HOUR, False),
        (17 * HOUR, 18 * HOUR + 1, False),
        (10 * HOUR, 11 * HOUR, False),
        (0, 1000 * HOUR, False),
        (66 * HOUR, 70 * HOUR, False),  # the second day of serving, though only ten hours of each day run
        (70 * HOUR, 1000 * HOUR, True),  # serving spans two whole days
    ],
)
def test_no_phase_runs_in_a_blackout(begins: int, ends: int, *, is_kept: bool) -> None:
    problem = replace(PROBLEM, blackouts_minutes=((begins, ends),))
    assert broken_rules(SOUND, problem) == (set() if is_kept else {"blackout"})


def test_sellers_are_counted() -> None:
    """The sound plan rents from two."""
    assert broken_rules(SOUND, replace(PROBLEM, sellers_at_least=2, sellers_at_most=2)) == set()
    assert broken_rules(SOUND, replace(PROBLEM, sellers_at_least=3)) == {"sellers_at_least"}
    assert broken_rules(SOUND, replace(PROBLEM, sellers_at_most=1)) == {"sellers_at_most"}


def test_the_share_of_hours_on_machines_that_can_be_taken_back_is_counted() -> None:
    """12 and 4 booked hours on one card, then 20 on two, these on spot: 40 of 56."""
    spot = SECOND.model_copy(update={"spot": True})
    steps = (*PROBLEM.steps[:2], replace(PROBLEM.steps[2], candidates=(replace(SERVE, offer=spot),)))
    serving = ChosenLease((Assignment(2, steps[2].candidates[0], 22 * HOUR),), Bundle())
    plan = billed(lease((0, 5), (1, 18)), serving)
    problem = replace(PROBLEM, steps=steps)
    assert broken_rules(plan, replace(problem, spot_share_at_most=Fraction(40, 56))) == set()
    assert broken_rules(plan, replace(problem, spot_share_at_most=Fraction(39, 56))) == {"spot_share"}


def test_the_cards_of_a_quota_are_counted_at_one_time() -> None:
    """Two of the second offer; one of the first, before."""
    for offers, most in (({"first", "second"}, 2), ({"first"}, 1), ({"other"}, 0)):
        for gpus in (most - 1, most):
            quota = SellerQuota("a", frozenset(offers), gpus)
            assert broken_rules(SOUND, replace(PROBLEM, quotas=(quota,))) == ({"quota"} if gpus < most else set())


GB_FOR_50 = Bill((Charge("traffic", Decimal(100), "gb", Decimal("0.5"), 5000),), 5000)
# Serving takes 100 GB of the training, which ends at 17; serving begins at 22.
MOVE = Move("train", "serve", 100, {"first": MoveEnd(HOUR, GB_FOR_50)}, {"second": MoveEnd(5 * HOUR, None)})
MOVED = replace(
    SOUND,
    moved=(Moved(MOVE, FIRST, SECOND),),
    chosen=replace(SOUND.chosen, cost_minor=SOUND.cost_minor + 5000),
)


def with_end(end: MoveEnd) -> tuple[Problem, BilledPlan]:
    """The training's end of the way is another."""
    move = replace(MOVE, leaving={"first": end})
    return replace(PROBLEM, budget_minor=None, moves=(move,)), replace(MOVED, moved=(Moved(move, FIRST, SECOND),))


@pytest.mark.parametrize(("minutes", "is_kept"), [(5 * HOUR, True), (5 * HOUR + 1, False)])
def test_a_phase_begins_when_what_it_takes_is_there(minutes: int, *, is_kept: bool) -> None:
    problem, plan = with_end(MoveEnd(minutes, GB_FOR_50))
    assert broken_rules(plan, problem) == (set() if is_kept else {"data_there"})


def test_what_is_moved_is_billed_and_nothing_else() -> None:
    problem, plan = with_end(MoveEnd(HOUR, GB_FOR_50))
    assert broken_rules(plan, problem) == set()
    assert broken_rules(SOUND, problem) == {"moves_paid"}
    assert broken_rules(plan, replace(problem, moves=())) == {"moves_paid"}
    wrong = replace(GB_FOR_50, charges=(replace(GB_FOR_50.charges[0], quantity=Decimal(99)),))
    problem, plan = with_end(MoveEnd(HOUR, wrong))
    assert broken_rules(plan, problem) == {"moves_paid"}


def test_nothing_is_moved_between_offers_of_one_seller_in_one_city() -> None:
    """Two offers of seller a: here in one city, there in one country only."""
    for place, needed in (({"city": "Here"}, set()), ({"country": "CN"}, {"moves_paid"})):
        near = [offer(name, "a", hour="1").model_copy(update={"place": Place(**place)}) for name in "op"]
        steps = tuple(Step(name, (candidate(name, one, 1),)) for name, one in zip(("x", "y"), near, strict=True))
        move = Move("x", "y", 1, {"o": MoveEnd(0, None)}, {"p": MoveEnd(0, None)})
        plan = billed(*(ChosenLease((Assignment(i, s.candidates[0], 60 * i),), Bundle()) for i, s in enumerate(steps)))
        assert broken_rules(plan, Problem(steps, "CNY", moves=(move,))) == needed


def test_every_check_is_bitten_by_a_plan_above() -> None:
    windows = {"release", "gap_at_most", "blackout"}
    sellers = {"sellers_at_least", "sellers_at_most", "spot_share", "quota"}
    moves = {"data_there", "moves_paid"}
    assert {check.name for check in CHECKS} == {*BROKEN, "budget", "project_budget"} | windows | sellers | moves


def test_every_rule_of_the_program_is_checked_again_in_plain_python() -> None:
    checked = {check.name: check.judge.__name__ for check in CHECKS}
    assert {rule.name for rule in RULES} <= set(checked)
    assert set(checked) - {rule.name for rule in RULES} == {"requirements"}


def test_phases_of_two_offers_share_no_lease() -> None:
    mixed = ChosenLease(
        (Assignment(0, TRAIN, 5 * HOUR), Assignment(1, replace(EVALUATE, offer=SECOND), 18 * HOUR)), Bundle()
    )
    assert "lease_span" in broken_rules(billed(mixed, lease((2, 22))))


def test_phases_of_a_lease_run_one_after_another() -> None:
    problem = replace(PROBLEM, steps=tuple(replace(step, after=(), deadline_minutes=None) for step in PROBLEM.steps))
    assert "lease_span" in broken_rules(billed(lease((0, 5), (1, 16)), lease((2, 22))), problem)
    assert "lease_span" not in broken_rules(billed(lease((0, 5), (1, 17)), lease((2, 22))), problem)


def test_stock_counts_what_is_leased_at_one_time() -> None:
    one = candidate("p", offer("o", stock=1, hour="1"), 10)
    problem = Problem((Step("p", (one,)), Step("q", (one,))), "CNY")

    def plan(second_start: int) -> BilledPlan:
        leases = (
            ChosenLease((Assignment(0, one, 0),), Bundle()),
            ChosenLease((Assignment(1, one, second_start),), Bundle()),
        )
        return billed(*leases)

    assert broken_rules(plan(9 * HOUR), problem) == {"stock"}
    assert broken_rules(plan(10 * HOUR), problem) == set()


def test_what_is_accepted_though_unknown_is_no_breach() -> None:
    line = Compliance("nvme", "yes", "", Outcome.UNKNOWN, field="storage.nvme", is_accepted=True)
    assert "requirements" not in broken_rules(with_candidate(0, compliance=(line,)))


# The bill, added up again


def test_a_lease_by_the_month_is_billed_for_the_month() -> None:
    one = candidate("p", offer("o", month="7920"), 240)
    by_month = ChosenLease((Assignment(0, one, 0),), Bundle.of(month=1))
    assert metered_again(by_month) == (792_000, 792_000)
    assert metered_again(replace(by_month, bundle=Bundle())) == (-1, -1), "nothing pays for the hours"


def test_hours_after_a_month_are_metered_and_hours_in_it_are_not() -> None:
    one = candidate("p", offer("o", hour="2", month="1000"), 730)
    assert metered_again(ChosenLease((Assignment(0, one, 0),), Bundle.of(month=1))) == (102_000, 102_000)


def test_ten_hours_a_day_with_half_price_while_stopped() -> None:
    of = offer("o", hour="12", billing={"stopped": {"charge": "50 %"}})
    one = candidate("p", of, 100, hours_per_day=10)
    expected = 100 * 1200 + 10 * 14 * 600
    assert metered_again(ChosenLease((Assignment(0, one, 0),), Bundle())) == (expected, expected)


@settings(max_examples=40)
@given(problems())
def test_the_checker_finds_nothing_in_any_plan_that_is_given_out(problem: Problem) -> None:
    decision = choose(problem, ChoosingOptions(runners_up=1, with_sellers=False))
    if isinstance(decision, Chosen):
        for plan in (decision.best, *decision.runners_up):
            assert breaches(problem, billed_plan(problem, plan)) == ()
