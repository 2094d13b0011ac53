"""How a workload lies on the cards. It changes speed and memory, never the price."""

from dataclasses import dataclass
from enum import StrEnum


class Checkpointing(StrEnum):
    """Gradient (activation) checkpointing: what the backward pass computes again."""

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class Offload(StrEnum):
    """What lives in the host's memory."""

    NONE = "none"
    OPTIMIZER = "optimizer"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Layout:
    """Degrees of parallelism and the micro-batch.

    ``zero`` is the ZeRO stage (0 to 3; FSDP full sharding is 3), over ``data * context`` ranks. The cards
    are ``tensor * pipeline * context * data``. ``micro_batch`` counts sequences per card and pass,
    ``accumulation`` the passes per optimizer step. ``expert`` is the degree of expert parallelism, laid
    over the data ranks. ``pipeline_chunks`` is the layer chunks per pipeline stage (interleaving).
    ``is_sharded_in_node``: ZeRO divides within a node only and nodes hold copies (HSDP).
    """

    zero: int = 0
    tensor: int = 1
    pipeline: int = 1
    context: int = 1
    data: int = 1
    micro_batch: int = 1
    accumulation: int = 1
    checkpointing: Checkpointing = Checkpointing.NONE
    offload: Offload = Offload.NONE
    expert: int = 1
    pipeline_chunks: int = 1
    is_sharded_in_node: bool = False

    @property
    def gpu_count(self) -> int:
        return self.tensor * self.pipeline * self.context * self.data

    @property
    def shards(self) -> int:
        """Ranks that ZeRO divides the states over."""
        return self.data * self.context
