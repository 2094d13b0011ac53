"""How fast a workload runs: tokens a second, where the time goes, how sure that is."""

from planner.estimating.speed import serving, training
from planner.estimating.speed.fitted import CONSTANTS, MEASURED_SERVING, MEASURED_TRAINING
from planner.estimating.speed.spread import (
    Quantiles,
    class_quantiles,
    factor_at,
    serving_class,
    training_class,
    widened,
)
from planner.estimating.speed.spreads import SERVING, TRAINING
from planner.values.estimate import InferenceSpeed, TrainingSpeed
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout
from planner.values.workload import Inference, Training

__all__ = ["factor_at", "inference_speed", "training_speed"]

SAFE = 0.9  # the confidence of ``slow_factor``


def training_speed(job: Training, layout: Layout, hardware: HardwareClass) -> TrainingSpeed:
    """Tokens a second over all cards of ``layout``, and the seconds of a step by part."""
    parts = training.step_parts(job, layout, hardware, CONSTANTS)
    extrapolated = training.is_extrapolated(hardware, MEASURED_TRAINING)
    found = class_quantiles(TRAINING, training_class(job, layout, hardware))
    quantiles = widened(found) if extrapolated else found
    tokens_per_second = training.step_tokens(job) / sum(seconds for _, seconds in parts)
    return TrainingSpeed(tokens_per_second, parts, _slow(quantiles), extrapolated, quantiles)


def inference_speed(inference: Inference, layout: Layout, hardware: HardwareClass) -> InferenceSpeed:
    """Prompt and output tokens a second of one replica of ``layout.tensor * layout.pipeline`` cards."""
    reading, writing = serving.serving_rates(inference, layout, hardware, CONSTANTS)
    extrapolated = serving.is_extrapolated(hardware, MEASURED_SERVING)
    found = class_quantiles(SERVING, serving_class(inference))
    quantiles = widened(found) if extrapolated else found
    return InferenceSpeed(reading, writing, _slow(quantiles), extrapolated, quantiles)


def _slow(quantiles: Quantiles) -> float:
    return max(1.0, factor_at(quantiles, SAFE))
