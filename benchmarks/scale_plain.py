"""The same problem in whole hours and minor units, for programs that share nothing with the planner's own.

Read are offers without stock, sold by the hour, the day or the month, whose phases run all day.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.values.plans import Problem
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.tariff import Tariff

DAY_HOURS = 24
NEVER = 10**12


@dataclass(frozen=True)
class Outcome:
    """Of another program: its cost in minor units is proven least, or the best that it found in the time given."""

    seconds: float | None = None
    is_proven: bool | None = None
    cost_minor: int | None = None


@dataclass(frozen=True)
class Prices:
    """In minor units; None where not sold."""

    hour: int
    day: int | None
    month: int | None
    month_hours: int

    def metered(self, hours: int) -> np.ndarray:
        """The least cost of 0, 1, 2, ... hours by the hour and the day."""
        length = np.arange(hours + 1)
        costs = self.hour * length
        if self.day is not None:
            whole = length // DAY_HOURS
            costs = np.minimum(costs, self.day * whole + self.hour * (length - DAY_HOURS * whole))
            costs = np.minimum(costs, self.day * -(-length // DAY_HOURS))
        return costs

    def after_months(self, months: int, hours: int) -> np.ndarray:
        """The cost of 0, 1, 2, ... hours that begin with so many months."""
        if months == 0:
            return self.metered(hours)
        prepaid = min(months * self.month_hours, hours + 1)
        begun = np.zeros(prepaid, dtype=int)
        return months * (self.month or 0) + np.concatenate((begun, self.metered(hours)))[: hours + 1]

    def most_months(self, hours: int) -> int:
        return 0 if self.month is None else -(-hours // self.month_hours)

    def least(self, hours: int) -> np.ndarray:
        """The least cost of a lease of 0, 1, 2, ... hours."""
        ways = [self.after_months(months, hours) for months in range(self.most_months(hours) + 1)]
        return np.minimum.reduce(ways)


@dataclass(frozen=True)
class Task:
    """A phase: its hours on each offer that can carry it, and between which hours it runs."""

    hours: dict[str, int]
    after: tuple[int, ...]
    gap_hours: int
    release_hours: int
    deadline_hours: int


@dataclass(frozen=True)
class Plain:
    tasks: tuple[Task, ...]
    prices: dict[str, Prices]

    @cached_property
    def earliest(self) -> list[int]:
        """The hour at which each task can begin."""
        begins: list[int] = []
        for task in self.tasks:
            ready = (begins[b] + min(self.tasks[b].hours.values()) + task.gap_hours for b in task.after)
            begins.append(max([task.release_hours, *ready]))
        return begins

    @cached_property
    def latest(self) -> list[int]:
        """The hour at which each task must have ended."""
        ends = [task.deadline_hours for task in self.tasks]
        for index in reversed(range(len(self.tasks))):
            task = self.tasks[index]
            for before in task.after:
                ends[before] = min(ends[before], ends[index] - min(task.hours.values()) - task.gap_hours)
        return ends

    @cached_property
    def apart(self) -> dict[tuple[int, int], int]:
        """Hours at least between the end of a task and the start of one that follows it, at once or later."""
        found: dict[tuple[int, int], int] = {}
        for index, task in enumerate(self.tasks):
            for before in task.after:
                fastest = min(self.tasks[before].hours.values())
                chained = {a: apart + fastest for (a, b), apart in found.items() if b == before}
                for ancestor, apart in ({before: 0} | chained).items():
                    found[ancestor, index] = max(found.get((ancestor, index), 0), apart + task.gap_hours)
        return found


def plain(problem: Problem) -> Plain:
    prices = {c.offer.id: _prices(c.tariff) for step in problem.steps for c in step.candidates}
    tasks = tuple(
        Task(
            {c.offer.id: _hours(c.span_minutes) for c in step.candidates},
            step.after,
            _hours(step.gap_minutes),
            _hours(step.release_minutes),
            _hours(step.deadline_minutes or NEVER * MINUTES_PER_HOUR),
        )
        for step in problem.steps
    )
    return Plain(tasks, prices)


def _prices(tariff: Tariff) -> Prices:
    sold = {term.name: int(term.price * tariff.units * 100) for term in tariff.terms}
    hour = int((tariff.hour or 0) * tariff.units * 100)
    return Prices(hour, sold.get("day"), sold.get("month"), _hours(tariff.month_minutes))


def _hours(minutes: int) -> int:
    hours, rest = divmod(minutes, MINUTES_PER_HOUR)
    if rest:
        raise ValueError("not a whole number of hours")
    return hours


def alternatives(costs: dict[str, int], hours: dict[str, int]) -> Iterator[str]:
    """Offers for a task alone, without those beside which another is no slower and costs no more."""
    best = NEVER
    for offer in sorted(costs, key=lambda one: (hours[one], costs[one], one)):
        if costs[offer] < best:
            best = costs[offer]
            yield offer
