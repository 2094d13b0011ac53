"""What a phase costs beside machine hours: storage that outlives the node, and what it moves over the network."""

from collections.abc import Iterator

from planner.pricing import storage_charges, traffic_charges
from planner.values.catalog import Offer
from planner.values.checkpoints import WEIGHT_BYTES
from planner.values.lease import Charge, span_minutes
from planner.values.model import Model
from planner.values.requirements import Requirements
from planner.values.scenario import Phase, ServePhase, TrainPhase
from planner.values.tariff import Tariff


def extra_charges(
    phase: Phase, model: Model, asked: Requirements, offer: Offer, tariff: Tariff, safe_minutes: int
) -> Iterator[Charge]:
    """Only what is asked for and priced; the report says where a price is not known."""
    span = span_minutes(safe_minutes, phase.minutes_per_day)
    size_bytes = asked.storage.checkpoints_bytes if asked.storage is not None else None
    price = offer.storage.persistent_price
    if size_bytes and price is not None:
        run = span if tariff.stopped_percent is None else min(span, safe_minutes)
        yield from storage_charges(price, size_bytes, run, span - run, tariff.month_minutes, offer.currency)
    traffic = offer.bandwidth.traffic
    if traffic is not None:
        received, sent = moved_bytes(phase, model, asked)
        yield from traffic_charges(traffic, sent, received, offer.currency)


def moved_bytes(phase: Phase, model: Model, asked: Requirements) -> tuple[int, int]:
    """Bytes that a phase brings in and takes out: weights and data in, a trained model's weights out.

    A phase of fixed hours says nothing of what it moves.
    """
    if not isinstance(phase, ServePhase) and phase.work.run_minutes is not None:
        return 0, 0
    weights = round(WEIGHT_BYTES * model.parameters)
    data = asked.storage.dataset_bytes if asked.storage is not None else None
    is_training = isinstance(phase, TrainPhase)
    return weights + ((data or 0) if is_training else 0), weights if is_training else 0
