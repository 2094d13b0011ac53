"""The cheapest plan where rules may be broken, and the smallest set of rules that together forbid every mix."""

from collections.abc import Collection
from dataclasses import replace

from planner.choosing import WISHES
from planner.explaining import Need
from planner.planning.deciding import Decided, Question, billed_plan, decide, posed
from planner.planning.mixing import better_mix, must_mix, wants_mix
from planner.values.plans import BilledPlan, Chosen, Unfinished
from planner.values.scenario import Scenario, ServePhase

# What hardware cannot do, and what has no exchange rate, no signature changes.
NOT_WAIVABLE = frozenset({"memory", "batch", "latency", "load", "offers", "currency"})
PLACES = "places_at_least"


def plan_without(question: Question, rules: Collection[str]) -> tuple[Decided, BilledPlan] | None:
    """The cheapest plan, a mix where that is wanted, to the problem in which it is one; None: none was found."""
    quick = replace(question, choosing=question.choosing.aside(), accepted=question.accepted | frozenset(rules))
    if PLACES in rules:
        quick = replace(quick, scenario=_anywhere(quick.scenario))
    decided = (posed if must_mix(quick.scenario) else decide)(quick, rules)
    mixed = better_mix(quick, decided, rules) if wants_mix(quick.scenario) else None
    if mixed is not None:
        return mixed.decided, billed_plan(mixed.decided.problem, mixed.best, rules)
    match decided.decision:
        case Chosen(best=best) | Unfinished(best=best) if best is not None:
            return decided, billed_plan(decided.problem, best, rules)
    return None


def _anywhere(scenario: Scenario) -> Scenario:
    phases = tuple(
        phase.model_copy(update={"places_at_least": 1}) if isinstance(phase, ServePhase) else phase
        for phase in scenario.phases
    )
    return scenario.model_copy(update={"phases": phases})


def mix_conflict(question: Question, alone: Decided) -> tuple[Need, ...]:
    """A smallest set of rules that leaves no mix: one by one a rule is dropped without which there is none either.

    "mix" where there is none without all of them.
    """
    asked = {rule: one.phase for one in alone.matches.rejections for rule in one.rules if rule not in NOT_WAIVABLE}
    phases = {rule: asked.get(rule, "") for rule in (*WISHES, *sorted(asked))} | _in_places(question.scenario)
    if plan_without(question, phases) is None:
        return (Need("mix", ""),)
    dropped: list[str] = []
    for rule in phases:
        if plan_without(question, (*dropped, rule)) is None:
            dropped.append(rule)
    return tuple(Need(rule, phase) for rule, phase in phases.items() if rule not in dropped)


def _in_places(scenario: Scenario) -> dict[str, str]:
    names = [one.name for one in scenario.phases if isinstance(one, ServePhase) and one.places_at_least > 1]
    return {PLACES: names[0]} if names else {}
