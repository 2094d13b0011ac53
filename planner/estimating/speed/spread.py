"""How far measurements lie from the estimates of a class: quantiles of measured over expected time."""

from collections.abc import Mapping

from planner.estimating.speed.links import is_rdma
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout, Offload
from planner.values.workload import Inference, Method, Training

Quantiles = tuple[tuple[float, float], ...]

SMALL_PARAMETERS = 3e9
SHORT_TOKENS = 1000  # a micro-batch below this is decided by the host
LONG_TOKENS = 8192
EXTRAPOLATED_WIDENING = 1.5  # a guess: how much wider (in the logarithm) where nothing was measured


def training_class(training: Training, layout: Layout, hardware: HardwareClass) -> str:
    """The class whose measurements tell how sure a training estimate is; the first that holds."""
    tokens = layout.micro_batch * training.sequence_tokens
    if layout.offload is not Offload.NONE:
        return "offload"
    if training.model.is_moe:
        return "moe"
    if hardware.nodes > 1 and not is_rdma(hardware.inter_kind):
        return "tcp"
    if training.method is not Method.FULL:
        return f"{training.method}_short" if tokens < SHORT_TOKENS else str(training.method)
    if training.model.parameters < SMALL_PARAMETERS or tokens < SHORT_TOKENS:
        return "small"
    return "long" if training.sequence_tokens > LONG_TOKENS else "core"


def serving_class(inference: Inference) -> str:
    if inference.model.is_moe:
        return "moe"
    return "batch_1" if inference.concurrency == 1 else "saturated"


def factor_at(quantiles: Quantiles, probability: float) -> float:
    """Measured over expected time at a probability, by linear interpolation between the quantiles."""
    below = quantiles[0]
    for above in quantiles:
        if above[0] >= probability:
            span = above[0] - below[0]
            share = (probability - below[0]) / span if span > 0 else 0.0
            return below[1] + share * (above[1] - below[1])
        below = above
    return quantiles[-1][1]


def class_quantiles(table: Mapping[str, Quantiles], name: str) -> Quantiles:
    """The quantiles of a class; of all rows where the class has too few of its own."""
    return table.get(name, table["all"])


def widened(quantiles: Quantiles) -> Quantiles:
    """Quantiles for what nobody measured."""
    return tuple((probability, factor**EXTRAPOLATED_WIDENING) for probability, factor in quantiles)
