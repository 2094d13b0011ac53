"""A training step, put together: micro-batches, bubble, exchanges, optimizer."""

from planner.estimating.speed import exchange
from planner.estimating.speed.cards import Rates, family, rates
from planner.estimating.speed.compute import QUANTIZED_BYTES, Seconds, micro_batch
from planner.estimating.speed.constants import Constants
from planner.estimating.speed.links import Links, links
from planner.estimating.speed.passes import passes
from planner.estimating.speed.stacks import software
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout, Offload
from planner.values.workload import Method, Training

# fp32 master, two states, gradient: read and written once each, and the 16-bit copies.
OPTIMIZER_BYTES = 32.0

Parts = tuple[tuple[str, float], ...]


def _exposed(sent: float, cover: float, constants: Constants) -> float:
    """What is left of an exchange that runs beside ``cover`` seconds of work.

    A share of it always shows (first and last buckets, kernels slowed by copies); the rest hides as far
    as the work lasts.
    """
    always = constants["exposed.data"]
    return always * sent + max(0.0, (1.0 - always) * sent - constants["cover.data"] * cover)


def _optimizer(
    training: Training, layout: Layout, card: Rates, link: Links, constants: Constants
) -> tuple[float, float]:
    """Seconds of the update on the card, and of offloading it or the weights to the host."""
    weights = exchange.shard_bytes(training.model, layout) / exchange.WEIGHT_BYTES
    trained = weights * exchange.trained_share(training)
    mine = trained / (layout.shards if layout.zero else 1)
    if layout.offload is Offload.NONE:
        return mine * OPTIMIZER_BYTES * constants["optimizer.touches"] / card.memory_bytes, 0.0
    moved = mine * OPTIMIZER_BYTES * constants["offload.touches"] / link.host
    return 0.0, moved


def step_parts(training: Training, layout: Layout, hardware: HardwareClass, constants: Constants) -> Parts:
    """Seconds of one optimizer step by part; their sum is the step."""
    stack = software(training.framework)
    card = rates(hardware.gpu, training.arithmetic, constants)
    link = links(hardware, constants)
    times = passes(training, layout, stack.selective_linear)
    micro = micro_batch(training, layout, card, stack, constants)
    tokens = layout.micro_batch * training.sequence_tokens / layout.context
    inside = (
        exchange.tensor_seconds(training, layout, hardware, tokens, times, link, constants)
        + exchange.expert_seconds(training, layout, hardware, tokens, times, link, constants)
        + exchange.context_seconds(training, layout, hardware, tokens, times, link, constants)
    )
    stored = QUANTIZED_BYTES / exchange.WEIGHT_BYTES if training.method is Method.QLORA else 1.0
    each, once = exchange.data_seconds(training, layout, hardware, stored, link, constants)
    work = micro.total + inside
    inside += _exposed(each, work, constants)
    count = layout.accumulation
    bubble = count * work * constants["bubble"] * (layout.pipeline - 1) / (layout.pipeline_chunks * count)
    update, offload = _optimizer(training, layout, card, link, constants)
    return _parts(micro, count, inside, _exposed(once, work, constants), bubble, update, offload)


def _parts(
    micro: Seconds, count: int, inside: float, once: float, bubble: float, update: float, offload: float
) -> Parts:
    return (
        ("compute", micro.compute * count),
        ("attention", micro.attention * count),
        ("recomputation", micro.recomputation * count),
        ("elementwise", micro.elementwise * count),
        ("dequantization", micro.dequantization * count),
        ("launch", micro.launch * count),
        ("communication", inside * count + once),
        ("pipeline_bubble", bubble),
        ("optimizer", update),
        ("offload", offload),
    )


def step_tokens(training: Training) -> float:
    return float(training.batch_sequences * training.sequence_tokens)


def is_extrapolated(hardware: HardwareClass, measured: frozenset[str]) -> bool:
    """No measurement of the card's family went into the constants, or the network is a guess."""
    return family(hardware.gpu) not in measured or (hardware.nodes > 1 and hardware.inter_gbps is None)
