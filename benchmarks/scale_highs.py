"""The same program as a MIP for HiGHS: leases of one phase at their price, shared ones named by their first phase.

It shares no code with `planner/choosing`: order in a lease and its end are written with a large constant, as MIPs do.
Candidates and shared leases that cannot pay are left out here too.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ortools.linear_solver import pywraplp
from scale_plain import DAY_HOURS, Outcome, Plain, Prices, alternatives, plain

from planner.values.plans import Problem

Variable = pywraplp.Variable


@dataclass(frozen=True)
class Shared:
    """Leases of an offer that begin with the task ``first`` and so many months: which may follow, and for how long the
    lease can last beyond the months where these are the cheapest way to pay.
    """

    offer: str
    first: int
    months: int
    beyond_hours: int
    others: tuple[int, ...]


def solve(problem: Problem, limit_seconds: float) -> Outcome:
    mip = Mip(plain(problem))
    mip.solver.SetTimeLimit(round(1000 * limit_seconds))
    exactly = pywraplp.MPSolverParameters()
    exactly.SetDoubleParam(pywraplp.MPSolverParameters.RELATIVE_MIP_GAP, 0.0)
    status = mip.solver.Solve(exactly)
    is_found = status in (pywraplp.Solver.OPTIMAL, pywraplp.Solver.FEASIBLE)
    cost_minor = round(mip.solver.Objective().Value()) if is_found else None
    return Outcome(round(mip.solver.wall_time() / 1000, 3), status == pywraplp.Solver.OPTIMAL, cost_minor)


class Mip:
    """The variables and constraints."""

    def __init__(self, instance: Plain) -> None:
        self.instance = instance
        self.solver = pywraplp.Solver.CreateSolver("HIGHS")
        self.solver.SuppressOutput()
        self.costs: list = []
        self.placed: list[list[tuple[int, Variable]]] = [[] for _ in instance.tasks]
        self.orders: dict[tuple[int, int], Variable] = {}
        pairs = zip(instance.earliest, instance.latest, strict=True)
        self.starts = [self.solver.NumVar(earliest, latest, "") for earliest, latest in pairs]
        own = own_costs(instance)
        for index, task in enumerate(instance.tasks):
            for offer in alternatives(own[index], task.hours):
                self.costs.append(own[index][offer] * self._place(index, offer))
        for shared in shared_leases(instance, own):
            self._add_shared(shared)
        for index in range(len(instance.tasks)):
            self._add_times(index)
        self.solver.Minimize(sum(self.costs))

    def _place(self, index: int, offer: str) -> Variable:
        literal = self.solver.BoolVar("")
        self.placed[index].append((self.instance.tasks[index].hours[offer], literal))
        return literal

    def _add_times(self, index: int) -> None:
        task, length = self.instance.tasks[index], self._length(index)
        self.solver.Add(sum(literal for _, literal in self.placed[index]) == 1)
        self.solver.Add(self.starts[index] + length <= self.instance.latest[index])
        for before in task.after:
            self.solver.Add(self.starts[index] >= self.starts[before] + self._length(before) + task.gap_hours)

    def _length(self, index: int) -> pywraplp.LinearExpr:
        return sum(hours * literal for hours, literal in self.placed[index])

    def _add_shared(self, shared: Shared) -> None:
        tasks, prices, first = self.instance.tasks, self.instance.prices[shared.offer], shared.first
        taken = self._place(first, shared.offer)
        self.costs.append(shared.months * (prices.month or 0) * taken)
        lasts = shared.months * prices.month_hours + self._beyond(shared, prices, taken)
        members = []
        for other in shared.others:
            literal = self._place(other, shared.offer)
            members.append((other, literal))
            self.solver.Add(literal <= taken)
            self._comes_after(first, other, tasks[first].hours[shared.offer], 1 - literal)
            reaches = self.starts[other] + tasks[other].hours[shared.offer] - self.starts[first] - lasts
            self.solver.Add(reaches <= self._most(other, first) * (1 - literal))
        self.solver.Add(sum(literal for _, literal in members) >= taken)
        work = sum(tasks[other].hours[shared.offer] * literal for other, literal in members)
        whole = shared.months * prices.month_hours - tasks[first].hours[shared.offer]
        self.solver.Add(work <= lasts - shared.months * prices.month_hours + whole * taken)
        for place, (one, in_one) in enumerate(members):
            for two, in_two in members[place + 1 :]:
                self._keep_apart((one, in_one), (two, in_two), shared.offer)

    def _beyond(self, shared: Shared, prices: Prices, taken: Variable) -> pywraplp.LinearExpr | int:
        """Hours and days after the months."""
        most = shared.beyond_hours
        if most == 0:
            return 0
        hours = self.solver.NumVar(0, most, "")
        self.solver.Add(hours <= most * taken)
        self.costs.append(prices.hour * hours)
        if prices.day is None:
            return hours
        most_days = -(-most // DAY_HOURS)
        days = self.solver.IntVar(0, most_days, "")
        self.solver.Add(days <= most_days * taken)
        self.costs.append(prices.day * days)
        return hours + DAY_HOURS * days

    def _most(self, later: int, earlier: int) -> int:
        """How many hours can lie between the start of one and the end of the other."""
        return max(0, self.instance.latest[later] - self.instance.earliest[earlier])

    def _comes_after(self, one: int, two: int, hours: int, slack: pywraplp.LinearExpr) -> None:
        """``two`` begins when ``one``, of so many hours, has ended; unless there is slack."""
        self.solver.Add(self.starts[two] >= self.starts[one] + hours - self._most(one, two) * slack)

    def _keep_apart(self, one: tuple[int, Variable], two: tuple[int, Variable], offer: str) -> None:
        (a, in_a), (b, in_b) = sorted((one, two), key=lambda pair: pair[0])
        if (a, b) in self.instance.apart:
            return
        if (a, b) not in self.orders:
            self.orders[a, b] = self.solver.BoolVar("")
        order, tasks = self.orders[a, b], self.instance.tasks
        self._comes_after(a, b, tasks[a].hours[offer], 3 - order - in_a - in_b)
        self._comes_after(b, a, tasks[b].hours[offer], 2 + order - in_a - in_b)


def own_costs(instance: Plain) -> list[dict[str, int]]:
    """By task, the cost of a lease for it alone on each offer where it can end in time."""
    return [
        {
            offer: int(instance.prices[offer].least(hours)[hours])
            for offer, hours in task.hours.items()
            if instance.earliest[index] + hours <= instance.latest[index]
        }
        for index, task in enumerate(instance.tasks)
    ]


def shared_leases(instance: Plain, own: list[dict[str, int]]) -> Iterator[Shared]:
    """Those that can cost less than their tasks alone, each on the cheapest offer that is no slower."""
    alone = [_alone(task.hours, costs) for task, costs in zip(instance.tasks, own, strict=True)]
    for offer, prices in instance.prices.items():
        members = [index for index in range(len(own)) if offer in own[index]]
        for first in members:
            others = [other for other in members if _may_follow(instance, offer, first, other)]
            if others:
                values = {index: alone[index][offer] for index in (first, *others)}
                yield from _worth_it(instance, offer, prices, first, values)


def _alone(hours: dict[str, int], costs: dict[str, int]) -> dict[str, int]:
    """For each offer the least cost alone on one that is no slower."""
    return {one: min(cost for other, cost in costs.items() if hours[other] <= hours[one]) for one in costs}


def _may_follow(instance: Plain, offer: str, first: int, other: int) -> bool:
    if first == other or (other, first) in instance.apart:
        return False
    first_hours, other_hours = (instance.tasks[index].hours[offer] for index in (first, other))
    gap = instance.apart.get((first, other), 0)
    return instance.earliest[first] + first_hours + gap + other_hours <= instance.latest[other]


def _worth_it(instance: Plain, offer: str, prices: Prices, first: int, values: dict[int, int]) -> Iterator[Shared]:
    hours = {index: instance.tasks[index].hours[offer] for index in values}
    others = [index for index in values if index != first]
    longest = max(instance.latest[other] for other in others) - instance.earliest[first]
    least = prices.least(longest)
    saved = {}
    for other in others:
        # The most that tasks of so many hours together with `other` cost alone; a lease may also wait.
        items = [(hours[index], values[index]) for index in others if index != other]
        worth = _knapsack(items, longest - hours[first] - hours[other])
        saved[other] = np.full(longest + 1, np.iinfo(int).min)
        saved[other][hours[first] + hours[other] :] = values[first] + values[other] + worth
    for months in range(prices.most_months(longest) + 1):
        is_cheapest = prices.after_months(months, longest) == least
        paying = {other: np.flatnonzero(is_cheapest & (saved[other] > least)) for other in others}
        kept = tuple(other for other in others if len(paying[other]))
        if kept:
            longest_paying = max(int(paying[other][-1]) for other in kept)
            yield Shared(offer, first, months, max(0, longest_paying - months * prices.month_hours), kept)


def _knapsack(items: list[tuple[int, int]], most: int) -> np.ndarray:
    """The greatest value of items that weigh at most 0, 1, 2, ... together."""
    best = np.zeros(most + 1, dtype=int)
    for weight, value in items:
        if weight <= most:
            best[weight:] = np.maximum(best[weight:], best[: most + 1 - weight] + value)
    return best
