"""What a model takes on cards: the answer of `planner size`."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field

from planner.values.estimate import MemoryEstimate
from planner.values.hardware import Gpu
from planner.values.layout import Checkpointing, Layout
from planner.values.model import Model
from planner.values.quantities import Count
from planner.values.requirements import Name, Written
from planner.values.workload import Attention, Loss, Method, Optimizer, Precision, Training


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
    (16 bytes a parameter x 1.3), shown beside the estimate and never added to it.
    """

    model: Model
    method: str
    sequence_tokens: int
    batch_sequences: int
    states_gib: float
    folk_gib: float
    rows: tuple[SizeRow, ...]
    regimes: tuple[Regime, ...] = ()
    pulled: Pulled | None = None


class SizeRequest(Written):
    """One row of a table of jobs to size: what `planner size` takes as options."""

    model: Name
    gpu: Name
    gpus: int = Field(1, ge=1, le=1024)
    """Cards in the node."""
    method: Method = Method.FULL
    sequence: Count = 4096
    batch: Count = 64
    optimizer: Optimizer = Optimizer.ADAMW
    precision: Precision = Precision.MIXED
    rank: Count = 16
    checkpointing: Checkpointing | None = None
    attention: Attention = Attention.FLASH
    loss: Loss = Loss.WHOLE
    framework: Name | None = None

    def training(self, model: Model) -> Training:
        return Training(
            model=model,
            method=self.method,
            sequence_tokens=self.sequence,
            batch_sequences=self.batch,
            precision=self.precision,
            optimizer=self.optimizer,
            lora_rank=0 if self.method is Method.FULL else self.rank,
            attention=self.attention,
            loss=self.loss,
            framework=self.framework,
        )


@dataclass(frozen=True, slots=True)
class SizeRequests:
    """A table as it was read: its header, and each row's cells beside what they ask."""

    header: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], SizeRequest, Model, Gpu], ...]
