"""Says what a workload takes on a class of hardware: memory, speed, layout. Knows no price."""

from planner.estimating.layouts import (
    InferenceFit,
    Latency,
    Misfit,
    Room,
    TrainingFit,
    fit_inference,
    fit_training,
)

__all__ = ["InferenceFit", "Latency", "Misfit", "Room", "TrainingFit", "fit_inference", "fit_training"]
