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
    "one_gpu_training": (0.89, 1.14),
    "several_gpus_training": (0.89, 1.17),
    "inference": (0.94, 1.06),
    "one_gpu_training_shown": (0.83, 1.21),
    "several_gpus_training_shown": (0.83, 1.21),
    "inference_shown": (0.91, 1.1),
}
"""Truth over estimate: the interval's two ends, by class.

Plain classes are about what a job needs. ``_shown`` is what a counter of reserved or process memory displays:
the allocator keeps freed blocks as long as the card has room, and gives them back when it has not.
"""
