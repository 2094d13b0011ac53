"""What an offer costs per GPU-hour and per node, whichever way its seller prices it."""

from dataclasses import dataclass
from decimal import Decimal

from planner.reporting.figures import round_price
from planner.values.catalog import Catalog, Offer
from planner.values.quantities import HOURS_PER_DAY, MINUTES_PER_HOUR

Range = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class Priced:
    """An offer, whose prices are given as low and high: the same twice where there is one price."""

    offer: Offer
    terms: tuple[str, ...] = ("hour", "day", "month")

    @property
    def month_hours(self) -> float:
        return self.offer.month_minutes / MINUTES_PER_HOUR

    @property
    def month_is_assumed(self) -> bool:
        return self.offer.billing.month is None

    def per_node(self, term: str) -> Range | None:
        """For one whole node and one term; None where the term is not sold."""
        unit = self._unit(term)
        return None if unit is None else (unit[0] * self.offer.priced_units, unit[1] * self.offer.priced_units)

    def per_gpu_hour(self, term: str) -> Range | None:
        """A day counts 24 hours, a month as many as the seller says, or the hours that are assumed."""
        node = self.per_node(term)
        if node is None:
            return None
        minutes = {"hour": MINUTES_PER_HOUR, "day": HOURS_PER_DAY * MINUTES_PER_HOUR}
        hours = Decimal(minutes.get(term, self.offer.month_minutes)) / MINUTES_PER_HOUR
        units = self.offer.gpus_per_node * hours
        return round_price(node[0] / units), round_price(node[1] / units)

    def _unit(self, term: str) -> Range | None:
        rate = getattr(self.offer.prices, term)
        if rate is None:
            return None
        return (rate.charged if rate.low is None else rate.low, rate.charged)


def priced_offers(catalog: Catalog) -> tuple[Priced, ...]:
    return tuple(Priced(offer) for offer in catalog.offers)
