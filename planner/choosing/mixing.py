"""The cheapest mix of replicas for a load: whole replicas of several machines, kept or by the hour (CP-SAT).

Requests are cut by size as in Melange (https://arxiv.org/abs/2404.14527): a slice of a size goes wholly to one kind of
machine and takes a share of it. The slices of one size are alike, so the program counts them and places none.
"""

import math
from collections.abc import Sequence

from ortools.sat.python import cp_model

from planner.values.mixing import FORGIVEN, SHARE, Hours, Machine, Mix, MixQuestion, slice_share

# How long, by the solver's own count, a nicer mix of the same cost is looked for: the proof of the cost is done.
NICER_EFFORT = 0.1

Expression = cp_model.LinearExpr | int


class _Program:
    """``kept``: replicas of each machine that run all the time; ``rented``: by the hour, of which ``by_hour`` run.

    ``slices``: for each of the hours, each size, each machine.
    """

    def __init__(self, question: MixQuestion) -> None:
        self.question = question
        self.cp = cp_model.CpModel()
        self.kept: list[cp_model.IntVar] = []
        self.rented: list[cp_model.IntVar] = []
        self.by_hour: list[list[cp_model.IntVar]] = []
        self.slices: list[list[list[cp_model.IntVar]]] = []
        for machine in question.machines:
            self._add_machine(machine)
        for hours in question.hours:
            self._add_hours(hours)

    def _add_machine(self, machine: Machine) -> None:
        most = _replicas_at_most(self.question, machine)
        self.kept.append(self.cp.new_int_var(0, 0 if machine.kept_minor is None else most, "kept"))
        self.rented.append(self.cp.new_int_var(0, 0 if machine.hour_minor is None else most, "by the hour"))
        if machine.most is not None:
            self.cp.add(self.kept[-1] + self.rented[-1] <= machine.most)

    def _add_hours(self, hours: Hours) -> None:
        running = []
        self.by_hour.append([])
        for machine, kept, rented in zip(self.question.machines, self.kept, self.rented, strict=True):
            more = self.cp.new_int_var(0, _replicas_at_most(self.question, machine), "by hour")
            self.cp.add(more <= rented)
            self.by_hour[-1].append(more)
            running.append(kept + more)
        if not any(hours.per_second):
            self.slices.append([])
            return
        if len(hours.per_second) == 1:
            self._carry_one_size(hours.per_second[0], running)
        else:
            self._carry_slices(hours, running)
        self._stand_in_places(running)

    def _carry_one_size(self, per_second: float, running: Sequence[Expression]) -> None:
        """The replicas that run carry the load together."""
        self.slices.append([])
        parts = [math.floor(SHARE * machine.per_second[0] / per_second) for machine in self.question.machines]
        self.cp.add(sum(part * count for part, count in zip(parts, running, strict=True)) >= SHARE - FORGIVEN)

    def _carry_slices(self, hours: Hours, running: Sequence[Expression]) -> None:
        """Every slice goes somewhere, and no kind of machine takes more than its replicas carry."""
        used: list[Expression] = [0] * len(running)
        self.slices.append([])
        for size, per_second in enumerate(hours.per_second):
            placed = []
            for index, machine in enumerate(self.question.machines):
                share = slice_share(per_second, self.question.slices, machine.per_second[size])
                most = 0 if share is None else self.question.slices
                placed.append(self.cp.new_int_var(0, most, "slices"))
                used[index] += (share or 0) * placed[-1]
            self.cp.add(sum(placed) == self.question.slices)
            self.slices[-1].append(placed)
        for taken, count in zip(used, running, strict=True):
            self.cp.add(taken <= SHARE * count + FORGIVEN)

    def _stand_in_places(self, running: Sequence[Expression]) -> None:
        """Replicas run in so many places."""
        if self.question.places_at_least <= 1:
            return
        used = []
        machines = self.question.machines
        for place in sorted({machine.place for machine in machines} - {""}):
            used.append(self.cp.new_bool_var(place))
            there = [count for machine, count in zip(machines, running, strict=True) if machine.place == place]
            self.cp.add(sum(there) >= 1).only_enforce_if(used[-1])
        self.cp.add(sum(used) >= self.question.places_at_least)

    def cost_minor(self) -> Expression:
        cost: Expression = 0
        for index, machine in enumerate(self.question.machines):
            cost += (machine.kept_minor or 0) * self.kept[index] + machine.hourly_minor * self.rented[index]
            for hours, counts in zip(self.question.hours, self.by_hour, strict=True):
                cost += (machine.hour_minor or 0) * hours.count * counts[index]
        return cost

    def replicas(self) -> Expression:
        return sum(self.kept) + sum(self.rented)

    def order(self) -> Expression:
        """Kept ones and those named first come first."""
        kept = sum((2 * place + 1) * count for place, count in enumerate(self.kept))
        rented = sum((2 * place + 2) * count for place, count in enumerate(self.rented))
        return kept + rented + sum(sum(counts) for counts in self.by_hour)


def _replicas_at_most(question: MixQuestion, machine: Machine) -> int:
    """As many as carry the busiest hours alone, at least one to stand in a place, and no more than there are."""
    needed = 1
    for hours in question.hours:
        if len(hours.per_second) == 1:
            part = math.floor(SHARE * machine.per_second[0] / hours.per_second[0]) if hours.per_second[0] > 0 else SHARE
            needed = max(needed, -(-SHARE // part) if part > 0 else 0)
        else:
            shares = (
                slice_share(load, question.slices, able)
                for load, able in zip(hours.per_second, machine.per_second, strict=True)
            )
            needed = max(needed, -(-question.slices * sum(share or 0 for share in shares) // SHARE))
    return needed if machine.most is None else min(needed, machine.most)


def choose_mix(question: MixQuestion, time_limit_seconds: float = 60.0) -> Mix | None:
    """The cheapest mix, and of that cost one with few replicas; None: there is none, or none was found in the time."""
    program = _Program(question)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.max_time_in_seconds = time_limit_seconds
    program.cp.minimize(program.cost_minor())
    status = solver.solve(program.cp)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    mix = _read(program, solver, math.ceil(solver.best_objective_bound - 1e-6))
    program.cp.add(program.cost_minor() == mix.cost_minor)
    solver.parameters.max_deterministic_time = NICER_EFFORT
    for objective in (program.replicas(), program.order()) if mix.is_proven else ():
        program.cp.minimize(objective)
        if solver.solve(program.cp) != cp_model.OPTIMAL:
            break
        mix = _read(program, solver, mix.bound_minor)
        program.cp.add(objective == round(solver.objective_value))
    return mix


def _read(program: _Program, solver: cp_model.CpSolver, bound_minor: int) -> Mix:
    return Mix(
        kept=tuple(map(solver.value, program.kept)),
        by_hour=tuple(tuple(map(solver.value, counts)) for counts in program.by_hour),
        slices=tuple(tuple(tuple(map(solver.value, placed)) for placed in sizes) for sizes in program.slices),
        cost_minor=solver.value(program.cost_minor()),
        bound_minor=bound_minor,
    )
