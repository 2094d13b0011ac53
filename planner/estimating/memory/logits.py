"""Bytes of the cross-entropy at its worst moment: often more than all checkpoints together."""

from planner.estimating.memory.job import Job
from planner.values.workload import Loss

FP32_LOGIT_BYTES = 16  # an fp32 head: logits, log-softmax and two gradients of four bytes


def logit_gradient_bytes(job: Job) -> float:
    """The gradient of the last hidden state and the norm's fp32 copy, per token."""
    return (job.compute_bytes + 4) * job.model.hidden


def logits_bytes(job: Job) -> float:
    """Bytes of logits and of everything of their shape when the loss is differentiated."""
    profile, tokens = job.profile, job.tokens
    entries = job.model.vocab / (job.layout.tensor if profile.has_sequence_parallel else 1)
    whole = profile.logit_bytes
    if job.is_quantized and profile.prepares_kbit:
        whole = max(whole, FP32_LOGIT_BYTES) if profile.logit_bytes >= 12 else whole  # noqa: PLR2004
    match job.training.loss:
        case Loss.WHOLE:
            return whole * tokens * entries
        case Loss.CHUNKED:
            chunk = min(tokens, profile.chunk_tokens)
            return min(whole * tokens, profile.chunk_logit_bytes * tokens + whole * chunk) * entries
        case Loss.FUSED:
            return 0.0
