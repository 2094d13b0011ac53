"""What the cards of a training job tell one another, in seconds."""

from planner.estimating.speed.constants import Constants
from planner.estimating.speed.links import Group, Links, gather_seconds, group, reduce_seconds
from planner.estimating.speed.passes import Passes, all_layer_parameters
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout
from planner.values.model import Model
from planner.values.workload import Method, Training

WEIGHT_BYTES = 2.0  # weights and gradients travel in 16 bits
STAGES_SHARDED = 3  # ZeRO-3 and FSDP gather weights, too


def data_group(layout: Layout, hardware: HardwareClass) -> Group:
    """Ranks that hold copies of the same weights: data and context parallel, laid outside of tensor."""
    return group(layout.shards, layout.tensor, hardware.gpus_per_node)


def tensor_seconds(
    training: Training, layout: Layout, hardware: HardwareClass, tokens: float, times: Passes,
    link: Links, constants: Constants,
) -> float:  # fmt: skip
    """Two all-reduces of the activations per layer and forward pass, two per backward (arXiv 1909.08053)."""
    if layout.tensor == 1:
        return 0.0
    model = training.model
    ranks = group(layout.tensor, 1, hardware.gpus_per_node)
    size = tokens * model.hidden * WEIGHT_BYTES
    calls = (2.0 + 2.0 + 2.0 * min(1.0, times.recomputed_linear)) * model.layers / layout.pipeline
    return calls * reduce_seconds(size, ranks, link, constants) * constants["exposed.tensor"]


def expert_seconds(
    training: Training, layout: Layout, hardware: HardwareClass, tokens: float, times: Passes,
    link: Links, constants: Constants,
) -> float:  # fmt: skip
    """Tokens go to their experts and back: two all-to-alls forward, two backward (arXiv 2006.16668)."""
    model = training.model
    if layout.expert == 1 or not model.is_moe:
        return 0.0
    ranks = group(layout.expert, layout.tensor, hardware.gpus_per_node)
    size = tokens * model.hidden * WEIGHT_BYTES * model.experts_per_token / layout.tensor
    others = (layout.expert - 1) / layout.expert
    away = 1.0 - ranks.in_node / ranks.ranks
    seconds = max(size * (others - away) / link.in_node, size * away / link.between_nodes)
    calls = (4.0 + 2.0 * times.recomputed_linear) * model.moe_layers / layout.pipeline
    return calls * seconds * constants["exposed.expert"]


def context_seconds(
    training: Training, layout: Layout, hardware: HardwareClass, tokens: float, times: Passes,
    link: Links, constants: Constants,
) -> float:  # fmt: skip
    """Keys and values travel once around the ring forward, and with gradients backward (arXiv 2310.01889)."""
    if layout.context == 1:
        return 0.0
    model = training.model
    ranks = group(layout.context, layout.tensor, hardware.gpus_per_node)
    size = tokens * layout.context * 2.0 * model.kv_width * WEIGHT_BYTES / layout.tensor
    calls = (3.0 + times.recomputed_attention) * model.layers / layout.pipeline
    return calls * gather_seconds(size, ranks, link, constants) * constants["exposed.context"]


def trained_share(training: Training) -> float:
    """Share of the weights that have gradients: all, or a few adapters."""
    if training.method is Method.FULL:
        return 1.0
    model, rank = training.model, training.lora_rank or 16
    inner = 4.0 * (model.hidden + model.query_width) + 3.0 * (model.hidden + model.ffn)
    return min(1.0, model.layers * rank * inner / model.parameters)


def shard_bytes(model: Model, layout: Layout) -> float:
    """16-bit bytes of the weights that one tensor and pipeline rank holds."""
    experts = all_layer_parameters(model) / layout.expert if model.is_moe else all_layer_parameters(model)
    ends = model.embedding_parameters * (1 if model.is_tied else 2)
    return WEIGHT_BYTES * (experts + ends) / (layout.tensor * layout.pipeline)


def data_seconds(
    training: Training, layout: Layout, hardware: HardwareClass, stored_share: float,
    link: Links, constants: Constants,
) -> tuple[float, float]:  # fmt: skip
    """Seconds per micro-batch and seconds per step of what copies of the weights must exchange.

    DDP and ZeRO-1/2 reduce the gradients once a step, 2N bytes out and 2N back; ZeRO-3 gathers the weights
    for each forward and backward pass and scatters the gradients: 1.5 times that (arXiv 1910.02054), and
    for every micro-batch. ``stored_share``: bytes of a stored weight over 2 (QLoRA gathers 4 bits).
    """
    ranks = data_group(layout, hardware)
    if ranks.ranks == 1:
        return 0.0, 0.0
    size = shard_bytes(training.model, layout)
    gradients = size * trained_share(training)
    if layout.zero < STAGES_SHARDED:
        if layout.is_sharded_in_node:
            return 0.0, _hierarchical_seconds(gradients, ranks, link, constants)
        return 0.0, reduce_seconds(gradients, ranks, link, constants)
    if layout.is_sharded_in_node and ranks.nodes > 1:
        inside = Group(ranks.in_node, 1)
        across = reduce_seconds(gradients / ranks.in_node, Group(1, ranks.nodes), link, constants)
        return _sharded_seconds(size * stored_share, gradients, inside, link, constants), across
    return _sharded_seconds(size * stored_share, gradients, ranks, link, constants), 0.0


def _sharded_seconds(
    weights: float, gradients: float, ranks: Group, link: Links, constants: Constants
) -> float:
    gathers = 2.0 * gather_seconds(weights, ranks, link, constants)
    return gathers + gather_seconds(gradients, ranks, link, constants)


def _hierarchical_seconds(gradients: float, ranks: Group, link: Links, constants: Constants) -> float:
    """Reduce and gather inside the node, all-reduce of a node's slices between nodes."""
    inside = 2.0 * gather_seconds(gradients, Group(ranks.in_node, 1), link, constants)
    if ranks.nodes == 1:
        return inside
    return inside + reduce_seconds(gradients / ranks.in_node, Group(1, ranks.nodes), link, constants)
