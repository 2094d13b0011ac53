"""The rules of the program by name. `RULES` is its table of contents.

Each rule has a plain twin in `checking`, under the same name.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from planner.choosing.leasing import each_phase_once, lease_holds_its_phases
from planner.choosing.limits import (
    budget_is_kept,
    project_budgets_are_kept,
    quotas_are_kept,
    sellers_are_enough,
    sellers_are_few,
    spot_share_is_kept,
    stock_is_enough,
)
from planner.choosing.metering import lease_is_paid
from planner.choosing.moving import data_has_arrived, moves_are_paid
from planner.choosing.program import Program
from planner.choosing.windows import (
    blackouts_are_kept_free,
    deadline_is_met,
    lead_time_is_kept,
    longest_gap_is_kept,
    order_is_kept,
    release_is_kept,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """``is_wish``: a requirement of the customer's or a limit of the seller's, which an explanation may drop."""

    name: str
    add: Callable[[Program], None]
    is_wish: bool = False


RULES = (
    Rule("once", each_phase_once),
    Rule("order", order_is_kept),
    Rule("lease_span", lease_holds_its_phases),
    Rule("lease_paid", lease_is_paid),
    Rule("data_there", data_has_arrived),
    Rule("moves_paid", moves_are_paid),
    Rule("deadline", deadline_is_met, is_wish=True),
    Rule("budget", budget_is_kept, is_wish=True),
    Rule("project_budget", project_budgets_are_kept, is_wish=True),
    Rule("sellers_at_least", sellers_are_enough, is_wish=True),
    Rule("sellers_at_most", sellers_are_few, is_wish=True),
    Rule("spot_share", spot_share_is_kept, is_wish=True),
    Rule("lead_time", lead_time_is_kept, is_wish=True),
    Rule("stock", stock_is_enough, is_wish=True),
    Rule("quota", quotas_are_kept, is_wish=True),
    Rule("release", release_is_kept, is_wish=True),
    Rule("gap_at_most", longest_gap_is_kept, is_wish=True),
    Rule("blackout", blackouts_are_kept_free, is_wish=True),
)


WISHES = tuple(rule.name for rule in RULES if rule.is_wish)


def add_rules(program: Program, dropped: Collection[str] = ()) -> None:
    for rule in RULES:
        if rule.name not in dropped:
            rule.add(program)
