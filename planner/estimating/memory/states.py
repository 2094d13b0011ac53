"""What lives between steps: weights, gradients, optimizer state; and the copy that the step makes.

Bytes per parameter by regime: ZeRO (arXiv 1910.02054) for 16-bit weights with an fp32 master; torch.optim's
``foreach`` makes one more copy of the gradients while it steps.
"""

from dataclasses import dataclass, replace

from planner.estimating.memory.adapters import adapter_parameters
from planner.estimating.memory.job import FP32_BYTES, HALF_BYTES, Job
from planner.estimating.memory.profiles import Engine
from planner.values.layout import Offload
from planner.values.workload import Optimizer, Precision

ZERO3_LIVE_PARAMETERS = 1e9  # DeepSpeed's stage3_max_live_parameters
ZERO_BUCKET_PARAMETERS = 5e8  # reduce_bucket_size of stages 1 and 2
ZERO3_SUB_GROUP_PARAMETERS = 1e9  # sub_group_size: how many parameters the step handles at once

_STATE_BYTES = {
    # two moments at the width of the weights they belong to, in units of that width
    Optimizer.ADAMW: 2.0,
    Optimizer.SGD: 0.0,
    Optimizer.ADAFACTOR: 0.0,  # row and column sums: under 0.1%
}
_EIGHT_BIT_BYTES = 2.0  # two moments of one byte (bitsandbytes, torchao)


@dataclass(frozen=True, slots=True)
class States:
    """Bytes on one card. ``gathered`` is what sharding unshards for a while."""

    weights: float
    gradients: float
    optimizer: float
    step_temporary: float
    gathered: float
    step_gathered: float = 0.0
    host: float = 0.0


def held_parameters(job: Job, expert: int = 1) -> float:
    """Parameters on the fullest card before ZeRO: tensor, pipeline and expert parallel; ends on the end stages."""
    model, layout = job.model, job.layout
    blocks = job.block_parameters
    if model.is_moe:
        experts = model.moe_layers * model.experts * model.expert_parameters
        blocks += experts / expert - experts
    ends = job.end_parameters if layout.pipeline == 1 else model.embedding_parameters
    return (blocks / layout.pipeline + ends) / layout.tensor


def trained_parameters(job: Job) -> float:
    """Trained parameters on one card before ZeRO."""
    if not job.is_adapter:
        return held_parameters(job)
    training = job.training
    count = adapter_parameters(job.model, training.lora_rank, training.lora_targets)
    return count / (job.layout.tensor * job.layout.pipeline)


def frozen_bytes(job: Job) -> float:
    """Bytes of the base model under adapters, before ZeRO. Embedding and head stay unquantized."""
    if not job.is_quantized:
        return held_parameters(job) * max(job.compute_bytes, job.profile.base_bytes)
    profile = job.profile
    share = job.layout.tensor * job.layout.pipeline
    whole_bytes = FP32_BYTES if profile.prepares_kbit else HALF_BYTES
    quantized = job.block_parameters
    ends = job.end_parameters
    if profile.quantizes_head:
        quantized += job.model.embedding_parameters
        ends -= job.model.embedding_parameters
    return (quantized * profile.quantized_bytes + ends * whole_bytes) / share


def _widths(job: Job) -> tuple[float, float, float, float]:
    """(weight, gradient, master copy, state) bytes per trained parameter; a state is one moment."""
    precision = job.training.precision
    if job.is_adapter:
        width = job.profile.adapter_bytes
        return width, width, 0.0, width
    if precision is Precision.BF16:
        return HALF_BYTES, HALF_BYTES, 0.0, HALF_BYTES
    if precision is Precision.MIXED and job.engine is Engine.DEEPSPEED:
        return HALF_BYTES, HALF_BYTES, FP32_BYTES, FP32_BYTES
    if precision is Precision.MIXED and job.engine is Engine.MEGATRON:
        return HALF_BYTES, FP32_BYTES, FP32_BYTES, FP32_BYTES
    return FP32_BYTES, FP32_BYTES, 0.0, FP32_BYTES


def _optimizer_bytes(job: Job, master: float, state: float) -> float:
    """Bytes of optimizer state per trained parameter, the fp32 master copy included."""
    optimizer = job.training.optimizer
    if optimizer in (Optimizer.ADAMW_8BIT, Optimizer.ADAMW_8BIT_IN_BACKWARD):
        return master + _EIGHT_BIT_BYTES
    return master + _STATE_BYTES[optimizer] * state


def _gathered_bytes(job: Job) -> float:
    """Bytes of weights that a sharded engine holds whole for a moment.

    DeepSpeed keeps its live parameters and the module that is fetched next; FSDP two layers (one is
    prefetched) and the unit that holds the embedding and head.
    """
    width = job.profile.quantized_bytes if job.is_quantized else HALF_BYTES
    if job.engine is Engine.DEEPSPEED:
        live = ZERO3_LIVE_PARAMETERS + max(job.model.embedding_parameters, job.layer_parameters)
        return width * min(live, held_parameters(job))
    return (2 * width * job.layer_parameters + HALF_BYTES * job.end_parameters) / job.layout.tensor


def steps_in_backward(job: Job) -> bool:
    """Each gradient is used and dropped inside the backward pass."""
    is_named = job.training.optimizer is Optimizer.ADAMW_8BIT_IN_BACKWARD
    return is_named or job.profile.has_step_in_backward


def _step_bytes(job: Job, trained: float, gradient: float) -> float:
    """Bytes that the optimizer step adds for a while."""
    has_none = job.training.optimizer in (Optimizer.ADAMW_8BIT, Optimizer.SGD)
    if has_none or steps_in_backward(job):
        return 0.0
    if job.engine is Engine.DEEPSPEED and not (job.is_adapter and job.layout.zero == 0):
        return FP32_BYTES * min(trained, ZERO3_SUB_GROUP_PARAMETERS)
    return gradient * trained if job.profile.has_step_copy else 0.0


def _resident(job: Job, whole: float) -> float:
    """What is left of unsharded bytes when experts lie on different data ranks."""
    if not job.model.is_moe or job.layout.expert == 1:
        return whole
    return whole * held_parameters(job, job.layout.expert) / held_parameters(job)


def _exchanged(job: Job, gradients: float) -> tuple[float, float]:
    """Bytes that the data ranks' exchange takes: (during backward, at the step as well)."""
    if job.is_sharded:
        return _gathered_bytes(job), 0.0
    if job.layout.zero and job.engine is Engine.DEEPSPEED:
        # two, so that one fills while the other travels; both are given back when backward ends
        return 2 * HALF_BYTES * ZERO_BUCKET_PARAMETERS, 0.0
    if job.engine is Engine.PLAIN and job.layout.data > 1:
        return gradients, gradients  # DistributedDataParallel's buckets copy the gradients
    return 0.0, 0.0


def states_of(job: Job) -> States:
    """Bytes of weights, gradients and optimizer state on one card, after ZeRO and offloading."""
    zero, shards = job.layout.zero, job.shards
    trained = trained_parameters(job)
    weight, gradient, master, state = _widths(job)
    weights = weight * trained + (frozen_bytes(job) if job.is_adapter else 0.0)
    alive = min(trained, max(job.layer_parameters, job.model.embedding_parameters))
    gradients = gradient * (alive if steps_in_backward(job) else trained)
    stepped = trained / shards if zero >= 1 else trained
    gathered, kept_at_step = _exchanged(job, gradients)
    states = States(
        weights=weights / shards if job.is_sharded else _resident(job, weights),
        gradients=gradients / shards if zero >= 2 else _resident(job, gradients),
        optimizer=_optimizer_bytes(job, master, state) * stepped,
        step_temporary=_step_bytes(job, stepped, gradient),
        gathered=gathered,
        step_gathered=kept_at_step,
    )
    return _offloaded(job, states, FP32_BYTES * stepped)


def _offloaded(job: Job, states: States, fp32_gradients: float) -> States:
    """The optimizer, and perhaps the weights, in the host's memory (ZeRO-Offload, arXiv 2101.06840).

    The host then keeps fp32 gradients as well: 16 bytes a parameter for AdamW, 18 with the weights.
    """
    if job.layout.offload is Offload.NONE:
        return states
    moved = replace(
        states,
        optimizer=0.0,
        step_temporary=0.0,
        gradients=states.gradients if job.engine is Engine.PLAIN else 0.0,
        host=states.optimizer + fp32_gradients,
    )
    if job.layout.offload is Offload.OPTIMIZER:
        return moved
    return replace(moved, weights=0.0, host=moved.host + states.weights)
