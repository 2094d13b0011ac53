"""What a model takes on cards: the answer of `planner size`."""

from dataclasses import dataclass
from enum import StrEnum

from planner.values.estimate import MemoryEstimate
from planner.values.layout import Layout
from planner.values.model import Model


class Verdict(StrEnum):
    FITS = "fits"
    TIGHT = "tight"
    DOES_NOT_FIT = "does_not_fit"


@dataclass(frozen=True, slots=True)
class SizeRow:
    """One kind of card at one count in a node: the layout that fits, or the leanest that does not.

    ``memory`` and ``layout`` are None where nothing can be laid out (more cards than sequences).
    """

    gpu: str
    gpu_count: int
    verdict: Verdict
    layout: Layout | None
    memory: MemoryEstimate | None


@dataclass(frozen=True, slots=True)
class Regime:
    """One way of holding weights and optimizer on a single card, for full fine-tuning."""

    name: str
    bytes_per_parameter: float
    states_gb: float
    memory: MemoryEstimate


@dataclass(frozen=True, slots=True)
class Sizing:
    """``states_gib`` are weights, gradients and optimizer undivided; ``folk_gib`` is the rule of 16 bytes x 1.3."""

    model: Model
    method: str
    sequence_tokens: int
    batch_sequences: int
    states_gib: float
    folk_gib: float
    rows: tuple[SizeRow, ...]
    regimes: tuple[Regime, ...] = ()
