"""When nothing fits: the cheapest plan without each rule of the conflict, and what the rule would have to say."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from planner.explaining import Need, candidates_of, conditions_of, money
from planner.planning.deciding import Decided, Question, billed_plan, decide
from planner.values.matches import Outcome
from planner.values.plans import BilledPlan, Chosen, Unfinished
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.report import Relaxation

# What hardware cannot do, and what has no exchange rate, no signature changes.
NOT_WAIVABLE = frozenset({"memory", "batch", "latency", "load", "offers", "currency"})


def relaxations(question: Question, conflict: Iterable[Need]) -> tuple[Relaxation, ...]:
    """One for each rule of the conflict whose waiving gives a plan; all of them together where no single one does."""
    rules = tuple(dict.fromkeys(need.rule for need in conflict if need.rule not in NOT_WAIVABLE))
    found = tuple(r for rule in rules for r in _relaxed(question, (rule,)))
    if not found and len(rules) > 1:
        found = tuple(_relaxed(question, rules))
    return found


def _relaxed(question: Question, rules: tuple[str, ...]) -> Iterator[Relaxation]:
    quick = replace(question, choosing=replace(question.choosing, runners_up=0, with_sellers=False))
    decided = decide(quick, rules)
    plan = _plan_of(decided, rules)
    if plan is None:
        return
    ends = [(_needed(rule, decided, plan, question)) for rule in rules]
    yield Relaxation(
        rule=" + ".join(rules),
        from_="; ".join(needs for needs, _ in ends),
        to="; ".join(has for _, has in ends),
        cost=money(plan.cost_minor, question.scenario.currency),
        conditions=conditions_of(plan),
    )


def _plan_of(decided: Decided, rules: tuple[str, ...]) -> BilledPlan | None:
    match decided.decision:
        case Chosen(best=best) | Unfinished(best=best) if best is not None:
            return billed_plan(decided.problem, best, rules)
    return None


def _needed(rule: str, decided: Decided, plan: BilledPlan, question: Question) -> tuple[str, str]:
    """What the rule asks now, and what this plan would need it to say."""
    currency = question.scenario.currency
    if rule == "budget":
        budget_minor = decided.problem.budget_minor or 0
        return (
            f"{money(budget_minor, currency)} {currency}",
            f"{money(plan.cost_safe_minor, currency)} {currency}",
        )
    if rule == "deadline":
        return _deadline(decided, plan)
    for candidate in candidates_of(plan):
        for line in candidate.compliance:
            if line.requirement == rule and line.outcome is not Outcome.MET:
                return line.needs, line.has or f"unknown: {line.field}"
    return "", ""


def _deadline(decided: Decided, plan: BilledPlan) -> tuple[str, str]:
    """The step that misses its deadline by most."""
    late = [
        (assignment.end_minutes - limit, limit, assignment.end_minutes)
        for lease in plan.chosen.leases
        for assignment in lease.assignments
        if (limit := decided.problem.steps[assignment.step].deadline_minutes) is not None
    ]
    _, limit, end = max(late)
    return f"{limit / MINUTES_PER_HOUR:.1f} h", f"{end / MINUTES_PER_HOUR:.1f} h"
