"""Steps whose length matters: what is no slower cannot stand in for another there.

A step that another must follow closely (``gap_at_most_minutes``) may move to a stand-in at the same end; one that must
itself follow closely, at the same start. Where both are asked of one step neither does: a shorter run would be too
far from what is before it, or from what is behind it.
"""

from dataclasses import replace

from planner.choosing.reducing import Reduction, reduce
from planner.values.plans import Problem


def keeping_lengths(problem: Problem, reduction: Reduction) -> Reduction:
    """The reduction, in which such steps keep every candidate, each at its own cost."""
    lengths_matter = _between_close_ones(problem)
    if not lengths_matter:
        return reduction
    steps = tuple(problem.steps[index] for index in lengths_matter)
    most = max(len(step.candidates) for step in steps)
    whole = reduce(replace(problem, steps=steps), most)
    alone, dissolved = list(reduction.alone), list(reduction.dissolved_minor)
    for place, index in enumerate(lengths_matter):
        alone[index], dissolved[index] = whole.alone[place], whole.dissolved_minor[place]
    return Reduction(tuple(alone), tuple(dissolved))


def _between_close_ones(problem: Problem) -> tuple[int, ...]:
    """Steps that must follow another closely, and that another must follow closely."""
    close = [index for index, step in enumerate(problem.steps) if step.after and step.gap_at_most_minutes is not None]
    followed = {before for index in close for before in problem.steps[index].after}
    return tuple(index for index in close if index in followed)
