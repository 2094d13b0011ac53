"""For one class of hardware, the fastest layout that fits: layout changes no price, so it is settled here.

What `auto` may choose: checkpointing, ZeRO stage, micro-batch; for inference the cards per replica and the
requests at a time. It never changes precision or optimizer, and offloads only where that is allowed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from planner.estimating.memory import inference_memory, levers, training_memory
from planner.estimating.speed import inference_speed, training_speed
from planner.values.estimate import InferenceSpeed, MemoryEstimate, TrainingSpeed
from planner.values.hardware import HardwareClass
from planner.values.layout import Checkpointing, Layout, Offload
from planner.values.workload import Dtype, Inference, Training

MICRO_BATCHES = (1, 2, 4, 8, 16, 32)
# Phases and offers ask the same again and again.
CACHED = 4096
CONCURRENCIES = (256, 128, 64, 32, 16, 8, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class Room:
    """How much of a card's usable memory may be planned with.

    ``margin_percent`` stays free. ``accepts_tight``: the expected peak must fit, its interval's upper end
    need not.
    """

    margin_percent: float = 0.0
    accepts_tight: bool = False

    def holds(self, memory: MemoryEstimate) -> bool:
        peak_gib = memory.peak_gib if self.accepts_tight else memory.high_gib
        return peak_gib <= memory.capacity_gib * (1 - self.margin_percent / 100)

    def is_tight(self, memory: MemoryEstimate) -> bool:
        """Whether only the expected peak fits."""
        return memory.high_gib > memory.capacity_gib * (1 - self.margin_percent / 100)


@dataclass(frozen=True, slots=True)
class Latency:
    """What each request must get: output tokens a second, and seconds to the first token. None: not asked."""

    tokens_per_second: float | None = None
    first_token_seconds: float | None = None

    def is_met(self, inference: Inference, speed: InferenceSpeed) -> bool:
        each = speed.output_tokens_per_second / inference.concurrency
        first_seconds = inference.prompt_tokens / speed.prompt_tokens_per_second
        return each >= (self.tokens_per_second or 0.0) and first_seconds <= (self.first_token_seconds or float("inf"))


@dataclass(frozen=True, slots=True)
class TrainingFit:
    layout: Layout
    memory: MemoryEstimate
    speed: TrainingSpeed


@dataclass(frozen=True, slots=True)
class InferenceFit:
    """One replica's layout and speed, and how many replicas the hardware holds."""

    layout: Layout
    memory: MemoryEstimate
    speed: InferenceSpeed
    inference: Inference
    replicas: int


@dataclass(frozen=True, slots=True)
class Misfit:
    """Nothing that may be tried fits; ``memory`` is that of the leanest layout, None where none can be laid.

    ``levers`` are the changes that would make it fit, each alone, in the order in which to try them.
    ``is_slow``: it fits, but no number of requests at a time gives each what it must get.
    """

    memory: MemoryEstimate | None
    layout: Layout | None
    levers: tuple[str, ...] = ()
    is_slow: bool = False


def _tries_of(
    training: Training, hardware: HardwareClass, checkpointing: Checkpointing | None, offload: Offload
) -> Iterator[Iterator[Layout]]:
    """Layouts in families; within a family, from the leanest to the most hungry (and fastest)."""
    data = hardware.gpu_count
    stages = (0, 1, 2, 3) if data > 1 or offload is not Offload.NONE else (0,)
    ways = (Checkpointing.NONE, Checkpointing.FULL) if checkpointing is None else (checkpointing,)
    for stage in stages if offload is Offload.NONE else stages[-1:]:
        for way in ways:
            yield (
                Layout(
                    zero=stage,
                    data=data,
                    micro_batch=micro_batch,
                    accumulation=-(-training.batch_sequences // (data * micro_batch)),
                    checkpointing=way,
                    offload=offload,
                )
                for micro_batch in MICRO_BATCHES
                if data * micro_batch <= training.batch_sequences or micro_batch == 1
            )


@lru_cache(maxsize=CACHED)
def fit_training(
    training: Training,
    hardware: HardwareClass,
    room: Room,
    checkpointing: Checkpointing | None = None,
    *,
    may_offload: bool = False,
) -> TrainingFit | Misfit:
    """The fastest layout of pure data parallelism with ZeRO that fits; ``checkpointing`` None: either way.

    More cards than sequences in a batch cannot all work, so such hardware is a misfit without memory.
    """
    if hardware.gpu_count > training.batch_sequences:
        return Misfit(None, None)
    leanest: tuple[MemoryEstimate, Layout] | None = None
    for offload in _offloads(hardware, may_offload=may_offload):
        fits = []
        for family in _tries_of(training, hardware, checkpointing, offload):
            tried = _last_that_fits(training, hardware, room, family)
            if tried is None:
                continue
            memory, layout, is_fit = tried
            if leanest is None or memory.peak_gib < leanest[0].peak_gib:
                leanest = (memory, layout)
            if is_fit:
                fits.append(TrainingFit(layout, memory, training_speed(training, layout, hardware)))
        if fits:
            return max(fits, key=lambda fit: fit.speed.tokens_per_second)
    if leanest is None:
        return Misfit(None, None)
    pulled = levers(training, leanest[1], hardware)
    return Misfit(*leanest, tuple(lever.name for lever in pulled if room.holds(lever.memory)))


def _offloads(hardware: HardwareClass, *, may_offload: bool) -> tuple[Offload, ...]:
    """What may be offloaded, least first: nothing where that is not allowed or the main memory is not known."""
    if may_offload and hardware.host_ram_gib is not None:
        return (Offload.NONE, Offload.OPTIMIZER, Offload.ALL)
    return (Offload.NONE,)


def _last_that_fits(
    training: Training, hardware: HardwareClass, room: Room, family: Iterator[Layout]
) -> tuple[MemoryEstimate, Layout, bool] | None:
    """The largest micro-batch that fits, else the leanest layout of the family: memory grows along it."""
    last = None
    for layout in family:
        memory = training_memory(training, layout, hardware)
        is_fit = room.holds(memory) and memory.host_gib <= (hardware.host_ram_gib or 0.0)
        if not is_fit:
            return last or (memory, layout, False)
        last = (memory, layout, True)
    return last


@lru_cache(maxsize=CACHED)
def fit_inference(
    inference: Inference, hardware: HardwareClass, room: Room, latency: Latency = Latency()
) -> InferenceFit | Misfit:
    """The replica that writes most per card, with as many requests at a time as fit and get what they must.

    Replicas do not span nodes.
    """
    fits = []
    leanest: tuple[MemoryEstimate, Layout] | None = None
    is_slow = False
    for layout in _inference_layouts(inference, hardware):
        for concurrency in CONCURRENCIES:
            served = replace(inference, concurrency=concurrency)
            memory = inference_memory(served, layout, hardware)
            if leanest is None or memory.peak_gib < leanest[0].peak_gib:
                leanest = (memory, layout)
            if not room.holds(memory):
                continue
            speed = inference_speed(served, layout, hardware)
            if latency.is_met(served, speed):
                replicas = hardware.gpus_per_node // layout.tensor * hardware.nodes
                fits.append(InferenceFit(layout, memory, speed, served, replicas))
                break
            is_slow = True
    if fits:
        return max(fits, key=lambda fit: fit.speed.output_tokens_per_second * fit.replicas)
    if leanest is None:
        return Misfit(None, None)
    return Misfit(*leanest, () if is_slow else _quantized(inference, leanest[1], hardware, room), is_slow)


def _inference_layouts(inference: Inference, hardware: HardwareClass) -> Iterator[Layout]:
    """Tensor parallelism over 1, 2, 4, ... cards of a node, as far as the heads divide."""
    tensor = 1
    while tensor <= hardware.gpus_per_node:
        if inference.model.heads % tensor == 0:
            yield Layout(tensor=tensor)
        tensor *= 2


def _quantized(inference: Inference, layout: Layout, hardware: HardwareClass, room: Room) -> tuple[str, ...]:
    """Whether smaller weights would make it fit."""
    small = (replace(inference, concurrency=1, dtype=dtype) for dtype in (Dtype.INT8, Dtype.INT4))
    return ("quantization",) if any(room.holds(inference_memory(one, layout, hardware)) for one in small) else ()
