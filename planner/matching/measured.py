"""What was measured on the real stack stands above what is estimated."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from planner.estimating import Misfit, TrainingFit
from planner.values.hardware import Gpu, HardwareClass
from planner.values.scenario import Measurement, Scenario

BYTES_PER_GIB = 2**30
# Guesses until there are enough probes to fit them: how much slower than measured a long run still is at the
# confidence asked, on the same hardware; and the share of the estimate's own spread that is left on others.
MEASURED_SLOW_FACTOR = 1.05
SPREAD_LEFT = 0.5
# A guess: how far the peak of a long run may lie above that of a few hundred steps.
PEAK_MARGIN = 1.02


def with_card_names(scenario: Scenario, gpus: Mapping[str, Gpu]) -> Scenario:
    """The scenario with every measured card by its own name, whichever of its names was written."""
    measurements = tuple(
        one.model_copy(update={"gpu": gpus[one.gpu.casefold()].name}) if one.gpu.casefold() in gpus else one
        for one in scenario.measurements
    )
    return scenario.model_copy(update={"measurements": measurements})


def measurements_of(scenario: Scenario, phase: str) -> Iterator[Measurement]:
    return (one for one in scenario.measurements if one.phase == phase)


def means(one: Measurement, hardware: HardwareClass) -> bool:
    """Whether it was taken on this kind of card."""
    return one.gpu.casefold() == hardware.gpu.name.casefold()


def _is_here(one: Measurement, hardware: HardwareClass) -> bool:
    return one.gpus_per_node == hardware.gpus_per_node and one.nodes == hardware.nodes


def corrected(
    fit: TrainingFit,
    hardware: HardwareClass,
    found: list[Measurement],
    estimate: Callable[[HardwareClass], TrainingFit | Misfit],
) -> TrainingFit:
    """The fit with measured speed and peak where this very hardware was measured; else scaled by how far the
    estimate was off on the same card. ``found`` are measurements of this phase on this card, ``estimate`` is
    what the phase would take elsewhere. The fit itself where nothing was learnt.
    """
    here = [one for one in found if _is_here(one, hardware)]
    if here:
        return _replaced(fit, here[-1])
    factors = [factor for one in found if (factor := _off_by(hardware, one, estimate)) is not None]
    if not factors:
        return fit
    speed = fit.speed
    slow = 1 + (speed.slow_factor - 1) * SPREAD_LEFT
    factor = factors[-1]
    parts = tuple((name, seconds / factor) for name, seconds in speed.parts)
    return replace(
        fit,
        speed=replace(
            speed,
            tokens_per_second=speed.tokens_per_second * factor,
            parts=parts,
            slow_factor=slow,
            is_extrapolated=False,
            time_quantiles=(),
        ),
    )


def _replaced(fit: TrainingFit, one: Measurement) -> TrainingFit:
    scale = fit.speed.tokens_per_second / one.tokens_per_second
    speed = replace(
        fit.speed,
        tokens_per_second=one.tokens_per_second,
        parts=tuple((name, seconds * scale) for name, seconds in fit.speed.parts),
        slow_factor=MEASURED_SLOW_FACTOR,
        is_extrapolated=False,
        time_quantiles=(),
    )
    if one.peak_bytes is None:
        return replace(fit, speed=speed)
    peak_gib = one.peak_bytes / BYTES_PER_GIB
    high_gib = min(peak_gib * PEAK_MARGIN, max(peak_gib, fit.memory.capacity_gib))
    memory = replace(fit.memory, parts=(("measured", peak_gib),), low_gib=peak_gib, high_gib=high_gib)
    return replace(fit, speed=speed, memory=memory)


def _off_by(
    hardware: HardwareClass, one: Measurement, estimate: Callable[[HardwareClass], TrainingFit | Misfit]
) -> float | None:
    """Measured over estimated tokens a second where it was measured; None where the job does not fit there."""
    there = replace(
        hardware,
        gpus_per_node=one.gpus_per_node,
        nodes=one.nodes,
        inter_kind=hardware.inter_kind if one.nodes > 1 else None,
        inter_gbps=hardware.inter_gbps if one.nodes > 1 else None,
    )
    fit = estimate(there)
    return None if isinstance(fit, Misfit) else one.tokens_per_second / fit.speed.tokens_per_second
