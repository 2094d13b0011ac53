"""What would make a training job smaller, in the order in which to try it; and claims to place beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from planner.estimating.memory.adapters import adapter_parameters
from planner.estimating.memory.estimate import training_memory
from planner.estimating.memory.job import GIB
from planner.values.estimate import MemoryEstimate
from planner.values.hardware import HardwareClass
from planner.values.layout import Checkpointing, Layout, Offload
from planner.values.workload import Loss, Method, Optimizer, Precision, Training

FOLK_BYTES = 16  # weights, gradients, fp32 master and two moments, in the folk rule
FOLK_FACTOR = 1.3
USUAL_RANK = 16

REGIMES: tuple[tuple[str, Precision, Optimizer], ...] = (
    ("fp32", Precision.FP32, Optimizer.ADAMW),
    ("mixed", Precision.MIXED, Optimizer.ADAMW),
    ("bf16", Precision.BF16, Optimizer.ADAMW),
    ("bf16_adafactor", Precision.BF16, Optimizer.ADAFACTOR),
    ("bf16_adamw_8bit", Precision.BF16, Optimizer.ADAMW_8BIT),
    ("bf16_adamw_8bit_in_backward", Precision.BF16, Optimizer.ADAMW_8BIT_IN_BACKWARD),
)


@dataclass(frozen=True, slots=True)
class Lever:
    """One change alone, with the job and layout that it gives. ``saves_gib`` is per card, of the expected peak.

    ``memory.host_gib`` is the main memory of a node that it then needs. What it costs in time, the speed of
    ``training`` on ``layout`` tells.
    """

    name: str
    training: Training
    layout: Layout
    memory: MemoryEstimate
    saves_gib: float


def _changes(training: Training, layout: Layout) -> Iterator[tuple[str, Training, Layout]]:
    """Every lever that is left to pull, in order. ZeRO may raise its stage only over several data ranks."""
    if training.method is Method.FULL:
        yield "adapters", replace(training, method=Method.LORA, lora_rank=USUAL_RANK), layout
    if layout.checkpointing is not Checkpointing.FULL:
        yield "checkpointing", training, replace(layout, checkpointing=Checkpointing.FULL)
    if training.loss is Loss.WHOLE:
        yield "chunked_loss", replace(training, loss=Loss.CHUNKED), layout
    if layout.micro_batch > 1:
        steps = layout.accumulation * layout.micro_batch
        yield "smaller_micro_batch", training, replace(layout, micro_batch=1, accumulation=steps)
    if layout.shards > 1:
        for stage in range(layout.zero + 1, 4):
            yield f"zero_{stage}", training, replace(layout, zero=stage)
    if training.method is not Method.QLORA:
        rank = training.lora_rank or USUAL_RANK
        yield "quantization", replace(training, method=Method.QLORA, lora_rank=rank), layout
    if layout.offload is Offload.NONE:
        yield "offload_optimizer", training, replace(layout, offload=Offload.OPTIMIZER)
        if layout.zero >= 3:
            yield "offload_all", training, replace(layout, offload=Offload.ALL)


def levers(training: Training, layout: Layout, hardware: HardwareClass) -> tuple[Lever, ...]:
    """Levers that save something, each pulled alone. More cards come last of all, and are not among them."""
    now_gib = training_memory(training, layout, hardware).peak_gib
    found = []
    for name, smaller, laid in _changes(training, layout):
        memory = training_memory(smaller, laid, hardware)
        if memory.peak_gib < now_gib:
            found.append(Lever(name, smaller, laid, memory, now_gib - memory.peak_gib))
    return tuple(found)


def regimes(
    training: Training, layout: Layout, hardware: HardwareClass
) -> tuple[tuple[str, Training, MemoryEstimate], ...]:
    """Full fine-tuning of the same model in every regime, so that a claim can be placed."""
    full = replace(training, method=Method.FULL, lora_rank=0)
    jobs = ((name, replace(full, precision=precision, optimizer=optimizer)) for name, precision, optimizer in REGIMES)
    return tuple((name, job, training_memory(job, layout, hardware)) for name, job in jobs)


def states_folk_gib(training: Training) -> float:
    """The folk check, to show beside the estimate and never to add: 16 bytes x parameters x 1.3, over all cards.

    Under adapters only the trained parameters have 16 bytes; the base has its two.
    """
    model = training.model
    if training.method is Method.FULL:
        return FOLK_BYTES * FOLK_FACTOR * model.parameters / GIB
    trained = adapter_parameters(model, training.lora_rank, training.lora_targets)
    return FOLK_FACTOR * (2 * model.parameters + FOLK_BYTES * trained) / GIB
