"""How much storage that outlives the node a plan should have: what is lost with a node must be trained again."""

from collections.abc import Iterator

from planner.values.checkpoints import CHECKPOINTS_KEPT, checkpoint_bytes
from planner.values.model import Model
from planner.values.scenario import Phase, Scenario, TrainPhase

BYTES_PER_GB = 10**9


def _advice(phase: Phase, model: Model) -> Iterator[tuple[str, float]]:
    if isinstance(phase, TrainPhase):
        size_bytes = CHECKPOINTS_KEPT * checkpoint_bytes(phase, model)
        yield phase.name, round(size_bytes / BYTES_PER_GB, 1)


def storage_gb(scenario: Scenario, models: dict[str, Model]) -> tuple[tuple[str, float], ...]:
    """(train phase, GB) of storage for its checkpoints."""
    return tuple(line for phase in scenario.phases for line in _advice(phase, models[phase.name]))
