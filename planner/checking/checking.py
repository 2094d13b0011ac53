"""The plain twins of the program's rules. `CHECKS` is the table of contents; names are those of the program."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from planner.checking.leasing import (
    each_phase_once,
    lease_holds_its_phases,
    lease_is_paid,
    requirements_are_met,
)
from planner.checking.limits import (
    budget_is_kept,
    project_budgets_are_kept,
    quotas_are_kept,
    sellers_are_enough,
    sellers_are_few,
    spot_share_is_kept,
    stock_is_enough,
)
from planner.checking.moving import data_has_arrived, moves_are_paid
from planner.checking.windows import (
    blackouts_are_kept_free,
    deadline_is_met,
    lead_time_is_kept,
    longest_gap_is_kept,
    order_is_kept,
    release_is_kept,
)
from planner.values.plans import BilledPlan, Breach, Problem


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    judge: Callable[[Problem, BilledPlan], Iterator[Breach]]


CHECKS = (
    Check("once", each_phase_once),
    Check("order", order_is_kept),
    Check("lease_span", lease_holds_its_phases),
    Check("lease_paid", lease_is_paid),
    Check("data_there", data_has_arrived),
    Check("moves_paid", moves_are_paid),
    Check("deadline", deadline_is_met),
    Check("budget", budget_is_kept),
    Check("project_budget", project_budgets_are_kept),
    Check("sellers_at_least", sellers_are_enough),
    Check("sellers_at_most", sellers_are_few),
    Check("spot_share", spot_share_is_kept),
    Check("lead_time", lead_time_is_kept),
    Check("stock", stock_is_enough),
    Check("quota", quotas_are_kept),
    Check("release", release_is_kept),
    Check("gap_at_most", longest_gap_is_kept),
    Check("blackout", blackouts_are_kept_free),
    Check("requirements", requirements_are_met),
)


def breaches(problem: Problem, plan: BilledPlan) -> tuple[Breach, ...]:
    """Every rule that the plan breaks: empty for a plan that may be shown."""
    found = tuple(CHECKS[0].judge(problem, plan))
    return found or tuple(breach for check in CHECKS[1:] for breach in check.judge(problem, plan))
