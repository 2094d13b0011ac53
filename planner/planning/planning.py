"""plan(scenario, models, catalog, options) -> Report: the one way through the house."""

from dataclasses import dataclass, replace
from datetime import date

from planner.auditing import doubts_of
from planner.choosing import ChoosingOptions
from planner.explaining import Need, Told, conflict_of, explain
from planner.planning.deciding import Decided, Question, billed_plan, decide, posed
from planner.planning.holding import held_alternative
from planner.planning.mixing import MixedAnswer, better_mix, must_mix, wants_mix
from planner.planning.overlaying import overlaid
from planner.planning.relaxing import relaxations
from planner.planning.waiving import mix_conflict
from planner.values.catalog import Catalog
from planner.values.distinct import Distinct
from planner.values.frame import frame_of
from planner.values.model import Model
from planner.values.overlay import OwnTerms
from planner.values.plans import Chosen, Impossible, Unfinished
from planner.values.report import Report
from planner.values.scenario import Scenario
from planner.values.watch import Watch


@dataclass(frozen=True, slots=True)
class Options:
    """How to plan. ``order_by`` overrides the scenario's day of signing; ``distinct``: how runners-up differ.

    ``watch``: who waits for the search, and may stop it. ``accepts_expired``: quotes count beyond their validity.
    ``overlay``: the user's own terms with sellers.
    """

    order_by: date | None = None
    runners_up: int = 3
    time_limit_seconds: float = 60.0
    workers: int = 1
    distinct: Distinct = Distinct.PLAN
    watch: Watch | None = None
    accepts_expired: bool = False
    overlay: OwnTerms | None = None


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
    question = Question(scenario, models, overlaid(catalog, options.overlay), frame, choosing, accepted)
    told = _answered(question)
    return explain(replace(told, doubts=doubts_of(catalog, frame.order_by)))


def _answered(question: Question) -> Told:
    decided = (posed if must_mix(question.scenario) else decide)(question)
    if not wants_mix(question.scenario):
        return _told(question, decided)
    mixed = better_mix(question, decided)
    if mixed is not None:
        return _mixed(mixed)
    if must_mix(question.scenario):
        conflict = mix_conflict(question, decided)
        nothing = _nothing(question, decided)
        return replace(nothing, conflict=conflict, relaxations=relaxations(question, conflict))
    is_limited = bool(decided.problem.quotas) or decided.problem.spot_share_at_most is not None
    return _told(question, _unproven(decided) if is_limited else decided)


def _unproven(decided: Decided) -> Decided:
    """A mix is chosen without a look at quotas and the share on spot: that the cheapest breaks them says nothing of
    others.
    """
    if not isinstance(decided.decision, Chosen):
        return decided
    return replace(decided, decision=replace(decided.decision, best=replace(decided.decision.best, bound_minor=0)))


def _mixed(mixed: MixedAnswer) -> Told:
    """The plan whose serving phases are mixes, with what it would cost to serve each from one offer."""
    plan = billed_plan(mixed.decided.problem, mixed.best)
    alone_minor = None if mixed.alone is None else mixed.alone.cost_minor
    return replace(_nothing(mixed.question, mixed.decided), status="chosen", plans=(plan,), unmixed_minor=alone_minor)


def _nothing(question: Question, decided: Decided) -> Told:
    return Told("impossible", question.scenario, question.models, question.frame, question.catalog, decided.matches)


def _told(question: Question, decided: Decided) -> Told:
    nothing = _nothing(question, decided)
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
        case Impossible(rules, is_smallest):
            conflict = tuple(Need(rule, "") for rule in rules)
            nothing = replace(nothing, is_conflict_smallest=is_smallest)
        case None:
            empty = [step.name for step in decided.problem.steps if not step.candidates]
            conflict = tuple(need for name in empty for need in conflict_of(name, decided.matches.rejections))
    return replace(nothing, conflict=conflict, relaxations=relaxations(question, conflict))
