"""What the estimate says about one published row: the counter that the row reports, with its interval."""

from dataclasses import dataclass, replace

from memory_rows import QUANTIZED_BYTES, Case, number, text
from planner.estimating.memory.estimate import inference_with, worst_moment
from planner.estimating.memory.fitted import FITTED, SPREAD, Constants
from planner.estimating.memory.job import Job
from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.workload import Attention, Inference, Loss

Spread = dict[str, tuple[float, float]]
OUTSIDE_PARTS = ("context", "fragmentation")


@dataclass(frozen=True, slots=True)
class Prediction:
    """GiB of the row's own counter with its interval, and the upper end for the whole process."""

    gib: float
    low_gib: float
    high_gib: float
    process_high_gib: float


def hardware_of(case: Case) -> HardwareClass:
    usable_mib = int(number(case.row, "gpu_GiB") * 1024)
    return HardwareClass(Gpu(text(case.row, "gpu"), "", Stack.CUDA, usable_mib, 1.0, 1.0), gpus_per_node=8)


def parts_of(case: Case, constants: Constants = FITTED) -> dict[str, float]:
    """GiB of every part at the worst moment."""
    if isinstance(case.work, Inference):
        width = QUANTIZED_BYTES.get(text(case.row, "quant"))
        return dict(inference_with(case.work, case.layout, hardware_of(case), width).parts)
    return worst_moment(Job(case.work, case.layout, case.profile, constants))[1]


def counted_gib(case: Case, parts: dict[str, float]) -> float:
    """What the row's counter sees: live tensors, what the allocator reserves, or the whole process."""
    metric = text(case.row, "metric", "unknown")
    total = sum(parts.values())
    if metric.startswith(("allocated", "active")):
        return total - sum(parts.get(part, 0.0) for part in OUTSIDE_PARTS)
    if metric.startswith("steady"):
        return parts["weights"] + parts.get("kv_cache", 0.0)
    if metric.startswith("reserved"):
        return total - parts["context"]
    return total


def prompt_logits_gib(case: Case) -> float:
    """What the interval leaves for older generation code, where the engine is not known."""
    if not isinstance(case.work, Inference) or text(case.row, "metric").startswith("steady"):
        return 0.0
    estimate = inference_with(case.work, case.layout, hardware_of(case))
    return estimate.high_gib - SPREAD["inference"][1] * estimate.peak_gib


def predict(case: Case, constants: Constants = FITTED, spread: Spread = SPREAD) -> Prediction:
    parts = parts_of(case, constants)
    gib = counted_gib(case, parts)
    low, high = spread[case.kind]
    more = prompt_logits_gib(case)
    return Prediction(gib, low * gib, high * gib + more, high * sum(parts.values()) + more)


def variants(case: Case) -> list[Case]:
    """What a row may be when its framework is hidden: another loss, eager attention, no step copy."""
    if isinstance(case.work, Inference):
        return [case]
    profile = case.profile
    return [
        case,
        replace(case, profile=replace(profile, has_half_loss=True)),
        replace(case, profile=replace(profile, has_step_copy=False)),
        replace(case, work=replace(case.work, loss=Loss.CHUNKED)),
        replace(case, work=replace(case.work, attention=Attention.EAGER)),
    ]


def predict_hidden(case: Case, constants: Constants = FITTED, spread: Spread = SPREAD) -> Prediction:
    """The expected case with an interval over the variants."""
    first, *others = (predict(one, constants, spread) for one in variants(case))
    return Prediction(
        first.gib,
        min(first.low_gib, *(other.low_gib for other in others)) if others else first.low_gib,
        max(first.high_gib, *(other.high_gib for other in others)) if others else first.high_gib,
        max(first.process_high_gib, *(other.process_high_gib for other in others))
        if others
        else first.process_high_gib,
    )
