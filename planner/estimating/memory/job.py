"""One training job on one card: what every part of the estimate asks about."""

from dataclasses import dataclass

from planner.estimating.memory.fitted import FITTED, Constants
from planner.estimating.memory.profiles import Engine, Profile
from planner.values.layout import Layout
from planner.values.model import Model
from planner.values.workload import Method, Precision, Training

GIB = 2**30
FP32_BYTES = 4
HALF_BYTES = 2


@dataclass(frozen=True, slots=True)
class Job:
    """A training job, how it lies on the cards, and the framework's choices.

    ``gpus_per_node`` counts where ZeRO divides within a node only; 0: one node holds all cards.
    """

    training: Training
    layout: Layout
    profile: Profile
    constants: Constants = FITTED
    gpus_per_node: int = 0

    @property
    def model(self) -> Model:
        return self.training.model

    @property
    def end_parameters(self) -> float:
        """Parameters of the embedding and the head together."""
        is_one = self.model.is_tied and self.profile.has_tied_weights
        return self.model.embedding_parameters * (1.0 if is_one else 2.0)

    @property
    def block_parameters(self) -> float:
        """Parameters of all layers: the stated count less the embedding and head."""
        ends = self.model.embedding_parameters * (1.0 if self.model.is_tied else 2.0)
        return max(self.model.parameters - ends, float(self.model.layers))

    @property
    def layer_parameters(self) -> float:
        return self.block_parameters / self.model.layers

    @property
    def is_adapter(self) -> bool:
        return self.training.method is not Method.FULL

    @property
    def is_quantized(self) -> bool:
        return self.training.method is Method.QLORA

    @property
    def engine(self) -> Engine:
        return self.profile.sharded_engine if self.layout.zero else self.profile.engine

    @property
    def shards(self) -> float:
        """Ranks that ZeRO divides the states over."""
        layout = self.layout
        if layout.is_sharded_in_node and self.gpus_per_node:
            return max(1, min(layout.shards, self.gpus_per_node // layout.tensor))
        return layout.shards

    @property
    def has_fused_norms(self) -> bool:
        return self.profile.has_fused_norms or bool(self.training.has_fused_kernels)

    @property
    def is_sharded(self) -> bool:
        """Weights are divided over the data ranks (ZeRO-3, FSDP)."""
        return self.layout.zero >= 3 and self.shards > 1

    @property
    def compute_bytes(self) -> int:
        """Width of an activation."""
        return FP32_BYTES if self.training.precision is Precision.FP32 else HALF_BYTES

    @property
    def has_fp32_residual(self) -> bool:
        """The stream between layers is fp32: norms are fp32 under autocast, or after k-bit preparation."""
        if self.is_adapter:
            return self.is_quantized and self.profile.prepares_kbit
        return self.engine is Engine.PLAIN and self.training.precision is Precision.MIXED

    @property
    def residual_bytes(self) -> int:
        return FP32_BYTES if self.has_fp32_residual else self.compute_bytes

    @property
    def tokens(self) -> float:
        """Tokens of one micro-batch on one card; context parallel divides the sequence."""
        return self.training.sequence_tokens * self.layout.micro_batch / self.layout.context

    @property
    def keeps_gradients(self) -> bool:
        """Gradients outlive a micro-step: accumulated, or in DeepSpeed's flat buffers."""
        return self.layout.accumulation > 1 or self.engine is Engine.DEEPSPEED
