"""What it costs never to stop a machine whose cards may be lost meanwhile."""

from dataclasses import replace

from planner.explaining import money, risky_restarts
from planner.planning.deciding import Decided, Question, billed_plan, decide
from planner.values.plans import BilledPlan, Chosen
from planner.values.report import Held


def held_alternative(question: Question, best: BilledPlan) -> Held | None:
    """None where the best plan stops no such machine."""
    restarts = risky_restarts(best)
    if not restarts:
        return None
    plan = _best_of(decide(_holding(question)))
    currency = question.scenario.currency
    if plan is None:
        return Held(restarts, None, None)
    apart_minor = plan.cost_minor - best.cost_minor
    return Held(restarts, money(plan.cost_minor, currency), money(apart_minor, currency))


def _holding(question: Question) -> Question:
    """The same question with the cards required to be kept, answered as fast as can be."""
    wanted = question.scenario.requirements.model_copy(update={"capacity_held": "required"})
    scenario = question.scenario.model_copy(update={"requirements": wanted})
    return replace(question, scenario=scenario, choosing=question.choosing.aside())


def _best_of(decided: Decided) -> BilledPlan | None:
    return billed_plan(decided.problem, decided.decision.best) if isinstance(decided.decision, Chosen) else None
