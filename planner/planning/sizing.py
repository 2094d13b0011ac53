"""What a model takes on each kind of card: the answer of `planner size`."""

from collections.abc import Collection, Iterator

from planner.estimating import Misfit, Room, fit_training
from planner.estimating.memory import levers, regimes, states_folk_gib, training_memory
from planner.estimating.speed import training_speed
from planner.values.catalog import Catalog
from planner.values.estimate import MemoryEstimate
from planner.values.hardware import Gpu, HardwareClass
from planner.values.layout import Checkpointing, Layout
from planner.values.sizing import LeverRow, Pulled, Regime, SizeRequests, SizeRow, Sizing, Verdict
from planner.values.workload import Method, Training

GPU_COUNTS = (1, 2, 4, 8)
BYTES_PER_GIB = 2**30
BYTES_PER_GB = 10**9
# A guess: the micro-batch that people begin with, before they pull a lever.
PLAIN_MICRO_BATCH = 4


def size(
    training: Training,
    catalog: Catalog,
    gpus: Collection[str] = (),
    checkpointing: Checkpointing | None = None,
) -> Sizing:
    """Every card of the offers in the catalog, or the cards named, at 1, 2, 4 and 8 in a node."""
    cards = _cards(catalog, gpus)
    rows = tuple(_row(training, _hardware(gpu, count), checkpointing) for gpu in cards for count in GPU_COUNTS)
    undivided = training_memory(training, Layout(checkpointing=Checkpointing.FULL), _hardware(cards[-1], 1))
    return Sizing(
        model=training.model,
        method=training.method.value,
        sequence_tokens=training.sequence_tokens,
        batch_sequences=training.batch_sequences,
        states_gib=_states_gib(undivided),
        folk_gib=states_folk_gib(training),
        rows=rows,
        regimes=tuple(_regimes(training, cards[-1])) if training.method is Method.FULL else (),
        pulled=_pulled(training, rows, {gpu.name: gpu for gpu in cards}),
    )


def size_each(requests: SizeRequests) -> tuple[SizeRow, ...]:
    """One verdict for each row of a table."""
    return tuple(
        _row(request.training(model), _hardware(gpu, request.gpus), request.checkpointing)
        for _, request, model, gpu in requests.rows
    )


def _cards(catalog: Catalog, names: Collection[str]) -> list[Gpu]:
    """By name; the smallest card first, so that the first that fits is the least."""
    chosen = {catalog.gpus[name.casefold()] for name in names} or {catalog.gpu_of(o) for o in catalog.offers}
    return sorted(chosen or set(catalog.gpus.values()), key=lambda gpu: (gpu.usable_mib, gpu.name))


def _hardware(gpu: Gpu, count: int) -> HardwareClass:
    has_link = gpu.link_kind not in {None, "none"} and gpu.link_is_switched
    return HardwareClass(gpu, count, 1, gpu.link_kind if has_link else None, gpu.link_gb_per_s if has_link else None)


def _row(training: Training, hardware: HardwareClass, checkpointing: Checkpointing | None) -> SizeRow:
    name, count = hardware.gpu.name, hardware.gpu_count
    fit = fit_training(training, hardware, Room(), checkpointing)
    if not isinstance(fit, Misfit):
        return SizeRow(name, count, Verdict.FITS, fit.layout, fit.memory)
    tight = fit_training(training, hardware, Room(accepts_tight=True), checkpointing)
    if not isinstance(tight, Misfit):
        return SizeRow(name, count, Verdict.TIGHT, tight.layout, tight.memory)
    return SizeRow(name, count, Verdict.DOES_NOT_FIT, fit.layout, fit.memory)


def _states_gib(memory: MemoryEstimate) -> float:
    return sum(memory.part_gib(part) for part in ("weights", "gradients", "optimizer"))


def _regimes(training: Training, gpu: Gpu) -> Iterator[Regime]:
    """Undivided on one card, one sequence at a time, checkpointed: so that a seller's claim can be placed."""
    layout = Layout(checkpointing=Checkpointing.FULL, accumulation=training.batch_sequences)
    for name, _, memory in regimes(training, layout, _hardware(gpu, 1)):
        states_bytes = _states_gib(memory) * BYTES_PER_GIB
        bytes_per_parameter = round(states_bytes / training.model.parameters, 1)
        yield Regime(name, bytes_per_parameter, states_bytes / BYTES_PER_GB, memory)


def _pulled(training: Training, rows: tuple[SizeRow, ...], cards: dict[str, Gpu]) -> Pulled | None:
    """From the plainest layout on the fewest cards that hold the job somehow, or on the most that were tried."""
    laid = [row for row in rows if row.memory is not None]
    if not laid:
        return None
    row = next((row for row in laid if row.verdict is Verdict.FITS), laid[-1])
    hardware = _hardware(cards[row.gpu], row.gpu_count)
    micro_batch = max(1, min(PLAIN_MICRO_BATCH, training.batch_sequences // row.gpu_count))
    accumulation = -(-training.batch_sequences // (row.gpu_count * micro_batch))
    layout = Layout(data=row.gpu_count, micro_batch=micro_batch, accumulation=accumulation)
    seconds = training_speed(training, layout, hardware).step_seconds
    pulled = tuple(
        LeverRow(
            lever.name,
            lever.saves_gib,
            lever.memory.peak_gib,
            100 * (training_speed(lever.training, lever.layout, hardware).step_seconds / seconds - 1),
            lever.memory.host_gib,
        )
        for lever in levers(training, layout, hardware)
    )
    return Pulled(row.gpu, row.gpu_count, layout, training_memory(training, layout, hardware).peak_gib, pulled)
