"""What the estimate says about one published row: the counter that the row reports, with its interval."""

from dataclasses import dataclass, replace

from memory_cells import number, text
from memory_regimes import QUANTIZED_BYTES, documented
from memory_rows import Case

from planner.estimating.memory.estimate import OUTSIDE_PARTS, inference_with, interval_gib, worst_moment
from planner.estimating.memory.fitted import FITTED, SPREAD, Constants
from planner.estimating.memory.inference import prompt_logits_bytes
from planner.estimating.memory.job import GIB, Job
from planner.estimating.memory.profiles import loss_variants
from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.workload import Attention, Inference, Loss

STEADY_PARTS = ("weights", "kv_cache")
CHUNKS_KEPT_BYTES = 4.0  # some chunked losses keep every chunk's 16-bit logits and their gradients
Spread = dict[str, tuple[float, float]]


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


def sees_freed_blocks(case: Case) -> bool:
    """The row's counter also shows what the allocator keeps of freed tensors."""
    return not text(case.row, "metric", "unknown").startswith(("allocated", "active", "steady", "fit", "oom"))


def seen_parts(case: Case, parts: dict[str, float]) -> dict[str, float]:
    """What the row's counter sees: live tensors, what the allocator reserves, or the whole process."""
    metric = text(case.row, "metric", "unknown")
    if metric.startswith("steady"):
        return {name: gib for name, gib in parts.items() if name in STEADY_PARTS}
    hidden: tuple[str, ...] = ()
    if metric.startswith(("allocated", "active")):
        hidden = OUTSIDE_PARTS
    elif metric.startswith("reserved"):
        hidden = ("context",)
    return {name: gib for name, gib in parts.items() if name not in hidden}


def prompt_logits_gib(case: Case) -> float:
    """What the interval leaves for older generation code, where the engine is not known."""
    if not isinstance(case.work, Inference) or text(case.row, "metric").startswith("steady"):
        return 0.0
    return prompt_logits_bytes(case.work, case.layout) / GIB


def interval_on_card(parts: dict[str, float], spread: tuple[float, float], card_gib: float) -> tuple[float, float]:
    """Ends for what a counter shows: above the need come freed blocks, as far as the card has room for them.

    So the upper end is within the card exactly if the need's upper end is. ``card_gib`` 0: not known.
    """
    low, need = interval_gib(parts, spread)
    shown = need + spread[1] * parts.get("fragmentation", 0.0)
    return low, min(shown, max(need, card_gib)) if card_gib > 0 else shown


def predict(case: Case, constants: Constants = FITTED, spread: Spread = SPREAD) -> Prediction:
    """One row as its columns say."""
    parts = parts_of(case, constants)
    seen, more = seen_parts(case, parts), prompt_logits_gib(case)
    card_gib = number(case.row, "gpu_GiB")
    low_gib, high_gib = interval_on_card(seen, spread[case.kind], card_gib)
    _, process_high_gib = interval_on_card(parts, spread[case.kind], card_gib)
    return Prediction(sum(seen.values()), low_gib, high_gib + more, process_high_gib + more)


def _over(cases: list[Case], constants: Constants, spread: Spread) -> Prediction:
    """The first case's value, with an interval over all of them."""
    all_of_them = [predict(case, constants, spread) for case in cases]
    return Prediction(
        all_of_them[0].gib,
        min(one.low_gib for one in all_of_them),
        max(one.high_gib for one in all_of_them),
        max(one.process_high_gib for one in all_of_them),
    )


def loss_cases(case: Case) -> list[Case]:
    """A source that no table documents may write its whole loss in several ways; a named loss is named."""
    if isinstance(case.work, Inference) or documented(case.row) or text(case.row, "loss") == "fused":
        return [case]
    if case.work.loss is not Loss.WHOLE:
        return [case, replace(case, profile=replace(case.profile, chunk_logit_bytes=CHUNKS_KEPT_BYTES))]
    return [replace(case, profile=profile) for profile in loss_variants(case.profile)]


def predict_row(case: Case, constants: Constants = FITTED, spread: Spread = SPREAD) -> Prediction:
    return _over(loss_cases(case), constants, spread)


def predict_hidden(case: Case, constants: Constants = FITTED, spread: Spread = SPREAD) -> Prediction:
    """The framework is hidden: other losses, eager attention, no step copy are possible, alone or together."""
    if isinstance(case.work, Inference):
        return predict(case, constants, spread)
    lean = replace(case, profile=replace(case.profile, has_step_copy=False))
    others = [
        *(replace(case, profile=profile) for profile in loss_variants(case.profile)),
        *(replace(one, work=replace(one.work, loss=Loss.CHUNKED)) for one in (case, lean)),
        lean,
        replace(case, work=replace(case.work, attention=Attention.EAGER)),
    ]
    return _over(others, constants, spread)
