"""Against the best plan: every unit of money is told of once, and a plan as cheap says what it has more of."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.choosing import ChoosingOptions, choose
from planner.explaining.billed import money
from planner.explaining.comparing import advantages, by_charge, compared, is_near_tie
from planner.explaining.plans import plan_report
from planner.values.catalog import PriceKind
from planner.values.hardware import HardwareClass
from planner.values.lease import Bill, Charge
from planner.values.matches import Candidate, Compliance, Outcome
from planner.values.plans import BilledPlan, Chosen, ChosenPlan, Problem
from tests.checking.plans import billed, billed_alone
from tests.choosing.instances import GPU, candidate, offer, problems
from tests.explaining.test_plans import framed
from tests.matching.world import asking

BASES = (Fraction(1), Fraction(71, 10), Fraction(100, 106), Fraction(1, 3))


@st.composite
def billed_plans(draw: st.DrawFn) -> BilledPlan:
    """Leases of any charges in any currency, and tax included or not."""
    charges = st.builds(
        lambda what, minor: Charge(what, Decimal(1), "node-hour", Decimal(1), minor),
        st.sampled_from(["run", "stopped", "month", "month, renewed", "storage"]),
        st.integers(-500, 100_000),
    )
    bills = st.builds(lambda lines, basis: Bill(tuple(lines), 0, basis), st.lists(charges), st.sampled_from(BASES))
    return BilledPlan(ChosenPlan((), 0, 0), tuple(draw(st.lists(bills, max_size=3))))


def total(plan: BilledPlan, best: BilledPlan) -> Decimal:
    return sum((Decimal(line.more) for line in by_charge(plan, best, "CNY")), start=Decimal(0))


@given(billed_plans(), billed_plans())
def test_the_lines_sum_to_what_the_plan_costs_more(plan: BilledPlan, best: BilledPlan) -> None:
    assert total(plan, best) == Decimal(money(plan.cost_minor - best.cost_minor, "CNY"))
    lines = by_charge(plan, best, "CNY")
    assert len({line.what for line in lines}) == len(lines)
    assert all(Decimal(line.more) for line in lines)
    assert by_charge(best, best, "CNY") == ()


@settings(max_examples=40)
@given(problems())
def test_the_lines_of_solved_plans_sum_to_their_delta(problem: Problem) -> None:
    decision = choose(problem, ChoosingOptions(runners_up=2, with_sellers=False))
    if not isinstance(decision, Chosen):
        return
    best = billed(*decision.best.leases)
    for one in decision.runners_up:
        plan = billed(*one.leases)
        assert total(plan, best) == Decimal(money(plan.cost_minor - best.cost_minor, "CNY"))


def test_money_moves_from_hours_to_months() -> None:
    """100 h at 2.00 against a month of 500.00."""
    by_hour = billed_alone(candidate("train", offer("a", hour="2"), 100))
    by_month = billed_alone(candidate("train", offer("b", month="500"), 100), months=1)
    lines = by_charge(by_month, by_hour, "CNY")
    assert [(line.what, line.more) for line in lines] == [("month", "500.00"), ("run", "-200.00")]


@pytest.mark.parametrize(("hour", "is_near"), [("2", True), ("2.02", True), ("2.021", False), ("1.98", True)])
def test_a_plan_within_a_percent_is_a_near_tie(hour: str, *, is_near: bool) -> None:
    best = billed_alone(candidate("train", offer("a", hour="2"), 100))
    assert is_near_tie(billed_alone(candidate("train", offer("b", hour=hour), 100)), best) is is_near


def machine(
    name: str, *, nodes: int = 1, hours: int = 100, kind: PriceKind = PriceKind.LIST, **changes: Any
) -> Candidate:
    """``changes``: of the hardware."""
    of = offer(name, hour="2").model_copy(update={"kind": kind})
    return replace(candidate("train", of, hours, nodes=nodes), hardware=HardwareClass(GPU, 1, nodes, **changes))


def found(one: Candidate, best: Candidate) -> list[tuple[str, str, float, float]]:
    lines = advantages(billed_alone(one), billed_alone(best))
    return [(line.what, line.phase, line.has, line.best_has) for line in lines]


def test_what_a_plan_has_more_of_is_told_by_phase() -> None:
    small = machine("a")
    large = replace(small, offer=offer("b", hour="2"), hardware=HardwareClass(replace(GPU, usable_mib=102_400), 1))
    assert found(large, small) == [("card_gib", "train", 100.0, 80.0)]
    assert found(small, large) == []
    assert found(machine("b", hours=90), small) == [("end_hours", "train", 90.0, 100.0)]
    assert found(machine("b"), machine("a", nodes=2)) == [("nodes", "train", 1, 2)]
    assert found(small, machine("b", kind=PriceKind.MARKET_RANGE)) == [("orderable", "", 1, 0)]
    assert found(machine("b", kind=PriceKind.MARKET_RANGE), small) == []


@pytest.mark.parametrize(
    ("nodes", "here", "there", "is_more"),
    [(2, 400, 200, True), (2, 200, 400, False), (2, 200, 200, False), (2, 400, None, False), (2, None, 200, False),
     (1, 400, 200, False)],
)  # fmt: skip
def test_the_network_counts_between_nodes_and_where_both_are_known(
    nodes: int, here: float | None, there: float | None, *, is_more: bool
) -> None:
    lines = found(machine("b", nodes=nodes, inter_gbps=here), machine("a", nodes=nodes, inter_gbps=there))
    assert lines == ([("inter_gbps", "train", 400, 200)] if is_more else [])


def test_fewer_unknowns_are_an_advantage() -> None:
    unknown = Compliance("nvme", "yes", "", Outcome.UNKNOWN, field="storage.nvme", is_accepted=True)
    best = replace(machine("a"), compliance=(unknown,))
    assert found(machine("b"), best) == [("unknowns", "", 0, 1)]
    assert found(best, machine("b")) == []


def test_only_near_ties_say_what_they_have_more_of() -> None:
    scenario = asking()
    best = billed_alone(machine("a"))

    def told(name: str, hours: int) -> tuple[bool, int]:
        plan = billed_alone(machine(name, hours=hours))
        report = compared(plan_report(2, plan, best, scenario, framed(scenario)), plan, best, "CNY")
        assert sum(Decimal(line.more) for line in report.by_charge) == Decimal(report.delta_to_best)
        return report.is_near_tie, len(report.advantages)

    assert told("b", 99) == (True, 1)
    assert told("b", 90) == (False, 0)
    report = plan_report(1, best, best, scenario, framed(scenario))
    assert compared(report, best, best, "CNY") == report
