"""A training step, put together: micro-batches, bubble, exchanges, optimizer."""

from planner.estimating.speed import exchange
from planner.estimating.speed.cards import family
from planner.estimating.speed.compute import micro_batch
from planner.estimating.speed.constants import Constants
from planner.estimating.speed.setup import Setup, set_up
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout, Offload
from planner.values.workload import Optimizer, Precision, Training

# Bytes a parameter of an optimizer's states, where those are 32-bit numbers; with 8-bit ones a byte each.
STATE_BYTES = {
    Optimizer.ADAMW: 8.0,
    Optimizer.ADAMW_8BIT: 2.0,
    Optimizer.ADAMW_8BIT_IN_BACKWARD: 2.0,
    Optimizer.ADAFACTOR: 0.0,  # row and column sums: under 0.1%
    Optimizer.SGD: 0.0,
}

Parts = tuple[tuple[str, float], ...]


def update_bytes(training: Training) -> float:
    """Bytes a parameter that an update moves: weight, gradient and states, read and written once each.

    Mixed precision updates the fp32 master copy: 2 x (4 + 4 + 8) with AdamW.
    """
    states = STATE_BYTES[training.optimizer]
    if training.precision is not Precision.BF16:
        return 2.0 * (4.0 + 4.0 + states)
    return 2.0 * (2.0 + 2.0 + (states / 2.0 if training.optimizer is Optimizer.ADAMW else states))


def exposed_seconds(sent: float, cover: float, constants: Constants) -> float:
    """What is left of an exchange that runs beside ``cover`` seconds of work.

    A share of it always shows (first and last buckets, kernels slowed by copies); the rest hides as far
    as the work lasts.
    """
    always = constants["exposed.data"]
    return always * sent + max(0.0, (1.0 - always) * sent - constants["cover.data"] * cover)


def optimizer_seconds(setup: Setup) -> tuple[float, float]:
    """Seconds of the update on the card, and of offloading it to the host.

    Where the CPU updates, gradients go down and weights come up in 16 bits, and the cards of a node share
    its CPU's memory; otherwise the states travel to the card and back.
    """
    layout, constants, model = setup.layout, setup.constants, setup.model
    held = exchange.held_parameters(setup) * exchange.trained_parameters(setup) / model.parameters
    mine = held / (layout.shards if layout.zero else 1)
    moved_bytes = update_bytes(setup.training)
    if layout.offload is Offload.NONE:
        return mine * moved_bytes * constants["optimizer.touches"] / setup.rates.memory_bytes, 0.0
    if not setup.software.updates_on_host:
        return 0.0, mine * moved_bytes * constants["offload.touches"] / setup.links.host
    moved = 2.0 * exchange.WEIGHT_BYTES * mine / setup.links.host
    of_node = mine * min(layout.gpu_count, setup.hardware.gpus_per_node)
    return 0.0, moved + of_node * moved_bytes / (constants["offload.host_gb_per_s"] * 1e9)


def step_parts(training: Training, layout: Layout, hardware: HardwareClass, constants: Constants) -> Parts:
    """Seconds of one optimizer step by part; their sum is the step.

    A pipeline of p stages and m micro-batches waits (p-1)/m of the work, less when each stage holds
    several chunks of layers (arXiv 2104.04473, section 2.2).
    """
    setup = set_up(training, layout, hardware, constants)
    micro = micro_batch(setup)
    sent = exchange.tensor_seconds(setup) + exchange.expert_seconds(setup) + exchange.context_seconds(setup)
    work = micro.total + sent
    each, once = exchange.data_seconds(setup)
    count = layout.accumulation
    sent = (sent + exposed_seconds(each, work, constants)) * count + exposed_seconds(once, work, constants)
    bubble = work * constants["bubble"] * (layout.pipeline - 1) / layout.pipeline_chunks
    update, offload = optimizer_seconds(setup)
    return (
        ("compute", micro.compute * count),
        ("attention", micro.attention * count),
        ("recomputation", micro.recomputation * count),
        ("elementwise", micro.elementwise * count),
        ("dequantization", micro.dequantization * count),
        ("launch", micro.launch * count),
        ("communication", sent),
        ("pipeline_bubble", bubble),
        ("optimizer", update),
        ("offload", offload),
    )


def step_tokens(training: Training) -> float:
    return float(training.batch_sequences * training.sequence_tokens)


def is_extrapolated(hardware: HardwareClass, measured: frozenset[str]) -> bool:
    """No measurement of the card's family went into the constants, or the network is a guess."""
    return family(hardware.gpu) not in measured or (hardware.nodes > 1 and hardware.inter_gbps is None)
