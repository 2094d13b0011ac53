"""What a phase's work takes on a class of hardware: layout, memory and hours, or why it cannot be done."""

import math
from dataclasses import dataclass, replace

from planner.estimating import InferenceFit, Latency, Misfit, Room, TrainingFit, fit_inference, fit_training
from planner.estimating.speed import training_speed
from planner.estimating.speed.spread import factor_at
from planner.matching.measured import corrected, means, measurements_of
from planner.values.estimate import InferenceSpeed, MemoryEstimate, TimeEstimate, TrainingSpeed
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout
from planner.values.model import Model
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.requirements import Allowed
from planner.values.scenario import EvaluatePhase, Load, Phase, Scenario, ServePhase, TrainPhase
from planner.values.workload import Inference, Method, Training

SECONDS_PER_HOUR = 3600
# A guess until an engine is named: one replica is planned with as many requests at a time as fit.
FIRST_CONCURRENCY = 1


@dataclass(frozen=True, slots=True)
class Needs:
    """The running needs of a phase on one class of hardware.

    ``scaling_percent``: speed over several nodes as a share of the same cards in one. ``is_measured``: a
    measurement of the customer's replaced or corrected the estimate. ``replicas_by_hour``: of a load that is
    not the same in all hours of the day, those that each hour needs.
    """

    layout: Layout
    memory: MemoryEstimate
    time: TimeEstimate
    is_tight: bool
    scaling_percent: float | None = None
    is_measured: bool = False
    replicas_by_hour: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rule that the hardware breaks, with the values: ``memory``, ``batch``, ``latency`` or ``load``.

    ``levers`` are the changes to the work that would make it fit, each alone.
    """

    rule: str
    needs: str
    has: str
    levers: tuple[str, ...] = ()


def room_of(scenario: Scenario) -> Room:
    return Room(scenario.memory_margin_percent, scenario.accept_tight)


def training_of(phase: TrainPhase, model: Model) -> Training:
    is_full = phase.method is Method.FULL
    return Training(
        model=model,
        method=phase.method,
        sequence_tokens=phase.sequence_tokens,
        batch_sequences=phase.batch_sequences,
        precision=phase.precision,
        optimizer=phase.optimizer,
        lora_rank=0 if is_full else phase.lora_rank,
        lora_targets=phase.lora_targets,
        attention=phase.attention,
        loss=phase.loss,
        framework=phase.framework,
    )


def inference_of(phase: EvaluatePhase | ServePhase, model: Model) -> Inference:
    if isinstance(phase, EvaluatePhase):
        return Inference(model, phase.prompt_tokens, phase.output_tokens, FIRST_CONCURRENCY, phase.dtype)
    output = phase.load.request_output_tokens
    return Inference(model, phase.load.context_tokens - output, output, FIRST_CONCURRENCY, phase.dtype)


def needs_of(phase: Phase, model: Model, hardware: HardwareClass, scenario: Scenario) -> Needs | Refusal:
    """What the phase takes on this hardware, or the rule that the hardware breaks."""
    if isinstance(phase, TrainPhase):
        return _train(phase, model, hardware, scenario)
    latency = Latency()
    if isinstance(phase, ServePhase):
        latency = Latency(phase.load.tokens_per_second_each, phase.load.first_token_seconds)
    fit = fit_inference(inference_of(phase, model), hardware, room_of(scenario), latency)
    if isinstance(fit, Misfit):
        return _misfit(fit, hardware, room_of(scenario))
    slow = slow_factor(fit.speed, scenario)
    time = _evaluate(phase, fit, slow) if isinstance(phase, EvaluatePhase) else _serve(phase, fit, slow)
    if isinstance(time, Refusal):
        return time
    is_tight = room_of(scenario).is_tight(fit.memory)
    by_hour = replicas_by_hour(phase.load, fit, slow) if isinstance(phase, ServePhase) else ()
    return Needs(fit.layout, fit.memory, time, is_tight, replicas_by_hour=by_hour)


def slow_factor(speed: TrainingSpeed | InferenceSpeed, scenario: Scenario) -> float:
    """How much longer than expected it may take, at the scenario's confidence."""
    if not speed.time_quantiles:
        return speed.slow_factor
    return max(1.0, factor_at(speed.time_quantiles, scenario.confidence_percent / 100))


def _misfit(misfit: Misfit, hardware: HardwareClass, room: Room) -> Refusal:
    """Needs and has are those that were held against each other: what must stay free is not there."""
    if misfit.memory is None:
        return Refusal("batch", f">= {hardware.gpu_count} sequences a step", "fewer")
    if misfit.is_slow:
        return Refusal("latency", "as asked for each request", "slower")
    needs_gib = misfit.memory.peak_gib if room.accepts_tight else misfit.memory.high_gib
    has_gib = misfit.memory.capacity_gib * (1 - room.margin_percent / 100)
    return Refusal("memory", f"{needs_gib:.1f} GiB a card", f"{has_gib:.1f} GiB a card", misfit.levers)


def _train(phase: TrainPhase, model: Model, hardware: HardwareClass, scenario: Scenario) -> Needs | Refusal:
    checkpointing = None if phase.checkpointing == "auto" else phase.checkpointing
    training, room = training_of(phase, model), room_of(scenario)

    def estimate(there: HardwareClass) -> TrainingFit | Misfit:
        return fit_training(training, there, room, checkpointing, may_offload=phase.offload is Allowed.ALLOWED)

    estimated = fit = estimate(hardware)
    if isinstance(fit, Misfit):
        return _misfit(fit, hardware, room)
    scaling_percent = scaling(training, fit, hardware)
    found = [one for one in measurements_of(scenario, phase.name) if means(one, hardware)]
    if found:
        fit = corrected(fit, hardware, found, estimate)
        if not room.holds(fit.memory):
            return _misfit(Misfit(fit.memory, fit.layout), hardware, room)
    time = _train_time(phase, fit, slow_factor(fit.speed, scenario))
    return Needs(fit.layout, fit.memory, time, room.is_tight(fit.memory), scaling_percent, fit is not estimated)


def _train_time(phase: TrainPhase, fit: TrainingFit, slow: float) -> TimeEstimate:
    speed, tokens = fit.speed.tokens_per_second, phase.work.total_tokens
    if tokens is None:
        hours = (phase.work.run_minutes or 0) / MINUTES_PER_HOUR
        return TimeEstimate(speed, hours, hours, (("fixed", hours),), fit.speed.is_extrapolated)
    hours = tokens / speed / SECONDS_PER_HOUR
    parts = tuple((name, hours * seconds / fit.speed.step_seconds) for name, seconds in fit.speed.parts)
    return TimeEstimate(speed, hours, hours * slow, parts, fit.speed.is_extrapolated)


def scaling(training: Training, fit: TrainingFit, hardware: HardwareClass) -> float | None:
    """Speed over several nodes as a share of what as many cards would reach inside one node; None on one node."""
    if hardware.nodes == 1:
        return None
    together = replace(hardware, gpus_per_node=hardware.gpu_count, nodes=1, inter_kind=None, inter_gbps=None)
    inside = training_speed(training, fit.layout, together).tokens_per_second
    return 100 * fit.speed.tokens_per_second / inside


def _evaluate(phase: EvaluatePhase, fit: InferenceFit, slow: float) -> TimeEstimate:
    """Requests run as many at a time as fit; the output rate of a replica already counts reading the prompts."""
    output_per_second = fit.speed.output_tokens_per_second * fit.replicas
    request_tokens = phase.prompt_tokens + phase.output_tokens
    tokens_per_second = output_per_second / phase.output_tokens * request_tokens
    models = 2 if phase.compares_base else 1
    if phase.work.tokens is None:
        hours = models * (phase.work.run_minutes or 0) / MINUTES_PER_HOUR
        return TimeEstimate(tokens_per_second, hours, hours, (("fixed", hours),), fit.speed.is_extrapolated)
    hours = models * phase.work.tokens / tokens_per_second / SECONDS_PER_HOUR
    return TimeEstimate(tokens_per_second, hours, hours * slow, (("inference", hours),), fit.speed.is_extrapolated)


def replicas_by_hour(load: Load, fit: InferenceFit, slow: float) -> tuple[int, ...]:
    """How many replicas each hour of the day needs at the safe speed; empty where every hour is alike."""
    if load.by_hour_percent is None:
        return ()
    safe_per_second = fit.speed.output_tokens_per_second / slow
    return tuple(math.ceil(needed / safe_per_second) for needed in load.by_hour_tokens_per_second)


def _serve(phase: ServePhase, fit: InferenceFit, slow: float) -> TimeEstimate | Refusal:
    """The load must be carried at the safe speed; the hours are those that the customer wants."""
    safe_per_second = fit.speed.output_tokens_per_second * fit.replicas / slow
    if safe_per_second < phase.load.tokens_per_second:
        return Refusal("load", f">= {phase.load.tokens_per_second:.10g} tokens/s", f"{safe_per_second:.1f} tokens/s")
    per_day = phase.minutes_per_day / MINUTES_PER_HOUR
    hours = math.ceil(phase.period_minutes / MINUTES_PER_DAY) * per_day
    hours = hours if phase.minutes_per_day < MINUTES_PER_DAY else phase.period_minutes / MINUTES_PER_HOUR
    return TimeEstimate(safe_per_second, hours, hours, (("serving", hours),), fit.speed.is_extrapolated)
