"""Bytes of the cross-entropy at its worst moment: often more than all checkpoints together."""

from planner.estimating.memory.job import FP32_BYTES, HALF_BYTES, Job
from planner.estimating.memory.profiles import Engine
from planner.values.workload import Loss, Precision

FP32_LOSS_BYTES = 12  # log-softmax and two gradients, four bytes each (torch's cross-entropy on fp32 logits)


def _whole_bytes(job: Job) -> float:
    """Bytes per logit when the loss sees all logits at once.

    Autocast keeps the head's 16-bit output beside its fp32 copy; an fp32 head (k-bit preparation) keeps fp32.
    """
    profile = job.profile
    if profile.logit_bytes is not None:
        return profile.logit_bytes
    if job.is_quantized and profile.prepares_kbit:
        return FP32_LOSS_BYTES + FP32_BYTES
    if profile.has_half_loss:
        return job.constants.half_logit_bytes
    if job.engine is Engine.DEEPSPEED:
        return job.constants.deepspeed_logit_bytes
    is_mixed = profile.has_autocast and job.training.precision is Precision.MIXED
    return FP32_LOSS_BYTES + (HALF_BYTES if is_mixed else 0)


def logits_bytes(job: Job) -> float:
    """Bytes of logits and of everything of their shape when the loss is differentiated."""
    profile, tokens = job.profile, job.tokens
    entries = job.model.vocab / job.layout.tensor  # the loss is vocabulary-parallel (Megatron-LM, 1909.08053)
    whole = _whole_bytes(job)
    match job.training.loss:
        case Loss.WHOLE:
            return whole * tokens * entries
        case Loss.CHUNKED:
            chunk = min(tokens, profile.chunk_tokens)
            return min(whole * tokens, profile.chunk_logit_bytes * tokens + whole * chunk) * entries
        case Loss.FUSED:
            return 0.0


def head_input_bytes(job: Job) -> float:
    """The last norm's fp32 copy, its output and that one's gradient, which the loss needs."""
    return (FP32_BYTES + 2 * job.compute_bytes) * job.model.hidden * job.tokens
