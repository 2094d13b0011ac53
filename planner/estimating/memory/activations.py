"""What forward saves for backward, and what rebuilding one layer needs; bytes per token, from the autograd graph.

Counts follow the Hugging Face Llama modules (checked against real training steps under fake tensors) and, for
blocks without a gate, the GPT block of Korthikanti et al. (arXiv 2205.05198).
"""

from planner.estimating.memory.adapters import adapter_inputs
from planner.estimating.memory.job import FP32_BYTES, Job
from planner.estimating.memory.profiles import Engine
from planner.values.layout import Checkpointing
from planner.values.workload import Attention

SELECTIVE_SHARE = 0.42  # of the full set: torchtitan's per-operator selective checkpointing
EAGER_SAVED_BYTES = 6  # per head and token pair: fp32 softmax and its 16-bit copy
EAGER_DROPOUT_BYTES = 3  # and the dropout's mask and output, which GPT blocks have (Korthikanti et al.)
EAGER_REBUILT_BYTES = 16  # while the softmax is differentiated
EAGER_FP32_EXTRA_BYTES = 2  # more where the residual, and so the mask that is added, is fp32
DROPOUT_MASK_BYTES = 1


def _norm_bytes(job: Job) -> float:
    """Two norms. RMSNorm as written keeps an fp32 copy and, if its weight is trained, the normalized input."""
    hidden, half = job.model.hidden, job.compute_bytes
    if job.has_fused_norms or not job.model.is_gated:
        return 2 * hidden * (job.residual_bytes + half if not job.is_adapter else half)
    if job.is_adapter:
        return 2 * hidden * FP32_BYTES
    if job.has_fp32_residual:
        return 2 * hidden * (3 * FP32_BYTES + half)
    return 2 * hidden * (FP32_BYTES + 2 * half)


def _mlp_width(job: Job) -> float:
    model = job.model
    if not model.is_moe:
        return model.ffn
    return (model.experts_per_token + model.shared_experts) * (model.expert_ffn or model.ffn)


def _mlp_bytes(job: Job) -> float:
    """Gate, activation, up and product; a frozen down projection does not keep its input."""
    kept = (4 if job.model.is_gated else 2) - (1 if job.is_adapter else 0)
    routed = 2 * job.model.experts_per_token * job.model.hidden if job.model.is_moe else 0
    return job.compute_bytes * (kept * _mlp_width(job) + routed)


def _attention_bytes(job: Job) -> float:
    """Query, key, value and output, with one fp32 log-sum for each head (FlashAttention-2)."""
    model = job.model
    return job.compute_bytes * 2 * (model.query_width + model.kv_width) + FP32_BYTES * model.heads


def _adapter_bytes(job: Job) -> float:
    """Inputs that adapters keep: a copy for each target, or one shared where no cast or dropout makes copies."""
    if not job.is_adapter:
        return 0.0
    profile = job.profile
    each, distinct = adapter_inputs(job.model, job.training.lora_targets)
    mask = DROPOUT_MASK_BYTES if profile.has_adapter_dropout else 0
    if profile.has_autocast:
        return each * (job.compute_bytes + mask)
    if profile.adapter_bytes > job.compute_bytes:
        return each * (FP32_BYTES + mask)
    return each * (job.compute_bytes + mask) if mask else distinct * job.compute_bytes


def _quantized_input_bytes(job: Job) -> float:
    """Inputs that 4-bit matrices keep: of query/key/value, output, gate, up and down."""
    if not (job.is_quantized and job.profile.keeps_quantized_inputs):
        return 0.0
    width = job.model.hidden * (3 if job.model.is_gated else 2) + job.model.query_width + _mlp_width(job)
    return job.constants.quantized_input_bytes * width


def _divided(job: Job, whole: float, split: float) -> float:
    """Tensor parallel divides ``split``; sequence parallel divides the rest as well."""
    tensor = job.layout.tensor
    return split / tensor + whole / (tensor if job.profile.has_sequence_parallel else 1)


def _eager_pairs(job: Job) -> float:
    """Head and token pairs per token where attention is written out; none with FlashAttention."""
    is_eager = job.training.attention is Attention.EAGER
    return float(job.model.heads * job.training.sequence_tokens) if is_eager else 0.0


def _eager_saved_bytes(job: Job) -> int:
    has_dropout = not job.model.is_gated and not job.is_adapter
    return EAGER_SAVED_BYTES + (EAGER_DROPOUT_BYTES if has_dropout else 0)


def saved_bytes(job: Job) -> float:
    """Bytes per token that one layer keeps when nothing is checkpointed."""
    split = _mlp_bytes(job) + _attention_bytes(job)
    whole = _norm_bytes(job) + _adapter_bytes(job) + _quantized_input_bytes(job)
    pairs = _eager_pairs(job) / job.layout.tensor
    return _divided(job, whole, split) * job.profile.activation_factor + _eager_saved_bytes(job) * pairs


def rebuilt_bytes(job: Job) -> float:
    """Bytes per token of one layer while backward runs through it: what it saved and the gradients on top."""
    passed = 3 * _mlp_width(job) if job.model.is_gated else 2 * _mlp_width(job)
    freed = 0 if job.is_adapter else _mlp_width(job)
    split = job.compute_bytes * (passed - freed)
    extra = EAGER_REBUILT_BYTES - EAGER_SAVED_BYTES
    extra += EAGER_FP32_EXTRA_BYTES if job.has_fp32_residual else 0
    split = max(split, extra * _eager_pairs(job))  # attention's gradients follow those of the MLP
    return saved_bytes(job) + _divided(job, job.residual_bytes * job.model.hidden, split)


def checkpoint_bytes(job: Job) -> float:
    """Bytes per token that a checkpointed layer keeps: its input."""
    return _divided(job, job.residual_bytes * job.model.hidden, 0)


def kept_bytes(job: Job) -> float:
    """Bytes per token and layer that forward leaves behind."""
    match job.layout.checkpointing:
        case Checkpointing.NONE:
            return saved_bytes(job)
        case Checkpointing.SELECTIVE:
            # Megatron's selective recomputation drops what FlashAttention does not keep anyway
            return saved_bytes(job) * (1 if job.engine is Engine.MEGATRON else SELECTIVE_SHARE)
        case Checkpointing.FULL:
            return checkpoint_bytes(job)
