"""From moments to an answer: the worst moment, what lies outside the tensors, and the interval."""

from dataclasses import replace

from planner.estimating.memory.fitted import SPREAD, STATIC_SHARE
from planner.estimating.memory.inference import inference_parts, prompt_logits_bytes
from planner.estimating.memory.job import GIB, Job
from planner.estimating.memory.moments import Parts, moments_of
from planner.estimating.memory.profiles import GPTQ4_BYTES, UNKNOWN_FRAMEWORK, Engine, Profile, profile_of
from planner.estimating.memory.states import states_of
from planner.values.estimate import MemoryEstimate
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout, Offload
from planner.values.workload import Inference, Training

OUTSIDE_PARTS = ("fragmentation", "context")
STATIC_PARTS = ("weights", "gradients", "optimizer")
CONTEXT_GIB = 0.5  # CUDA, cuBLAS and the loaded kernels on a data center card
PARTITION_SHARE = 0.06  # a guess: ZeRO-3's states lie in many small pieces; 0 in one table, 0.15 in another
COMMUNICATION_GIB = 0.5  # a guess: NCCL's channels when several cards work together


def context_gib(layout: Layout) -> float:
    return CONTEXT_GIB + (COMMUNICATION_GIB if layout.gpu_count > 1 else 0)


def _outside_parts(job: Job, parts: Parts) -> Parts:
    """GiB that the allocator holds in gaps, and that CUDA takes for itself."""
    static = sum(gib for name, gib in parts.items() if name in STATIC_PARTS)
    moving = sum(parts.values()) - static
    is_single = job.layout.gpu_count == 1
    constants = job.constants
    gaps = moving * (constants.fragmentation_share if is_single else constants.exchange_fragmentation_share)
    if job.is_sharded and job.engine is Engine.DEEPSPEED:
        gaps += PARTITION_SHARE * static
    return {"fragmentation": gaps, "context": context_gib(job.layout)}


def worst_moment(job: Job) -> tuple[str, Parts]:
    """The moment of a step that takes most, and its parts in GiB with what lies outside the tensors."""
    moments = moments_of(job)
    name = max(moments, key=lambda moment: sum(moments[moment].values()))
    parts = {part: size / GIB for part, size in moments[name].items() if size > 0}
    return name, parts | _outside_parts(job, parts)


def interval_gib(parts: Parts, spread: tuple[float, float]) -> tuple[float, float]:
    """Ends of the interval of what the job needs: what moves is off by ``spread``, what stays by less.

    Gaps are no need, so the ends leave them out: the allocator gives freed blocks back before it fails. Only the
    upper end is never below what is expected with gaps.
    """
    static = sum(gib for name, gib in parts.items() if name in STATIC_PARTS)
    moving = sum(gib for name, gib in parts.items() if name not in STATIC_PARTS + OUTSIDE_PARTS)
    context = parts.get("context", 0.0)
    low, high = (static * factor**STATIC_SHARE + moving * factor + context for factor in spread)
    return low, max(high, sum(parts.values()))


def _with_interval(
    moment: str, parts: Parts, spread: str, hardware: HardwareClass, host_gib: float = 0.0
) -> MemoryEstimate:
    low_gib, high_gib = interval_gib(parts, SPREAD[spread])
    return MemoryEstimate(moment, tuple(parts.items()), low_gib, high_gib, hardware.gpu.usable_gib, host_gib)


def _host_gib(job: Job, hardware: HardwareClass) -> float:
    """GiB of a node's main memory that offloading takes, for all its cards."""
    if job.layout.offload is Offload.NONE:
        return 0.0
    return states_of(job).host * min(hardware.gpus_per_node, job.layout.gpu_count) / GIB


def training_with(training: Training, layout: Layout, hardware: HardwareClass, profile: Profile) -> MemoryEstimate:
    """The estimate for one framework's choices; a GPTQ base overrules the framework's usual quantization."""
    if training.quantizer == "gptq":
        profile = replace(profile, quantized_bytes=GPTQ4_BYTES)
    job = Job(training, layout, profile, gpus_per_node=hardware.gpus_per_node)
    moment, parts = worst_moment(job)
    spread = "one_gpu_training" if layout.gpu_count == 1 else "several_gpus_training"
    return _with_interval(moment, parts, spread, hardware, _host_gib(job, hardware))


def _possible(layout: Layout) -> tuple[Profile, ...]:
    """Profiles that an unnamed framework may have: FSDP as it is used shards everything or nothing."""
    is_partial = layout.zero in (1, 2)
    return tuple(one for one in UNKNOWN_FRAMEWORK if not (is_partial and one.sharded_engine is Engine.FSDP))


def training_memory(training: Training, layout: Layout, hardware: HardwareClass) -> MemoryEstimate:
    """Peak memory of the fullest card; without a known framework, an interval over the profiles."""
    profile = profile_of(training.framework)
    if profile is not None:
        return training_with(training, layout, hardware, profile)
    first, *others = (training_with(training, layout, hardware, one) for one in _possible(layout))
    return MemoryEstimate(
        first.moment,
        first.parts,
        min(first.low_gib, *(other.low_gib for other in others)),
        max(first.high_gib, *(other.high_gib for other in others)),
        first.capacity_gib,
        max(first.host_gib, *(other.host_gib for other in others)),
    )


def inference_with(
    inference: Inference, layout: Layout, hardware: HardwareClass, quantized_bytes: float | None = None
) -> MemoryEstimate:
    """Memory of one card that serves; ``quantized_bytes`` per weight overrules the type's usual width.

    Without a named engine the interval also covers older generation code, which keeps the prompt's logits.
    """
    sizes = inference_parts(inference, layout, quantized_bytes)
    parts = {part: size / GIB for part, size in sizes.items() if size > 0}
    estimate = _with_interval("serving", parts | {"context": context_gib(layout)}, "inference", hardware)
    if inference.engine:
        return estimate
    older_gib = prompt_logits_bytes(inference, layout) / GIB
    return replace(estimate, high_gib=estimate.high_gib + older_gib)


def inference_memory(inference: Inference, layout: Layout, hardware: HardwareClass) -> MemoryEstimate:
    """Memory of one card that serves: weights, cache, activations, context."""
    return inference_with(inference, layout, hardware)
