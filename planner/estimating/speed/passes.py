"""What one micro-batch asks of one card: FLOPs and bytes, counted from the architecture."""

from dataclasses import dataclass

from planner.values.layout import Checkpointing, Layout
from planner.values.model import Model
from planner.values.workload import Attention, Method, Training

# FlashAttention's backward is 2.5 times its forward (arXiv 2307.08691, section 4.1).
FLASH_BACKWARD = 2.5


@dataclass(frozen=True, slots=True)
class Passes:
    """How often the layers are gone through, in units of one forward pass.

    A forward pass is 2 FLOPs per parameter and token; the gradient of the activations is as much, and
    that of the weights again (6N, arXiv 2001.08361). LoRA needs no weight gradients (4N); full
    recomputation adds one forward pass (8N).
    """

    linear: float
    head: float
    recomputed_linear: float
    recomputed_attention: float


def trains_ends(training: Training) -> bool:
    """Whether LoRA trains the embedding or the output head beside its adapters."""
    return any(name in training.lora_targets for name in ("embed_tokens", "lm_head"))


def passes(training: Training, layout: Layout, selective_linear: float) -> Passes:
    linear = 3.0 if training.method is Method.FULL else 2.0
    head = 3.0 if trains_ends(training) else linear
    match layout.checkpointing:
        case Checkpointing.FULL:
            return Passes(linear, head, 1.0, 1.0)
        case Checkpointing.SELECTIVE:
            return Passes(linear, head, selective_linear, 1.0)
        case Checkpointing.NONE:
            return Passes(linear, head, 0.0, 0.0)


def head_parameters(model: Model) -> float:
    """The output head multiplies every token, tied or not; the input embedding is a look-up."""
    return float(model.embedding_parameters)


def layer_parameters(model: Model) -> float:
    """Parameters of all layers that one token is multiplied by."""
    ends = model.embedding_parameters * (1 if model.is_tied else 2)
    return max(1.0, float(model.active_parameters - ends))


def all_layer_parameters(model: Model) -> float:
    """Parameters of all layers, every expert counted."""
    ends = model.embedding_parameters * (1 if model.is_tied else 2)
    return max(1.0, float(model.parameters - ends))


def attended_tokens(training: Training) -> float:
    """Mean positions that a token attends to: half of the sequence, of the sample, or the window.

    A window w over a sequence s leaves w(1 - w/2s) (sum of min(i, w) over i, divided by s).
    """
    sequence = float(training.sequence_tokens)
    if training.sample_tokens:
        sequence = min(sequence, float(training.sample_tokens))
    window = float(training.model.sliding_window)
    if window and window < sequence:
        return window * (1.0 - window / (2.0 * sequence))
    return sequence / 2.0


def attention_flops_per_token(training: Training) -> float:
    """Forward FLOPs of the scores and of the weighted sum, over all layers: 2 x 2 x positions x width."""
    model = training.model
    return 4.0 * model.layers * model.query_width * attended_tokens(training)


def score_bytes_per_token(training: Training) -> float:
    """Bytes of the score matrix per token and layer where attention is not fused (16 bit, whole rows)."""
    if training.attention is Attention.FLASH:
        return 0.0
    return 2.0 * training.model.heads * training.sequence_tokens


def inner_width(model: Model) -> float:
    """Elements that the feed-forward block of an average layer holds per token."""
    if not model.is_moe:
        return float(model.ffn)
    experts = (model.experts_per_token + model.shared_experts) * (model.expert_ffn or model.ffn)
    return (model.moe_layers * experts + model.dense_layers * model.ffn) / model.layers
