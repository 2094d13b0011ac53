"""Recurring work spelled out: a retraining every two weeks becomes so many trainings with a release each."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import groupby
from typing import TypeVar

from planner.values.quantities import MINUTES_PER_DAY
from planner.values.scenario import Phase, Scenario

MOST_PHASES = 8
T = TypeVar("T")


def spelled_out(scenario: Scenario) -> Scenario:
    """Each repetition as a phase of its own, "train 1", "train 2", ...; phases that repeat alike repeat together.

    A repetition begins when the one before it has ended, and no earlier than ``every`` after that one's release.
    What comes after a phase that repeats comes after its last repetition.
    """
    if all(phase.repeat is None for phase in scenario.phases):
        return scenario
    blocks = [list(block) for _, block in groupby(scenario.phases, key=lambda phase: phase.repeat)]
    last_names = {phase.name: names_of(phase)[-1] for phase in scenario.phases}
    phases: list[Phase] = []
    for block in blocks:
        phases.extend(_repeated(block, last_names, phases[-1].name if phases else None))
    measured = tuple(
        one.model_copy(update={"phase": name})
        for one in scenario.measurements
        for phase in scenario.phases
        if phase.name == one.phase
        for name in names_of(phase)
    )
    return scenario.model_copy(update={"phases": tuple(phases), "measurements": measured})


def names_of(phase: Phase) -> tuple[str, ...]:
    """What its repetitions are called; its own name where it does not repeat."""
    if phase.repeat is None:
        return (phase.name,)
    return tuple(f"{phase.name} {number}" for number in range(1, phase.repeat.times + 1))


def by_repetition(scenario: Scenario, by_phase: Mapping[str, T]) -> dict[str, T]:
    """The same for every repetition of a phase."""
    return {name: by_phase[phase.name] for phase in scenario.phases for name in names_of(phase)}


def _repeated(block: list[Phase], last_names: Mapping[str, str], before: str | None) -> Iterator[Phase]:
    """The block over and over; ``before`` is the phase written before it."""
    repeat = block[0].repeat
    times = 1 if repeat is None else repeat.times
    for number in range(times):
        for phase in block:
            is_again = number > 0 and phase is block[0]
            after = _after(phase, block, number, last_names, before)
            later_minutes = number * repeat.every_minutes if repeat is not None else 0
            before = names_of(phase)[number]
            yield phase.model_copy(
                update={
                    "name": before,
                    "after": after,
                    "takes": _taken(phase, block, number, last_names),
                    "repeat": None,
                    "not_before": _later(phase.not_before, later_minutes),
                    "deadline": phase.deadline if number == times - 1 else None,
                    "gap_at_most_minutes": None if is_again else phase.gap_at_most_minutes,
                }
            )


def _after(
    phase: Phase, block: list[Phase], number: int, last_names: Mapping[str, str], before: str | None
) -> tuple[str, ...]:
    """What a repetition comes after: its like in the same round, and the first of a round after the round before."""
    if phase.after is None:
        return () if before is None else (before,)
    inside = {one.name: one for one in block}
    named = tuple(names_of(inside[name])[number] if name in inside else last_names[name] for name in phase.after)
    again = number > 0 and phase is block[0] and before is not None
    return (*named, before) if again and before is not None else named


def _taken(phase: Phase, block: list[Phase], number: int, last_names: Mapping[str, str]) -> dict[str, int]:
    """From its like in the same round, or from the last repetition of what repeats otherwise."""
    inside = {one.name: one for one in block}
    return {
        names_of(inside[name])[number] if name in inside else last_names[name]: size_bytes
        for name, size_bytes in phase.takes.items()
    }


def _later(not_before: date | int | None, minutes: int) -> date | int | None:
    if not minutes:
        return not_before
    if isinstance(not_before, date):
        return not_before + timedelta(days=minutes // MINUTES_PER_DAY)
    return (not_before or 0) + minutes
