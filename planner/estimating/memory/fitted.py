"""The few numbers that no formula gives, fitted on published measurements.

``benchmarks/memory_accuracy.py FILE.csv ... --refit`` prints them anew; ``docs/memory.md`` says on how many rows
each rests and with what error.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Constants:
    """Fragmentation is a share of what moves (neither weights, gradients nor optimizer), on one card and among
    several.

    ``_bytes`` are per logit, or per element of an input.
    """

    fragmentation_share: float = 0.06
    exchange_fragmentation_share: float = 0.15
    deepspeed_logit_bytes: float = 16.0
    half_logit_bytes: float = 8.0
    quantized_input_bytes: float = 3.0


FITTED = Constants()

SPREAD: dict[str, tuple[float, float]] = {
    "one_gpu_training": (0.82, 1.22),
    "several_gpus_training": (0.82, 1.22),
    "inference": (0.9, 1.11),
}
"""Truth over estimate for what moves in a step: the interval's two ends, by class."""

STATIC_SHARE = 0.7
"""A guess: weights, gradients and optimizer states, whose widths are known, are off by this share of the
logarithm of what moves."""
