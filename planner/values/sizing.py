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
class LeverRow:
    """One change alone: GiB a card that it saves, and what it costs in time (negative: it is faster)."""

    name: str
    saves_gib: float
    peak_gib: float
    time_percent: float
    host_gib: float = 0.0


@dataclass(frozen=True, slots=True)
class Pulled:
    """Levers pulled one at a time, from the plainest layout on so many of a card."""

    gpu: str
    gpu_count: int
    layout: Layout
    peak_gib: float
    levers: tuple[LeverRow, ...]


@dataclass(frozen=True, slots=True)
class Sizing:
    """``states_gib`` are weights, gradients and optimizer undivided; ``folk_gib`` is the folk rule's answer
    (16 bytes a parameter x 1.3), shown beside the estimate and never added to it."""

    model: Model
    method: str
    sequence_tokens: int
    batch_sequences: int
    states_gib: float
    folk_gib: float
    rows: tuple[SizeRow, ...]
    regimes: tuple[Regime, ...] = ()
    pulled: Pulled | None = None
