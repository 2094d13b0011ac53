"""What a model takes on each kind of card: the answer of `planner size`."""

from collections.abc import Collection, Iterator

from planner.estimating import Misfit, Room, fit_training
from planner.values.catalog import Catalog
from planner.values.hardware import Gpu, HardwareClass
from planner.values.layout import Checkpointing
from planner.values.sizing import SizeRow, Sizing, Verdict
from planner.values.workload import Training

GPU_COUNTS = (1, 2, 4, 8)
BYTES_PER_GIB = 2**30
# Weights, gradients and AdamW states in mixed precision, and what folk add for everything else.
STATE_BYTES = 16
FOLK_FACTOR = 1.3


def size(
    training: Training,
    catalog: Catalog,
    gpus: Collection[str] = (),
    checkpointing: Checkpointing | None = None,
) -> Sizing:
    """Every card of the offers in the catalog, or the cards named, at 1, 2, 4 and 8 in a node."""
    states_gib = STATE_BYTES * training.model.parameters / BYTES_PER_GIB
    return Sizing(
        model=training.model,
        method=training.method.value,
        sequence_tokens=training.sequence_tokens,
        batch_sequences=training.batch_sequences,
        states_gib=states_gib,
        folk_gib=states_gib * FOLK_FACTOR,
        rows=tuple(_row(training, gpu, count, checkpointing) for gpu in _cards(catalog, gpus) for count in GPU_COUNTS),
    )


def _cards(catalog: Catalog, names: Collection[str]) -> Iterator[Gpu]:
    """By name; the smallest card first, so that the first that fits is the least."""
    chosen = {catalog.gpus[name.casefold()] for name in names} or {catalog.gpu_of(o) for o in catalog.offers}
    return iter(sorted(chosen, key=lambda gpu: (gpu.usable_mib, gpu.name)))


def _row(training: Training, gpu: Gpu, count: int, checkpointing: Checkpointing | None) -> SizeRow:
    link = None if gpu.link_kind == "none" or not gpu.link_is_switched else gpu.link_kind
    hardware = HardwareClass(gpu, count, 1, link, gpu.link_gb_per_s if link else None)
    fit = fit_training(training, hardware, Room(), checkpointing)
    if not isinstance(fit, Misfit):
        return SizeRow(gpu.name, count, Verdict.FITS, fit.layout, fit.memory)
    tight = fit_training(training, hardware, Room(accepts_tight=True), checkpointing)
    if not isinstance(tight, Misfit):
        return SizeRow(gpu.name, count, Verdict.TIGHT, tight.layout, tight.memory)
    return SizeRow(gpu.name, count, Verdict.DOES_NOT_FIT, fit.layout, fit.memory)
