"""When nothing fits: the cheapest plan without each rule of the conflict, and what the rule would have to say."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from planner.explaining import Need, candidates_of, conditions_of, money
from planner.planning.deciding import Decided, Question
from planner.planning.mixes import place_of
from planner.planning.mixing import is_part
from planner.planning.waiving import NOT_WAIVABLE, PLACES, plan_without
from planner.values.matches import Outcome
from planner.values.plans import Assignment, BilledPlan, Step
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.report import Relaxation
from planner.values.scenario import ALL_PERCENT, ServePhase

Placed = Mapping[int, Assignment]
Time = tuple[int, int, int]
"""Minutes by which a rule is broken, minutes that it asks, minutes that the plan has."""


def relaxations(question: Question, conflict: Iterable[Need]) -> tuple[Relaxation, ...]:
    """One for each rule of the conflict whose waiving gives a plan; all of them together where no single one does."""
    rules = tuple(dict.fromkeys(need.rule for need in conflict if need.rule not in NOT_WAIVABLE))
    found = tuple(r for rule in rules for r in _relaxed(question, (rule,)))
    if not found and len(rules) > 1:
        found = tuple(_relaxed(question, rules))
    return found


def _relaxed(question: Question, rules: tuple[str, ...]) -> Iterator[Relaxation]:
    found = plan_without(question, rules)
    if found is None:
        return
    decided, plan = found
    ends = [(_needed(rule, decided, plan, question)) for rule in rules]
    yield Relaxation(
        rule=" + ".join(rules),
        from_="; ".join(needs for needs, _ in ends),
        to="; ".join(has for _, has in ends),
        cost=money(plan.cost_minor, question.scenario.currency),
        conditions=conditions_of(plan),
    )


def _needed(rule: str, decided: Decided, plan: BilledPlan, question: Question) -> tuple[str, str]:
    """What the rule asks now, and what this plan would need it to say."""
    currency = question.scenario.currency
    if rule == "budget":
        budget_minor = decided.problem.budget_minor or 0
        return (
            f"{money(budget_minor, currency)} {currency}",
            f"{money(plan.cost_safe_minor, currency)} {currency}",
        )
    if rule == "project_budget":
        return _project_budgets(decided, plan, currency)
    if rule in ("sellers_at_least", "sellers_at_most"):
        return str(getattr(question.scenario, rule)), str(len({one.offer.seller for one in candidates_of(plan)}))
    if rule in _SHARES:
        return _SHARES[rule](decided, plan)
    if rule == PLACES:
        return _places(question, decided, plan)
    if rule in _TIMES:
        return _time(rule, decided, plan)
    for candidate in candidates_of(plan):
        for line in candidate.compliance:
            if line.requirement == rule and line.outcome is not Outcome.MET:
                return line.needs, line.has or f"unknown: {line.field}"
    return "", ""


def _project_budgets(decided: Decided, plan: BilledPlan, currency: str) -> tuple[str, str]:
    """Of each project that breaks its budget: the budget, and what its leases cost, shared ones in full."""
    broken = [
        (one, one.budget_minor, plan.cost_safe_minor_of(one))
        for one in decided.problem.projects
        if one.budget_minor is not None and plan.cost_safe_minor_of(one) > one.budget_minor
    ]
    asked = (f"{one.name} {money(budget_minor, currency)} {currency}" for one, budget_minor, _ in broken)
    has = (f"{one.name} {money(safe_minor, currency)} {currency}" for one, _, safe_minor in broken)
    return ", ".join(asked), ", ".join(has)


def _quotas(decided: Decided, plan: BilledPlan) -> tuple[str, str]:
    """Of each quota that the plan breaks: its cards, and those that the plan leases at one time."""
    broken = [one for one in decided.problem.quotas if plan.most_gpus(one) > one.gpus_at_most]
    asked = (f"{one.seller} {one.gpus_at_most}" for one in broken)
    return ", ".join(asked), ", ".join(f"{one.seller} {plan.most_gpus(one)}" for one in broken)


def _spot_share(decided: Decided, plan: BilledPlan) -> tuple[str, str]:
    placed = [assignment.candidate for assignment in plan.by_step.values()]
    spot = sum(one.booked_gpu_minutes for one in placed if one.offer.spot)
    share = spot / sum(one.booked_gpu_minutes for one in placed)
    return f"{ALL_PERCENT * float(decided.problem.spot_share_at_most or 0):g} %", f"{ALL_PERCENT * share:.2f} %"


_SHARES: Mapping[str, Callable[[Decided, BilledPlan], tuple[str, str]]] = {"quota": _quotas, "spot_share": _spot_share}


def _places(question: Question, decided: Decided, plan: BilledPlan) -> tuple[str, str]:
    """Of the phase that is asked to run in the most places: in how many, and in how many a mix of it would."""
    asked, name = max(
        (one.places_at_least, one.name) for one in question.scenario.phases if isinstance(one, ServePhase)
    )
    taken = (
        plan.by_step[index].candidate
        for index, step in enumerate(decided.problem.steps)
        if step.name == name or is_part(step.name, name)
    )
    return str(asked), str(len({place_of(candidate.offer) for candidate in taken}))


def _time(rule: str, decided: Decided, plan: BilledPlan) -> tuple[str, str]:
    """Of the step that breaks the rule by most: what is asked, and what it has."""
    placed = plan.by_step
    _, asked, has = max(
        found for index, step in enumerate(decided.problem.steps) for found in _TIMES[rule](step, index, placed)
    )
    return f"{asked / MINUTES_PER_HOUR:.1f} h", f"{has / MINUTES_PER_HOUR:.1f} h"


def _deadline(step: Step, index: int, placed: Placed) -> Iterator[Time]:
    if step.deadline_minutes is not None:
        end = placed[index].end_minutes
        yield end - step.deadline_minutes, step.deadline_minutes, end


def _release(step: Step, index: int, placed: Placed) -> Iterator[Time]:
    start = placed[index].start_minutes
    yield step.release_minutes - start, step.release_minutes, start


def _gap_at_most(step: Step, index: int, placed: Placed) -> Iterator[Time]:
    for before in step.after if step.gap_at_most_minutes is not None else ():
        gap = placed[index].start_minutes - placed[before].end_minutes
        yield gap - (step.gap_at_most_minutes or 0), step.gap_at_most_minutes or 0, gap


_TIMES: Mapping[str, Callable[[Step, int, Placed], Iterator[Time]]] = {
    "deadline": _deadline,
    "release": _release,
    "gap_at_most": _gap_at_most,
}
