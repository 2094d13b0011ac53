"""Where the cards must be kept, a machine is stopped only if its seller keeps them."""

from dataclasses import replace

from planner.values.catalog import Offer
from planner.values.requirements import Requirements
from planner.values.tariff import Tariff


def held(tariff: Tariff, asked: Requirements, offer: Offer) -> Tariff:
    """The tariff without stopping, where that would lose the cards and they must be kept."""
    stopped = offer.billing.stopped
    if asked.capacity_held is None or (stopped is not None and stopped.gpu_held):
        return tariff
    return replace(tariff, stopped_percent=None, stopped_flat_month=None)
