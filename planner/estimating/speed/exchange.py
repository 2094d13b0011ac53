"""What the cards of a training job tell one another, in seconds."""

import math

from planner.estimating.speed.links import Group, gather_seconds, group, latency_seconds, reduce_seconds
from planner.estimating.speed.passes import all_layer_parameters, trains_ends
from planner.estimating.speed.setup import Setup
from planner.values.workload import Method

WEIGHT_BYTES = 2.0  # weights and gradients travel in 16 bits
QUANTIZED_BYTES = 0.5625  # 4 bits and their scales per parameter (arXiv 2305.14314)
BUCKET_PARAMETERS = 40e6  # gradients travel in buckets of so many at least (Megatron-LM's default)
STAGES_SHARDED = 3  # ZeRO-3 and FSDP gather weights, too
USUAL_RANK = 16  # a guess where LoRA's rank is not told


def tensor_seconds(setup: Setup) -> float:
    """Two all-reduces of the activations per layer and forward pass, two per backward (arXiv 1909.08053)."""
    layout, model = setup.layout, setup.model
    if layout.tensor == 1:
        return 0.0
    ranks = group(layout.tensor, 1, setup.hardware.gpus_per_node)
    size = setup.tokens * model.hidden * WEIGHT_BYTES
    calls = (4.0 + 2.0 * min(1.0, setup.passes.recomputed_linear)) * model.layers / layout.pipeline
    shown = setup.constants[f"exposed.{setup.software.tensor}"]
    return calls * reduce_seconds(size, ranks, setup.links, setup.constants) * shown


def expert_seconds(setup: Setup) -> float:
    """Tokens go to their experts and back: two all-to-alls forward, two backward (arXiv 2006.16668).

    A token crosses to another node once, however many of its experts live there (DeepEP).
    """
    layout, model = setup.layout, setup.model
    if layout.expert == 1 or not model.is_moe:
        return 0.0
    ranks = group(layout.expert, layout.tensor, setup.hardware.gpus_per_node)
    size = setup.tokens * model.hidden * WEIGHT_BYTES / layout.tensor
    chosen = float(model.experts_per_token)
    inside = size * chosen * (ranks.in_node - 1) / ranks.ranks / setup.links.in_node
    missed = math.pow(1.0 - 1.0 / ranks.nodes, chosen)
    across = size * (ranks.nodes - 1) * (1.0 - missed) / setup.links.between_nodes
    calls = (4.0 + 2.0 * setup.passes.recomputed_linear) * model.moe_layers / layout.pipeline
    return calls * max(inside, across) * setup.constants["exposed.expert"]


def context_seconds(setup: Setup) -> float:
    """Keys and values travel once around the ring forward, and with gradients backward (arXiv 2310.01889)."""
    layout, model = setup.layout, setup.model
    if layout.context == 1:
        return 0.0
    ranks = group(layout.context, layout.tensor, setup.hardware.gpus_per_node)
    size = setup.tokens * layout.context * 2.0 * model.kv_width * WEIGHT_BYTES / layout.tensor
    calls = (3.0 + setup.passes.recomputed_attention) * model.layers / layout.pipeline
    shown = setup.constants["exposed.context"]
    return calls * gather_seconds(size, ranks, setup.links, setup.constants) * shown


def trained_parameters(setup: Setup) -> float:
    """Parameters that have gradients: all, or the adapters (and the ends, where LoRA trains them)."""
    training, model = setup.training, setup.model
    if training.method is Method.FULL:
        return float(model.parameters)
    inner = 4.0 * (model.hidden + model.query_width) + 3.0 * (model.hidden + model.ffn)
    adapters = model.layers * (training.lora_rank or USUAL_RANK) * inner
    return adapters + (2.0 * model.embedding_parameters if trains_ends(training) else 0.0)


def held_parameters(setup: Setup) -> float:
    """Parameters that one tensor, pipeline and expert rank holds before ZeRO divides them."""
    layers = all_layer_parameters(setup.model)
    ends = setup.model.parameters - layers
    return (layers / setup.layout.expert + ends) / setup.split


def data_seconds(setup: Setup) -> tuple[float, float]:
    """Seconds per micro-batch and seconds per step of what copies of the weights must exchange.

    DDP and ZeRO-1/2 reduce the gradients once a step, 2N bytes out and 2N back; ZeRO-3 gathers the weights
    for each forward and backward pass and scatters the gradients: 1.5 times that (arXiv 1910.02054), and
    for every micro-batch. QLoRA gathers 4-bit weights.
    """
    layout, links, constants = setup.layout, setup.links, setup.constants
    ranks = group(layout.shards, layout.tensor, setup.hardware.gpus_per_node)
    if ranks.ranks == 1:
        return 0.0, 0.0
    held = held_parameters(setup)
    gradients = WEIGHT_BYTES * held * trained_parameters(setup) / setup.model.parameters
    if layout.zero < STAGES_SHARDED:
        return 0.0, _reduced_seconds(setup, gradients, ranks)
    stored = QUANTIZED_BYTES if setup.training.method is Method.QLORA else WEIGHT_BYTES
    inner, across = ranks, 0.0
    if layout.is_sharded_in_node and ranks.nodes > 1:
        inner = Group(ranks.in_node, 1)
        across = _between_copies_seconds(setup, gradients / ranks.in_node, ranks.nodes)
    gathers = 2.0 * gather_seconds(stored * held, inner, links, constants)
    late = latency_seconds(3.0 * setup.model.layers / layout.pipeline, inner, constants)
    return gathers + gather_seconds(gradients, inner, links, constants) + late, across


def _bucket_calls(setup: Setup, size_bytes: float) -> float:
    """A reduce-scatter and an all-gather per bucket."""
    usual = max(BUCKET_PARAMETERS, all_layer_parameters(setup.model) / setup.model.layers)
    return 2.0 * (1.0 + size_bytes / WEIGHT_BYTES / (setup.software.bucket_parameters or usual))


def _reduced_seconds(setup: Setup, size_bytes: float, ranks: Group) -> float:
    """An all-reduce over all ranks, or (sharded in the node) within nodes and then between their slices."""
    links, constants = setup.links, setup.constants
    if not setup.layout.is_sharded_in_node or ranks.nodes == 1:
        late = latency_seconds(_bucket_calls(setup, size_bytes), ranks, constants)
        return reduce_seconds(size_bytes, ranks, links, constants) + late
    inside = reduce_seconds(size_bytes, Group(ranks.in_node, 1), links, constants)
    return inside + _between_copies_seconds(setup, size_bytes / ranks.in_node, ranks.nodes)


def _between_copies_seconds(setup: Setup, slice_bytes: float, nodes: int) -> float:
    """Each card all-reduces its slice with the cards of its rank in the other nodes."""
    between = Group(1, nodes)
    late = latency_seconds(_bucket_calls(setup, slice_bytes), between, setup.constants)
    return reduce_seconds(slice_bytes, between, setup.links, setup.constants) + late
