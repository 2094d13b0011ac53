"""Runs a solver so that the person who waits can be told how far it is, and can stop it.

The solver holds no lock of Python's while it searches, but a signal is handled only between two steps of the main
thread: so the solver runs in a thread of its own while the main thread waits.
"""

from collections.abc import Callable
from threading import Event, Thread

from ortools.sat.python import cp_model

from planner.values.watch import Progress, Watch

POLL_SECONDS = 0.1


class Seen(cp_model.CpSolverSolutionCallback):
    """The best cost and bound of one solve so far, in minor units."""

    def __init__(self) -> None:
        super().__init__()
        self.progress = Progress()

    def on_solution_callback(self) -> None:
        self.progress = Progress(round(self.objective_value), max(0, round(self.best_objective_bound)))

    def see_bound(self, bound: float) -> None:
        self.progress = Progress(self.progress.best_minor, max(0, round(bound)))


def run(
    solver: cp_model.CpSolver,
    cp: cp_model.CpModel,
    watch: Watch | None,
    tell: Callable[[Progress], None] = lambda _: None,
) -> cp_model.CpSolverStatus:
    """The status of a solve that ends at its time limit, or soon after the watch was stopped."""
    if watch is None:
        return solver.solve(cp)
    seen, statuses, is_over = Seen(), [], Event()
    solver.parameters.catch_sigint_signal = False
    solver.best_bound_callback = seen.see_bound

    def work() -> None:
        try:
            statuses.append(solver.solve(cp, seen))
        finally:
            is_over.set()

    Thread(target=work, daemon=True).start()
    while not is_over.wait(POLL_SECONDS):
        if watch.is_stopped:
            solver.stop_search()
        tell(seen.progress)
    (status,) = statuses
    return status
