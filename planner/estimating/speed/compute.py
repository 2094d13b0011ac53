"""Seconds of one micro-batch on one card, apart from everything that crosses a link."""

import math
from dataclasses import dataclass

from planner.estimating.speed import passes as work
from planner.estimating.speed.cards import family
from planner.estimating.speed.setup import Setup
from planner.values.layout import Checkpointing
from planner.values.workload import Method

LAUNCH_NORM = 4.0  # a p-norm: host and card work side by side, the slower one decides
SHARDED = 3  # the ZeRO stage that gathers weights layer by layer


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
    def on_card(self) -> float:
        return self.compute + self.attention + self.recomputation + self.elementwise + self.dequantization

    @property
    def total(self) -> float:
        return self.on_card + self.launch


def matmul_seconds(setup: Setup) -> tuple[float, float]:
    """Seconds of one forward pass of matrix products: the layers, the head.

    FLOPs over the achieved rate; the traffic of their inputs and results, which counts where a card's
    share of the width is narrow (arithmetic intensity against the card's ridge, the roofline of Williams et
    al. 2009); and the reading of the weights, which counts where tokens are few. Experts multiply small
    pieces: narrow ones, of the few tokens that come to each.
    """
    model, rates, constants = setup.model, setup.rates, setup.constants
    ridge = rates.matmul_flops / rates.memory_bytes
    inner = model.expert_ffn or model.ffn
    thin = 1.0 / model.hidden + setup.layout.tensor / inner
    narrow = 1.0 + constants["matmul.narrow"] * ridge * thin
    rate = rates.matmul_flops / narrow * setup.split
    slower = 1.0
    if model.is_moe:
        each = setup.tokens * model.experts_per_token * setup.layout.expert / model.experts
        slower += constants["matmul.experts"] + constants["matmul.narrow_expert"] / inner
        slower += constants["matmul.few_tokens"] / each
    held = work.all_layer_parameters(model) / setup.split / setup.layout.expert
    layers = 2.0 * work.layer_parameters(model) * setup.tokens / rate * slower
    layers += 2.0 * held / rates.memory_bytes
    head = work.head_parameters(model) / setup.split
    return layers, 2.0 * head * setup.split * setup.tokens / rate + 2.0 * head / rates.memory_bytes


def attention_seconds(setup: Setup) -> float:
    """One forward pass of attention; short sequences and narrow heads use the tensor cores less well."""
    training, model, constants = setup.training, setup.model, setup.constants
    shape = math.pow(min(1.0, model.head_dim / 128.0), constants["attention.narrow_head"])
    rate = setup.rates.attention_flops * shape * constants[f"kernel.{setup.software.attention}"]
    short = 1.0 + constants["attention.short"] / work.attended_tokens(training)
    flops = work.attention_flops_per_token(training) * setup.tokens / setup.split * short
    scores = work.score_bytes_per_token(training) * setup.tokens * model.layers / setup.split
    return flops / rate + constants["score.touches"] * scores / setup.rates.memory_bytes


def _touches(setup: Setup) -> float:
    """How often an element is read or written; the customer's word on kernels goes before the framework's.

    A plain GPT layer has no gate (and as a rule no rotary embedding), so it needs few in any framework.
    """
    is_fused, kernels = setup.training.has_fused_kernels, setup.software.kernels
    if is_fused is not None:
        kernels = "eager" if not is_fused else "fused" if kernels == "eager" else kernels
    touches = setup.constants[f"touch.{kernels}"]
    if not setup.model.is_gated:
        touches = min(touches, setup.constants["touch.plain"])
    if setup.training.method is not Method.FULL:
        touches += setup.constants["touch.adapters"]
    return touches


def elementwise_seconds(setup: Setup) -> tuple[float, float]:
    """Seconds of all that is no matrix product, per micro-batch: the layers, the loss over the vocabulary.

    Norms, activations, residuals, casts: so many readings and writings of a layer's widths, in 16 bits; a
    layer of experts also sorts its tokens and puts them back.
    """
    model, constants = setup.model, setup.constants
    widths = _touches(setup) * (model.hidden + constants["touch.inner"] * work.inner_width(model))
    widths += constants["touch.experts"] * model.experts_per_token * model.hidden
    per_byte = setup.tokens / setup.split / setup.rates.memory_bytes
    return 2.0 * widths * model.layers * per_byte, constants["touch.vocab"] * model.vocab * per_byte


def dequantization_seconds(setup: Setup) -> float:
    """Unpacking 4-bit weights before each pass over them: integer work outside of the tensor cores."""
    if setup.training.method is not Method.QLORA:
        return 0.0
    mine = work.all_layer_parameters(setup.model) / (setup.split * setup.layout.expert)
    steps = setup.constants[f"dequantize.{'gptq' if setup.training.quantizer == 'gptq' else 'bnb'}"]
    times = 2.0 + min(1.0, setup.passes.recomputed_linear)
    return times * mine * steps / setup.rates.vector_flops


def host_seconds(setup: Setup) -> float:
    """Time for the host to launch a micro-batch's kernels: so much per layer and pass."""
    model, layout, constants = setup.model, setup.layout, setup.constants
    passes = 4.0 if layout.checkpointing is Checkpointing.FULL else 3.0
    per_layer = constants[f"host.{setup.software.host}_ms"] * 1e-3
    if layout.zero == SHARDED:
        per_layer *= constants["host.zero3"]
    if model.is_moe:
        per_layer += constants["host.expert_ms"] * 1e-3 * model.experts / layout.expert
    if setup.training.method is not Method.FULL:
        per_layer *= constants["host.adapters"]
    return per_layer * passes * model.layers / layout.pipeline


def habit_name(setup: Setup) -> str:
    """The constant of this framework on this family of cards; mixtures have one of their own."""
    return f"habit.{setup.software.name}.{family(setup.hardware.gpu)}" + (".moe" if setup.model.is_moe else "")


def habit_factor(setup: Setup) -> float:
    """Time that a framework takes over what the model says: everywhere, and on this family of cards.

    How well a framework's kernels suit a family is its own matter: fitted where enough was measured.
    """
    names = f"stack.{setup.software.name}", habit_name(setup)
    return math.prod(setup.constants[name] for name in names if name in setup.constants)


def micro_batch(setup: Setup) -> Seconds:
    """Where a micro-batch's time on one card goes."""
    times = setup.passes
    layers, head = matmul_seconds(setup)
    attention = attention_seconds(setup)
    touches, loss = elementwise_seconds(setup)
    again = min(1.0, times.recomputed_linear)
    habit = habit_factor(setup)
    card = Seconds(
        (layers * times.linear + head * times.head) * habit,
        attention * (1.0 + work.FLASH_BACKWARD) * habit,
        (layers * again + attention * times.recomputed_attention + touches / 3.0 * again) * habit,
        (touches + loss) * habit,
        dequantization_seconds(setup),
        0.0,
    )
    host = host_seconds(setup)
    both = math.pow(card.on_card**LAUNCH_NORM + host**LAUNCH_NORM, 1.0 / LAUNCH_NORM)
    return Seconds(
        card.compute,
        card.attention,
        card.recomputation,
        card.elementwise,
        card.dequantization,
        both - card.on_card,
    )
