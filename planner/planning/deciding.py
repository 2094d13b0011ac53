"""One decision: match, choose, bill, check. Asked again with rules waived when nothing fits."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from planner.checking import breaches
from planner.choosing import ChoosingOptions, choose
from planner.matching import match, moves
from planner.planning.sharing import shared_leases
from planner.pricing import bill
from planner.values.catalog import Catalog
from planner.values.frame import Frame
from planner.values.lease import Bill
from planner.values.matches import Candidate, Matches
from planner.values.model import Model
from planner.values.money import to_minor
from planner.values.moving import Moved
from planner.values.plans import BilledPlan, Breach, ChosenLease, ChosenPlan, Decision, Problem, Step
from planner.values.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Question:
    scenario: Scenario
    models: dict[str, Model]
    catalog: Catalog
    frame: Frame
    choosing: ChoosingOptions
    accepted: frozenset[str] = frozenset()
    """Requirements that need not be met, because the customer says so."""
    pinned: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """By phase, the only offer and node count that it may run on, where that is settled."""


@dataclass(frozen=True, slots=True)
class Decided:
    """``decision`` is None where a phase has no candidates at all."""

    matches: Matches
    problem: Problem
    decision: Decision | None


class PlanBrokenError(Exception):
    """A plan broke a rule that it should keep: a mistake of the planner's, so the plan is not shown."""

    def __init__(self, found: tuple[Breach, ...]) -> None:
        super().__init__("; ".join(f"{b.rule} at {b.where}: needs {b.needs}, has {b.has}" for b in found))


def posed(question: Question, waived: Collection[str] = ()) -> Decided:
    """What is to be decided where ``waived`` rules may be broken, and nothing decided."""
    scenario, frame = question.scenario, question.frame
    matches = match(scenario, question.models, question.catalog, frame, {*waived, *question.accepted})
    budget_minor = None if scenario.budget is None else to_minor(scenario.budget, scenario.currency)
    steps = tuple(
        Step(
            phase.name,
            _allowed(matches.candidates[phase.name], question.pinned.get(phase.name)),
            frame.after[index],
            phase.gap_minutes,
            frame.deadlines_minutes[index],
            phase.gap_at_most_minutes,
            frame.releases_minutes[index],
        )
        for index, phase in enumerate(scenario.phases)
    )
    problem = Problem(
        steps,
        scenario.currency,
        budget_minor,
        shared_leases(steps),
        frame.blackouts_minutes,
        scenario.sellers_at_least,
        scenario.sellers_at_most,
        _spot_share(scenario),
        question.catalog.quotas,
        moves=tuple(moves(scenario, question.models, {step.name: step.candidates for step in steps})),
    )
    return Decided(matches, problem, None)


def _spot_share(scenario: Scenario) -> Fraction | None:
    """Exact to a hundredth of a percent."""
    percent = scenario.spot_share_at_most_percent
    return None if percent is None else Fraction(round(percent * 100), 10_000)


def decide(question: Question, waived: Collection[str] = ()) -> Decided:
    """The decision where ``waived`` rules may be broken."""
    asked = posed(question, waived)
    if not all(step.candidates for step in asked.problem.steps):
        return asked
    return replace(asked, decision=choose(asked.problem, question.choosing, waived))


def _allowed(candidates: tuple[Candidate, ...], pinned: tuple[str, int] | None) -> tuple[Candidate, ...]:
    return candidates if pinned is None else tuple(one for one in candidates if one.key == pinned)


def _bill(lease: ChosenLease) -> Bill:
    uses = [a.candidate.use(a.start_minutes - lease.start_minutes) for a in lease.assignments]
    billed = bill(lease.candidate.tariff, uses, lease.bundle)
    if billed is None:
        raise PlanBrokenError((Breach("lease_paid", lease.candidate.offer.id, "covered", "not covered"),))
    return billed


def _moved(problem: Problem, plan: ChosenPlan) -> Iterator[Moved]:
    """What is taken from a phase that runs in another region."""
    offers = {a.candidate.phase: a.candidate.offer for lease in plan.leases for a in lease.assignments}
    for move in problem.moves:
        one, other = offers[move.before], offers[move.phase]
        if one.region != other.region:
            yield Moved(move, one, other)


def billed_plan(problem: Problem, plan: ChosenPlan, waived: Collection[str] = ()) -> BilledPlan:
    """The plan with its bills, judged: a plan that breaks a rule is never shown.

    Raises PlanBrokenError.
    """
    bills = tuple(_bill(lease) for lease in plan.leases)
    moved = tuple(_moved(problem, plan))
    if not plan.is_proven:
        # A plan that was cut off by the time limit may carry more in the program than its bill says.
        plan = replace(plan, cost_minor=BilledPlan(plan, bills, moved).cost_minor)
    billed = BilledPlan(plan, bills, moved)
    found = tuple(breach for breach in breaches(problem, billed) if breach.rule not in waived)
    if found:
        raise PlanBrokenError(found)
    return billed
