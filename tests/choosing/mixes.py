"""Random small mixes, their cheapest one by plain enumeration, and the same program for HiGHS."""

import math
import random
from collections.abc import Iterator
from itertools import product

from ortools.linear_solver import pywraplp

from planner.values.mixing import Hours, Machine, MixQuestion


def one_size(seed: int) -> MixQuestion:
    """One size of request, up to three levels of load over the day, prices by the month, by the hour or both."""
    dice = random.Random(seed)  # noqa: S311, no secret
    machines = tuple(
        Machine(
            name=f"m{index}",
            per_second=(dice.choice([3.0, 4.0, 5.5, 9.0]),),
            kept_minor=dice.choice([None, 700, 1000, 1900]) if index else 1200,
            hour_minor=dice.choice([None, 40, 60, 110]),
            hourly_minor=dice.choice([0, 0, 35]),
            most=dice.choice([1, 2, 3]),
            place=dice.choice(["", "north", "south"]),
        )
        for index in range(dice.choice([2, 3]))
    )
    counts = dice.choice([(24,), (16, 8), (12, 8, 4)])
    hours = tuple(Hours(count, (float(dice.choice([0, 2, 5, 8, 11])),)) for count in counts)
    return MixQuestion(machines, hours, places_at_least=dice.choice([1, 1, 2]))


def several_sizes(seed: int) -> MixQuestion:
    """Two or three sizes, each in two or three slices, at one load all day or two."""
    dice = random.Random(seed)  # noqa: S311, no secret
    sizes = dice.choice([2, 3])
    machines = tuple(
        Machine(
            name=f"m{index}",
            per_second=tuple(dice.choice([0.0, 1.0, 2.0, 5.0]) if index else 2.0 for _ in range(sizes)),
            kept_minor=dice.choice([300, 500, 800]),
            hour_minor=dice.choice([None, 20, 45]),
            most=dice.choice([2, 3]),
        )
        for index in range(2)
    )
    loads = [tuple(dice.choice([0.5, 1.0, 1.5]) for _ in range(sizes)) for _ in range(2)]
    hours = dice.choice([(Hours(24, loads[0]),), (Hours(14, loads[0]), Hours(10, loads[1]))])
    return MixQuestion(machines, hours, slices=2 if sizes == 3 else dice.choice([2, 3]))


def _counts(machine: Machine, hours: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every number of kept replicas with every number by the hour in each of the hours."""
    most = machine.most or 0
    for kept in range(most + 1 if machine.kept_minor is not None else 1):
        left = most - kept if machine.hour_minor is not None else 0
        for more in product(range(left + 1), repeat=hours):
            yield kept, more


def _carries(question: MixQuestion, loads: tuple[float, ...], running: tuple[int, ...]) -> bool:
    if not any(loads):
        return True
    machines = question.machines
    places = {machine.place for machine, count in zip(machines, running, strict=True) if count} - {""}
    if question.places_at_least > 1 and len(places) < question.places_at_least:
        return False
    if len(loads) == 1:
        return sum(m.per_second[0] * count for m, count in zip(machines, running, strict=True)) >= loads[0]
    slices = [size for size in range(len(loads)) for _ in range(question.slices)]
    for places_of in product(range(len(machines)), repeat=len(slices)):
        busy = [0.0] * len(machines)
        for size, index in zip(slices, places_of, strict=True):
            able = machines[index].per_second[size]
            busy[index] += loads[size] / question.slices / able if able else math.inf
        if all(share <= count + 1e-9 for share, count in zip(busy, running, strict=True)):
            return True
    return False


def cheapest(question: MixQuestion) -> int | None:
    """The least cost by trying all numbers of replicas."""
    tried: dict[tuple[int, tuple[int, ...]], bool] = {}

    def carries(hour: int, running: tuple[int, ...]) -> bool:
        if (hour, running) not in tried:
            tried[hour, running] = _carries(question, question.hours[hour].per_second, running)
        return tried[hour, running]

    best = None
    for chosen in product(*(list(_counts(machine, len(question.hours))) for machine in question.machines)):
        cost = 0
        for machine, (kept, more) in zip(question.machines, chosen, strict=True):
            cost += (machine.kept_minor or 0) * kept + machine.hourly_minor * max(more)
            cost += sum((machine.hour_minor or 0) * h.count * n for h, n in zip(question.hours, more, strict=True))
        if best is not None and cost >= best:
            continue
        if all(carries(hour, tuple(kept + more[hour] for kept, more in chosen)) for hour in range(len(question.hours))):
            best = cost
    return best


def cheapest_by_highs(question: MixQuestion) -> float:
    """Kept replicas of several sizes at one load: Melange's own program, a variable for each size and machine."""
    solver = pywraplp.Solver.CreateSolver("HIGHS")
    kept = [solver.IntVar(0, solver.infinity(), machine.name) for machine in question.machines]
    (hours,) = question.hours
    used = [0.0] * len(kept)
    for size, load in enumerate(hours.per_second):
        placed = [solver.IntVar(0, question.slices, "") for _ in kept]
        solver.Add(sum(placed) == question.slices)
        for index, machine in enumerate(question.machines):
            used[index] += load / question.slices / machine.per_second[size] * placed[index]
    for taken, count in zip(used, kept, strict=True):
        solver.Add(taken <= count)
    solver.Minimize(sum((m.kept_minor or 0) * count for m, count in zip(question.machines, kept, strict=True)))
    assert solver.Solve() == pywraplp.Solver.OPTIMAL
    return float(solver.Objective().Value())


def middling(seed: int) -> MixQuestion:
    """Four machines, eight sizes: too many to enumerate."""
    dice = random.Random(seed)  # noqa: S311, no secret
    machines = tuple(
        Machine(f"m{i}", tuple(dice.uniform(1, 4) * (i + 1) for _ in range(8)), 50 * (i + 1) + dice.randrange(20))
        for i in range(4)
    )
    return MixQuestion(machines, (Hours(24, tuple(dice.uniform(0.5, 2) for _ in range(8))),), slices=2)
