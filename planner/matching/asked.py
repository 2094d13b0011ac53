"""What one phase asks for: the scenario's requirements, with the phase's own above them."""

from typing import TypeVar

from planner.values.requirements import Requirements, Written
from planner.values.scenario import Phase, Scenario

Group = TypeVar("Group", bound=Written)


def _over(base: Group, above: Written) -> Group:
    """``base`` with every field that ``above`` sets, group by group."""
    changes = {}
    for name in above.model_fields_set:
        old, new = getattr(base, name), getattr(above, name)
        changes[name] = _over(old, new) if isinstance(old, Written) and isinstance(new, Written) else new
    return base.model_copy(update=changes)


def asked_of(scenario: Scenario, phase: Phase) -> Requirements:
    """The requirements that hold for a phase."""
    if phase.requirements is None:
        return scenario.requirements
    return _over(scenario.requirements, phase.requirements)
