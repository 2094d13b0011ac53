"""Rules of place: each phase in one lease, each lease around its phases."""

from planner.choosing.program import Program


def each_phase_once(program: Program) -> None:
    """Every step runs on exactly one candidate, for as long as it takes there."""
    for index in range(len(program.problem.steps)):
        placements = program.placements(index)
        program.cp.add_exactly_one(literal for _, literal in placements)
        length = sum((candidate.span_minutes * literal for candidate, literal in placements), start=0)
        program.cp.add(program.ends[index] == program.starts[index] + length)


def lease_holds_its_phases(program: Program) -> None:
    """A shared lease spans its phases, which run in it one after another."""
    _keep_shapes(program)
    for lease in program.leases:
        program.cp.add(lease.end >= lease.start)
        intervals = []
        for member, candidate in zip(lease.column.members, lease.column.candidates, strict=True):
            start, end = program.starts[member], program.ends[member]
            program.cp.add(lease.start <= start).only_enforce_if(lease.taken)
            program.cp.add(lease.end >= end).only_enforce_if(lease.taken)
            intervals.append(
                program.cp.new_optional_fixed_size_interval_var(start, candidate.span_minutes, lease.taken, "phase")
            )
        program.cp.add_no_overlap(intervals)


def _keep_shapes(program: Program) -> None:
    """In a lease of one shape each phase begins so long after the first one."""
    for (k, _), literal in program.shaped.items():
        shared = program.problem.shared[k]
        first = program.starts[shared.members[0]]
        for member, offset in zip(shared.members, shared.offsets_minutes, strict=True):
            if offset:
                program.cp.add(program.starts[member] == first + offset).only_enforce_if(literal)
