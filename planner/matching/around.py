"""The hours around a phase's work on one offer: what the offer says of its network, disk and service, or the
scenario's assumptions where it does not say.
"""

import math
from dataclasses import replace

from planner.estimating.around import Risk, Trip, around_hours, transfer_hours
from planner.values.catalog import Offer
from planner.values.checkpoints import WEIGHT_BYTES, checkpoint_bytes
from planner.values.estimate import TimeEstimate
from planner.values.model import Model
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.requirements import Requirements
from planner.values.scenario import EvaluatePhase, Phase, Surroundings, TrainPhase


def bandwidth_gbps(offer: Offer, around: Surroundings) -> float:
    return offer.bandwidth.public_gbps or around.bandwidth_gbps


def _setup_hours(offer: Offer, around: Surroundings) -> float:
    minutes = around.bare_metal_setup_minutes if offer.bare_metal else around.setup_minutes
    return minutes / MINUTES_PER_HOUR


def _risk(offer: Offer, nodes: int, around: Surroundings) -> Risk:
    between = min(around.node_hours_between_failures, around.spot_hours_between if offer.spot else float("inf"))
    sla = offer.commercial.sla
    stated = None if sla is None else sla.fault_response_minutes
    response_minutes = around.fault_response_minutes if stated is None else stated
    return Risk(nodes, between, response_minutes / MINUTES_PER_HOUR)


def restart_minutes(phase: Phase, model: Model, offer: Offer, around: Surroundings) -> int:
    """Setting a machine up again that was given back: image, weights in, and a training's checkpoint out and in."""
    moved_bytes = WEIGHT_BYTES * model.parameters
    if isinstance(phase, TrainPhase):
        moved_bytes = 2 * checkpoint_bytes(phase, model)
    hours = _setup_hours(offer, around) + transfer_hours(moved_bytes, bandwidth_gbps(offer, around))
    return math.ceil(round(hours * MINUTES_PER_HOUR, 6))


def _read_bytes(phase: TrainPhase, dataset_bytes: int | None, around: Surroundings) -> float:
    """The dataset in every epoch; where its size is not told, so much for each token."""
    if dataset_bytes is not None:
        return dataset_bytes * (phase.work.epochs or 1)
    return around.read_bytes_per_token * (phase.work.total_tokens or 0)


def with_around(
    time: TimeEstimate, phase: Phase, model: Model, offer: Offer, nodes: int, asked: Requirements, around: Surroundings
) -> TimeEstimate:
    """The estimate with the hours around the work. Fixed hours and serving are as the customer wants them.

    A phase brings its own weights and data also where it shares a lease with another.
    """
    if isinstance(phase, TrainPhase) and phase.work.run_minutes is None:
        dataset_bytes = asked.storage.dataset_bytes if asked.storage is not None else None
        weights_bytes = WEIGHT_BYTES * model.parameters
        trip = Trip(
            in_bytes=weights_bytes + (dataset_bytes or 0),
            out_bytes=weights_bytes,
            checkpoint_bytes=checkpoint_bytes(phase, model),
            bandwidth_gbps=bandwidth_gbps(offer, around),
            disk_gb_per_s=offer.storage.read_gb_per_s or around.disk_gb_per_s,
            read_bytes=_read_bytes(phase, dataset_bytes, around),
        )
        extra = around_hours(time.expected_hours, _setup_hours(offer, around), trip, _risk(offer, nodes, around))
        safe = around_hours(time.safe_hours, _setup_hours(offer, around), trip, _risk(offer, nodes, around))
        return _longer(time, extra, sum(hours for _, hours in safe))
    if isinstance(phase, EvaluatePhase) and phase.work.run_minutes is None:
        download = transfer_hours(WEIGHT_BYTES * model.parameters, bandwidth_gbps(offer, around))
        extra = (("setup", _setup_hours(offer, around)), ("download", download))
        return _longer(time, extra, sum(hours for _, hours in extra))
    return time


def _longer(time: TimeEstimate, extra: tuple[tuple[str, float], ...], safe_extra_hours: float) -> TimeEstimate:
    parts = tuple((name, hours) for name, hours in extra if hours > 0)
    return replace(
        time,
        expected_hours=time.expected_hours + sum(hours for _, hours in extra),
        safe_hours=time.safe_hours + safe_extra_hours,
        parts=(*time.parts, *parts),
    )
