"""Seconds of one micro-batch on one card, apart from everything that crosses a link."""

import math
from dataclasses import dataclass

from planner.estimating.speed import passes as work
from planner.estimating.speed.cards import Rates
from planner.estimating.speed.constants import Constants
from planner.estimating.speed.stacks import Software
from planner.values.layout import Checkpointing, Layout
from planner.values.workload import Method, Training

QUANTIZED_BYTES = 0.5625  # 4 bits and their scales per parameter (arXiv 2305.14314)
LAUNCH_NORM = 4.0  # a p-norm: host and card work side by side, the slower one decides


@dataclass(frozen=True, slots=True)
class Seconds:
    """Parts of a micro-batch; ``launch`` is what the host adds beyond the card's own time."""

    compute: float
    attention: float
    recomputation: float
    elementwise: float
    dequantization: float
    launch: float

    @property
    def total(self) -> float:
        return (
            self.compute
            + self.attention
            + self.recomputation
            + self.elementwise
            + self.dequantization
            + self.launch
        )


def kernels_are_fused(training: Training, software: Software) -> str:
    """The name of the element-wise constant: what the customer says wins over the framework's habit."""
    if training.has_fused_kernels is None:
        return software.kernels
    return "fused" if training.has_fused_kernels else "eager"


def matmul_seconds(
    training: Training, layout: Layout, tokens: float, rates: Rates, constants: Constants
) -> tuple[float, float]:
    """Seconds of one forward pass of matrix products: the layers, the head.

    FLOPs over the achieved rate, plus the reading of the weights, which decides where tokens are few
    (a roofline whose two roofs are added: arXiv 2304.03208 treats them alike).
    """
    model = training.model
    split = layout.tensor * layout.pipeline
    narrow = 1.0 + constants["matmul.narrow"] * layout.tensor / model.hidden
    rate = rates.matmul_flops / narrow
    active = work.layer_parameters(model)
    slower = constants["matmul.experts"] if model.is_moe else 1.0
    layers = 2.0 * active * tokens / split / rate * slower
    layers += 2.0 * work.all_layer_parameters(model) / split / layout.expert / rates.memory_bytes
    head = work.head_parameters(model) / split
    return layers, 2.0 * head * tokens / rate + 2.0 * head / rates.memory_bytes


def attention_seconds(
    training: Training, layout: Layout, tokens: float, rates: Rates, constants: Constants
) -> float:
    """One forward pass of attention; narrow heads use the tensor cores less well."""
    model = training.model
    split = layout.tensor * layout.pipeline
    shape = math.pow(min(1.0, model.head_dim / 128.0), constants["attention.narrow_head"])
    flops = work.attention_flops_per_token(training) * tokens / split
    scores = work.score_bytes_per_token(training) * tokens * model.layers / split
    return flops / (rates.attention_flops * shape) + constants["score.touches"] * scores / rates.memory_bytes


def elementwise_seconds(
    training: Training, layout: Layout, tokens: float, rates: Rates, software: Software, constants: Constants
) -> tuple[float, float]:
    """Seconds of all that is not a matrix product, per micro-batch: the layers, the loss over the vocabulary.

    Norms, activations, residuals, casts: so many readings and writings of a layer's widths, in 16 bits.
    """
    model = training.model
    split = layout.tensor * layout.pipeline
    widths = model.hidden + constants["touch.inner"] * work.inner_width(model)
    touches = constants[f"touch.{kernels_are_fused(training, software)}"]
    if training.method is not Method.FULL:
        touches += constants["touch.adapters"]
    layers = 2.0 * touches * widths * model.layers * tokens / split / rates.memory_bytes
    loss = constants["touch.vocab"] * model.vocab * tokens / split / rates.memory_bytes
    return layers, loss


def host_seconds(training: Training, layout: Layout, software: Software, constants: Constants) -> float:
    """Time for the host to launch a micro-batch's kernels: so much per layer and pass."""
    model = training.model
    passes = 3.0 + (1.0 if layout.checkpointing is Checkpointing.FULL else 0.0)
    per_layer = constants[f"host.{software.host}_ms"] * 1e-3
    if layout.zero == 3:
        per_layer *= constants["host.zero3"]
    if model.is_moe:
        per_layer += constants["host.expert_ms"] * 1e-3 * model.experts / layout.expert
    return per_layer * passes * model.layers / layout.pipeline


def micro_batch(
    training: Training, layout: Layout, rates: Rates, software: Software, constants: Constants
) -> Seconds:
    """Where a micro-batch's time on one card goes."""
    tokens = layout.micro_batch * training.sequence_tokens / layout.context
    times = work.passes(training, layout, software.selective_linear)
    layers, head = matmul_seconds(training, layout, tokens, rates, constants)
    attention = attention_seconds(training, layout, tokens, rates, constants)
    touches, loss = elementwise_seconds(training, layout, tokens, rates, software, constants)
    again = min(1.0, times.recomputed_linear)
    compute = (layers + head) * times.linear
    recomputed = layers * again + attention * times.recomputed_attention + touches / 3.0 * again
    attention *= 1.0 + work.FLASH_BACKWARD
    dequantized = 0.0
    if training.method is Method.QLORA:
        stored = QUANTIZED_BYTES * work.all_layer_parameters(training.model)
        split = layout.tensor * layout.pipeline * layout.expert
        dequantized = (2.0 + again) * stored / split / (rates.memory_bytes * constants["dequantize"])
    card = compute + attention + recomputed + touches + loss + dequantized
    host = host_seconds(training, layout, software, constants)
    both = (card**LAUNCH_NORM + host**LAUNCH_NORM) ** (1.0 / LAUNCH_NORM)
    return Seconds(compute, attention, recomputed, touches + loss, dequantized, both - card)
