"""From moments to an answer: the worst moment, what lies outside the tensors, and the interval."""

from planner.estimating.memory import fitted
from planner.estimating.memory.inference import inference_parts
from planner.estimating.memory.job import GIB, Job
from planner.estimating.memory.moments import moments_of
from planner.estimating.memory.profiles import UNKNOWN_FRAMEWORK, Profile, profile_of
from planner.estimating.memory.states import states_of
from planner.values.estimate import MemoryEstimate
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout
from planner.values.workload import Inference, Training

STATIC_PARTS = ("weights", "gradients", "optimizer")


def outside_parts(parts: dict[str, float]) -> dict[str, float]:
    """GiB that the allocator holds in gaps, and that CUDA takes for itself."""
    moving = sum(gib for name, gib in parts.items() if name not in STATIC_PARTS)
    return {
        "fragmentation": fitted.FRAGMENTATION * moving,
        "context": fitted.CONTEXT_GIB,
    }


def _worst(job: Job) -> tuple[str, dict[str, float]]:
    """The moment with the largest sum, and its parts in GiB."""
    moments = moments_of(job)
    name = max(moments, key=lambda moment: sum(moments[moment].values()))
    return name, {part: size / GIB for part, size in moments[name].items() if size > 0}


def _with_interval(
    moment: str, parts: dict[str, float], spread: str, hardware: HardwareClass, host_gib: float = 0.0
) -> MemoryEstimate:
    low, high = fitted.SPREAD[spread]
    peak_gib = sum(parts.values())
    return MemoryEstimate(
        moment, tuple(parts.items()), low * peak_gib, high * peak_gib, hardware.gpu.usable_gib, host_gib
    )


def training_with(
    training: Training, layout: Layout, hardware: HardwareClass, profile: Profile
) -> MemoryEstimate:
    """The estimate for one framework's choices."""
    job = Job(training, layout, profile)
    moment, parts = _worst(job)
    spread = "one_gpu_training" if layout.gpu_count == 1 else "several_gpus_training"
    host_gib = states_of(job).host * min(hardware.gpus_per_node, layout.gpu_count) / GIB
    return _with_interval(moment, parts | outside_parts(parts), spread, hardware, host_gib)


def training_memory(training: Training, layout: Layout, hardware: HardwareClass) -> MemoryEstimate:
    """Peak memory of the fullest card; without a known framework, an interval over the profiles."""
    profile = profile_of(training.framework)
    if profile is not None:
        return training_with(training, layout, hardware, profile)
    first, *others = (training_with(training, layout, hardware, one) for one in UNKNOWN_FRAMEWORK)
    return MemoryEstimate(
        first.moment,
        first.parts,
        min(first.low_gib, *(other.low_gib for other in others)),
        max(first.high_gib, *(other.high_gib for other in others)),
        first.capacity_gib,
        max(first.host_gib, *(other.host_gib for other in others)),
    )


def inference_memory(inference: Inference, layout: Layout, hardware: HardwareClass) -> MemoryEstimate:
    """Memory of one card that serves: weights, cache, activations, context."""
    parts = inference_parts(inference, layout)
    parts["context"] = fitted.CONTEXT_GIB
    return _with_interval("prefill", parts, "inference", hardware)
