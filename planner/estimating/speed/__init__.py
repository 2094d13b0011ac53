"""How fast a workload runs: tokens a second, where the time goes, how sure that is."""

from planner.estimating.speed import serving, training
from planner.estimating.speed.fitted import CONSTANTS, MEASURED_SERVING, MEASURED_TRAINING
from planner.estimating.speed.spread import class_quantiles, factor_at
from planner.estimating.speed.spreads import SERVING, TRAINING
from planner.values.estimate import InferenceSpeed, TrainingSpeed
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout
from planner.values.workload import Inference, Training

SAFE = 0.9  # the confidence of ``slow_factor``


def training_speed(training_job: Training, layout: Layout, hardware: HardwareClass) -> TrainingSpeed:
    """Tokens a second over all cards of ``layout``, and the seconds of a step by part."""
    parts = training.step_parts(training_job, layout, hardware, CONSTANTS)
    seconds = sum(part for _, part in parts)
    extrapolated = training.is_extrapolated(hardware, MEASURED_TRAINING)
    quantiles = class_quantiles(TRAINING, "all", extrapolated)
    tokens = training.step_tokens(training_job)
    slow = max(1.0, factor_at(quantiles, SAFE))
    return TrainingSpeed(tokens / seconds, parts, slow, extrapolated, quantiles)


def inference_speed(inference: Inference, layout: Layout, hardware: HardwareClass) -> InferenceSpeed:
    """Prompt and output tokens a second of one replica of ``layout.tensor * layout.pipeline`` cards."""
    reading, writing = serving.serving_rates(inference, layout, hardware, CONSTANTS)
    extrapolated = serving.is_extrapolated(hardware, MEASURED_SERVING)
    quantiles = class_quantiles(SERVING, "all", extrapolated)
    return InferenceSpeed(reading, writing, max(1.0, factor_at(quantiles, SAFE)), extrapolated, quantiles)
