"""When a few hours of trial are worth their price: where the choice hangs on an estimate."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from planner.explaining.billed import money
from planner.explaining.plans import candidates_of
from planner.values.matches import Candidate
from planner.values.money import borne_minor, to_minor
from planner.values.plans import BilledPlan
from planner.values.report import Probe
from planner.values.scenario import Scenario, TrainPhase

# A guess: a few hundred steps with set-up and warming up.
PROBE_HOURS = 2


def _is_estimated(candidate: Candidate, scenario: Scenario) -> bool:
    """A train phase whose hours follow from an estimate and not from a measurement or a fixed number."""
    phase = next(phase for phase in scenario.phases if phase.name == candidate.phase)
    return isinstance(phase, TrainPhase) and phase.work.run_minutes is None and not candidate.is_measured


def _steps(candidate: Candidate) -> tuple[int, ...]:
    """One node; where several are planned, then two, since scaling shows between one and two."""
    return (1,) if candidate.nodes == 1 else (1, 2)


def _cost_minor(candidate: Candidate, steps: tuple[int, ...]) -> int | None:
    """Hours of the machine at its hourly price; None where no hour is sold."""
    if candidate.tariff.hour is None:
        return None
    per_node = Fraction(candidate.tariff.units, candidate.nodes)
    billed = Fraction(candidate.tariff.hour) * per_node * sum(steps) * PROBE_HOURS
    return borne_minor(to_minor(billed, candidate.tariff.currency), candidate.tariff.basis)


def probes(plans: Sequence[BilledPlan], scenario: Scenario) -> tuple[Probe, ...]:
    """One for each estimated train phase of the best plan, if the best runner-up that trains it on another card,
    or on more or fewer nodes, would be cheaper once the phase is as slow as is booked, by more than the probe costs.
    """
    return (
        tuple(probe for candidate in candidates_of(plans[0]) for probe in _of(candidate, plans, scenario))
        if plans
        else ()
    )


def _of(candidate: Candidate, plans: Sequence[BilledPlan], scenario: Scenario) -> Iterator[Probe]:
    if not _is_estimated(candidate, scenario):
        return
    steps = _steps(candidate)
    cost_minor = _cost_minor(candidate, steps)
    for rank, plan in enumerate(plans[1:], start=2):
        other = next(one for one in candidates_of(plan) if one.phase == candidate.phase)
        if (other.hardware.gpu, other.nodes) == (candidate.hardware.gpu, candidate.nodes):
            continue
        apart_minor = plans[0].cost_safe_minor - plan.cost_minor
        if cost_minor is not None and apart_minor > cost_minor:
            yield Probe(
                candidate.phase,
                candidate.offer.id,
                steps,
                PROBE_HOURS * len(steps),
                money(cost_minor, scenario.currency),
                rank,
                money(apart_minor, scenario.currency),
            )
        return
