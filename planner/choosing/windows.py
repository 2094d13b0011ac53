"""Rules of time: what must have ended, and when a phase may run."""

from planner.choosing.program import Program


def order_is_kept(program: Program) -> None:
    """A step begins when those before it have ended, and its gap is over."""
    for index, step in enumerate(program.problem.steps):
        for before in step.after:
            program.cp.add(program.starts[index] >= program.ends[before] + step.gap_minutes)


def deadline_is_met(program: Program) -> None:
    for index, step in enumerate(program.problem.steps):
        if step.deadline_minutes is not None:
            program.cp.add(program.ends[index] <= step.deadline_minutes)


def lead_time_is_kept(program: Program) -> None:
    """No lease begins before the seller can deliver."""
    for index in range(len(program.problem.steps)):
        for candidate, literal in program.placements(index):
            if candidate.earliest_minutes > 0:
                program.cp.add(program.starts[index] >= candidate.earliest_minutes).only_enforce_if(literal)


def release_is_kept(program: Program) -> None:
    """A step begins no earlier than it may."""
    for index, step in enumerate(program.problem.steps):
        if step.release_minutes > 0:
            program.cp.add(program.starts[index] >= step.release_minutes)


def longest_gap_is_kept(program: Program) -> None:
    """A step begins before too long has passed since the end of each step before it."""
    for index, step in enumerate(program.problem.steps):
        if step.gap_at_most_minutes is not None:
            for before in step.after:
                program.cp.add(program.starts[index] <= program.ends[before] + step.gap_at_most_minutes)


def blackouts_are_kept_free(program: Program) -> None:
    """A step has ended when a blackout begins, or begins when it is over."""
    for begins, ends in program.problem.blackouts_minutes:
        for index in range(len(program.problem.steps)) if begins < program.horizon_minutes else ():
            is_before = program.cp.new_bool_var("before a blackout")
            program.cp.add(program.ends[index] <= begins).only_enforce_if(is_before)
            program.cp.add(program.starts[index] >= ends).only_enforce_if(~is_before)
