"""A serving phase as a mix: which offers carry its load together, and the phase as one phase for each part of the mix.

A part is so many nodes of one offer that run in the same hours. The mix is chosen first, at what its leases cost when
they hold nothing else; then the parts are phases like others, beside each other, each on the offer that it was given.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from planner.planning.deciding import Decided, PlanBrokenError, Question, billed_plan, decide, posed
from planner.planning.mixes import Part, parts_of
from planner.values.frame import frame_of
from planner.values.matches import Matches
from planner.values.plans import Assignment, Chosen, ChosenLease, ChosenPlan, Unfinished
from planner.values.quantities import HOURS_PER_DAY, MINUTES_PER_HOUR
from planner.values.scenario import ALL_PERCENT, Phase, Scenario, ServePhase

# What is asked of the whole plan, and so of no part of it alone.
NOT_OF_A_PART = {"sellers_at_least": None, "spot_share_at_most_percent": None}
# A part is asked for all that its nodes carry, but for what rounding takes.
ALMOST_ALL = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class MixedAnswer:
    """The best plan with mixes, to the question in which they are spelled out. ``alone``: the best without them."""

    question: Question
    decided: Decided
    best: ChosenPlan
    alone: ChosenPlan | None


@dataclass(frozen=True, slots=True)
class _MixedQuestion:
    """``parts``: the names of the parts of each mix. ``least_minor``: what the mixes cost at least; None: not known."""

    question: Question
    least_minor: int | None
    parts: dict[str, tuple[str, ...]]


def wants_mix(scenario: Scenario) -> bool:
    return any(isinstance(phase, ServePhase) and phase.is_mix for phase in scenario.phases)


def must_mix(scenario: Scenario) -> bool:
    """Whether one offer alone cannot be what is asked for."""
    return any(
        isinstance(phase, ServePhase) and (phase.places_at_least > 1 or phase.load.sizes) for phase in scenario.phases
    )


def _mixed_question(question: Question) -> _MixedQuestion | None:
    """None where a load that may be carried by a mix is carried by none."""
    phases: list[Phase] = []
    models, pinned = dict(question.models), dict(question.pinned)
    parts: dict[str, tuple[str, ...]] = {}
    least_minor: int | None = 0
    for index, phase in enumerate(question.scenario.phases):
        before = _before(question, index, parts)
        if not (isinstance(phase, ServePhase) and phase.is_mix):
            phases.append(phase.model_copy(update={"after": before}))
            continue
        found = parts_of(phase, question)
        if found is None:
            return None
        chosen, cost_minor = found
        least_minor = None if least_minor is None or cost_minor is None else least_minor + cost_minor
        for part, spelled in zip(
            chosen, _spelled(phase, chosen, before, question.frame.releases_minutes[index]), strict=True
        ):
            phases.append(spelled)
            models[spelled.name] = question.models[phase.name]
            pinned[spelled.name] = (part.candidate.offer.id, part.nodes)
        parts[phase.name] = tuple(one.name for one in phases[-len(chosen) :])
    scenario = question.scenario.model_copy(update={"phases": tuple(phases)})
    frame = frame_of(scenario, question.frame.start, question.frame.order_by)
    asked = replace(question, scenario=scenario, models=models, frame=frame, pinned=pinned)
    return _MixedQuestion(asked, least_minor, parts)


def _part_name(phase: str, number: int | str) -> str:
    return f"{phase} {number}"


def is_part(name: str, phase: str) -> bool:
    """Whether that is what a part of the phase's mix is called."""
    number = name.removeprefix(phase).strip()
    return number.isdecimal() and name == _part_name(phase, number)


def _before(question: Question, index: int, parts: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    names = [question.scenario.phases[before].name for before in question.frame.after[index]]
    return tuple(part for name in names for part in parts.get(name, (name,)))


def _spelled(
    phase: ServePhase, parts: list[Part], before: tuple[str, ...], release_minutes: int
) -> Iterator[ServePhase]:
    """All parts begin together: when the last machine of them can be there."""
    earliest_minutes = max(release_minutes, *(part.candidate.earliest_minutes for part in parts))
    for number, part in enumerate(parts, start=1):
        load = phase.load.model_copy(
            update={
                "output_tokens_per_second": part.nodes * part.candidate.time.tokens_per_second * ALMOST_ALL,
                "requests_per_second": None,
                "context_tokens": part.largest.context_tokens,
                "output_tokens": part.largest.output_tokens,
                "sizes": part.sizes,
                "peak_percent": float(ALL_PERCENT),
                "by_hour_percent": tuple(ALL_PERCENT * float(hour in part.hours) for hour in range(HOURS_PER_DAY)),
            }
        )
        yield phase.model_copy(
            update={
                "name": _part_name(phase.name, number),
                "after": before,
                "not_before": earliest_minutes,
                "load": load,
                "minutes_per_day": MINUTES_PER_HOUR * len(part.hours),
                "mix": False,
                "places_at_least": 1,
            }
        )


def better_mix(question: Question, alone: Decided, waived: Collection[str] = ()) -> MixedAnswer | None:
    """The plan with mixes where it is cheaper than the best without, or where there is none without.

    ``waived`` rules of the program may be broken.
    """
    mixed = _mixed_question(question)
    if mixed is None:
        return None
    decided = _at_once(mixed, waived) or decide(replace(mixed.question, choosing=question.choosing.aside()), waived)
    if not isinstance(decided.decision, Chosen):
        return None
    best, without = decided.decision.best, None if must_mix(question.scenario) else _best_of(alone)
    if not _begin_together(mixed, best) or (without is not None and without.cost_minor <= best.cost_minor):
        return None
    least_minor = _least_minor(mixed, question, decided, waived)
    if without is not None:
        least_minor = min(least_minor, without.bound_minor)
    proven = replace(best, bound_minor=min(best.cost_minor, least_minor))
    told = replace(decided, matches=_told_once(mixed, decided.matches))
    return MixedAnswer(mixed.question, told, proven, without)


def _told_once(mixed: _MixedQuestion, matches: Matches) -> Matches:
    """What rules an offer out of a mix is told once, by the mix's name: that it carries less than a part does not."""
    firsts = {names[0]: name for name, names in mixed.parts.items()}
    others = {part for names in mixed.parts.values() for part in names[1:]}
    kept = (
        replace(one, phase=firsts.get(one.phase, one.phase))
        for one in matches.rejections
        if one.phase not in others and not (one.phase in firsts and one.rule == "load")
    )
    return replace(matches, rejections=tuple(kept))


def _at_once(mixed: _MixedQuestion, waived: Collection[str]) -> Decided | None:
    """Where everything is parts of mixes that follow nothing: each in its own lease, at its cheapest, from its release.

    None: other phases take part, or a rule is broken so.
    """
    asked = posed(mixed.question, waived)
    steps = asked.problem.steps
    if any(step.after or len(step.candidates) != 1 or step.name not in mixed.question.pinned for step in steps):
        return None
    leases = tuple(
        ChosenLease((Assignment(index, step.candidates[0], step.release_minutes),), step.candidates[0].prices[0].bundle)
        for index, step in enumerate(steps)
    )
    plan = ChosenPlan(leases, sum(step.candidates[0].prices[0].cost_minor for step in steps), 0)
    try:
        billed_plan(asked.problem, plan, waived)
    except PlanBrokenError:
        return None
    return replace(asked, decision=Chosen(plan))


def _best_of(decided: Decided) -> ChosenPlan | None:
    return decided.decision.best if isinstance(decided.decision, Chosen | Unfinished) else None


def _begin_together(mixed: _MixedQuestion, best: ChosenPlan) -> bool:
    steps = mixed.question.scenario.phases
    starts = {steps[a.step].name: a.start_minutes for lease in best.leases for a in lease.assignments}
    return all(len({starts[name] for name in names}) == 1 for names in mixed.parts.values())


def _least_minor(mixed: _MixedQuestion, question: Question, decided: Decided, waived: Collection[str]) -> int:
    """No plan with mixes costs less: the mixes, and the other phases planned without them.

    Where both could run on one offer they may share its leases, and then only the dearer of the two is sure to be paid.
    """
    mixes_minor = mixed.least_minor or 0
    parts = {name for names in mixed.parts.values() for name in names}
    others = tuple(
        phase.model_copy(update={"after": tuple(name for name in phase.after or () if name not in parts)})
        for phase in mixed.question.scenario.phases
        if phase.name not in parts
    )
    if not others:
        return mixes_minor
    scenario = question.scenario.model_copy(update={"phases": others, **NOT_OF_A_PART})
    frame = frame_of(scenario, question.frame.start, question.frame.order_by)
    rest = decide(replace(question, scenario=scenario, frame=frame, choosing=question.choosing.aside()), waived)
    rest_minor = rest.decision.best.bound_minor if isinstance(rest.decision, Chosen) else 0
    offers = {
        is_part: {
            c.offer.id
            for name, found in decided.matches.candidates.items()
            if (name in parts) is is_part
            for c in found
        }
        for is_part in (True, False)
    }
    return max(mixes_minor, rest_minor) if offers[True] & offers[False] else mixes_minor + rest_minor
