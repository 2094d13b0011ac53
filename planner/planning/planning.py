"""plan(scenario, models, catalog, options) -> Report: the one way through the house."""

from dataclasses import dataclass, replace
from datetime import date

from planner.auditing import doubts_of
from planner.choosing import ChoosingOptions
from planner.explaining import Need, Told, conflict_of, explain
from planner.planning.deciding import Decided, Question, billed_plan, decide
from planner.planning.holding import held_alternative
from planner.planning.relaxing import relaxations
from planner.values.catalog import Catalog
from planner.values.distinct import Distinct
from planner.values.frame import frame_of
from planner.values.model import Model
from planner.values.plans import Chosen, Impossible, Unfinished
from planner.values.report import Report
from planner.values.scenario import Scenario
from planner.values.watch import Watch


@dataclass(frozen=True, slots=True)
class Options:
    """How to plan. ``order_by`` overrides the scenario's day of signing; ``distinct``: how runners-up differ.

    ``watch``: who waits for the search, and may stop it. ``accepts_expired``: quotes count beyond their validity.
    """

    order_by: date | None = None
    runners_up: int = 3
    time_limit_seconds: float = 60.0
    workers: int = 1
    distinct: Distinct = Distinct.PLAN
    watch: Watch | None = None
    accepts_expired: bool = False


def plan(scenario: Scenario, models: dict[str, Model], catalog: Catalog, options: Options) -> Report:
    """The cheapest compliant plan with its proof, or why there is none. ``models``: by phase name."""
    frame = frame_of(scenario, catalog.newest_observation, options.order_by)
    choosing = ChoosingOptions(
        options.runners_up,
        options.time_limit_seconds,
        options.workers,
        distinct=options.distinct,
        watch=options.watch,
    )
    accepted = frozenset({"quote_validity"}) if options.accepts_expired else frozenset[str]()
    question = Question(scenario, models, catalog, frame, choosing, accepted)
    told = _told(question, decide(question))
    return explain(replace(told, doubts=doubts_of(catalog, frame.order_by)))


def _told(question: Question, decided: Decided) -> Told:
    nothing = Told("impossible", question.scenario, question.models, question.frame, question.catalog, decided.matches)
    match decided.decision:
        case Chosen(best, runners_up, by_seller, entries):
            billed = tuple(billed_plan(decided.problem, one) for one in (best, *runners_up))
            return replace(
                nothing,
                status="chosen",
                plans=billed,
                distinct=question.choosing.distinct,
                entries=entries,
                held=held_alternative(question, billed[0]),
                by_seller=tuple((seller, billed_plan(decided.problem, one)) for seller, one in by_seller),
            )
        case Unfinished(best):
            plans = () if best is None else (billed_plan(decided.problem, best),)
            return replace(nothing, status="unfinished", plans=plans)
        case Impossible(rules):
            conflict = tuple(Need(rule, "") for rule in rules)
        case None:
            empty = [step.name for step in decided.problem.steps if not step.candidates]
            conflict = tuple(need for name in empty for need in conflict_of(name, decided.matches.rejections))
    return replace(nothing, conflict=conflict, relaxations=relaxations(question, conflict))
