"""The gate before planning: what in a catalog cannot be right, and what a buyer should ask about."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from statistics import median

from planner.values.audit import Doubt
from planner.values.catalog import Catalog, Offer, PriceKind
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.requirements import LinkKind

OLD_DAYS = 90  # a guess: prices older than this are worth asking for again
# A guess: outside of these shares of the median of its card a price is a mistake or another thing.
BAND_PERCENT = (40, 250)
# A median of fewer prices, or of fewer sellers, says nothing.
LEAST_PRICES, LEAST_SELLERS = 5, 3
# Sister offers of one card and seller differ so little per card, unless one of them is priced in another unit.
ALIKE = Decimal("0.1")
NODE_SIZES = (2, 4, 8)
CERTAIN_SIZE = 4  # twice as dear per card may be a better machine; four times is another unit


def doubts_of(catalog: Catalog, day: date, old_days: int = OLD_DAYS) -> tuple[Doubt, ...]:
    """Everything doubtful, by offer. ``day``: prices and quotes are judged against it."""
    hourly = {offer.id: price for offer in catalog.offers if (price := per_gpu_hour(offer)) is not None}
    found = [doubt for offer in catalog.offers for doubt in _of_offer(offer, catalog, day, old_days)]
    found += _twice(catalog)
    found += _of_sisters(catalog, hourly)
    found += _out_of_band(catalog, hourly)
    return tuple(sorted(set(found)))


def per_gpu_hour(offer: Offer) -> Decimal | None:
    """The hour's price of a card, or the month's, by the hour, where no hour is sold; None where neither is."""
    rate, hours = offer.prices.hour, Decimal(1)
    if rate is None:
        rate, hours = offer.prices.month, Decimal(offer.month_minutes) / MINUTES_PER_HOUR
    return None if rate is None else rate.charged * offer.priced_units / offer.gpus_per_node / hours


def _of_offer(offer: Offer, catalog: Catalog, day: date, old_days: int) -> Iterator[Doubt]:
    gpu = catalog.gpu_of(offer)
    link = offer.intra_link
    if link is not None and link.kind is LinkKind.NVLINK and gpu.link_kind != LinkKind.NVLINK.value:
        yield Doubt(offer.id, "no_such_link", link.kind.value, gpu.name, is_error=True)
    if offer.valid_until is not None and offer.valid_until < day:
        yield Doubt(offer.id, "quote_expired", offer.valid_until.isoformat(), day.isoformat(), is_error=False)
    age_days = (day - offer.observed).days
    if age_days > old_days:
        yield Doubt(offer.id, "price_old", str(age_days), str(old_days), is_error=False)


def _twice(catalog: Catalog) -> Iterator[Doubt]:
    """Offers that differ in nothing but their id, source and note."""
    first: dict[object, str] = {}
    for offer in catalog.offers:
        key = (
            offer.seller, offer.gpu, offer.gpus_per_node, offer.spot, offer.place, offer.prices, offer.currency,
            offer.billing, offer.commercial, offer.storage, offer.inter_link, offer.kind, offer.available_from,
        )  # fmt: skip
        text = repr(key)
        if first.setdefault(text, offer.id) != offer.id:
            yield Doubt(offer.id, "offer_twice", first[text], "", is_error=False)


def _of_sisters(catalog: Catalog, hourly: Mapping[str, Decimal]) -> Iterator[Doubt]:
    """Offers of one seller and card: node against card prices, and interruptible against on-demand ones."""
    groups: dict[tuple[object, ...], list[Offer]] = defaultdict(list)
    for offer in catalog.offers:
        if offer.id in hourly:
            groups[offer.seller, offer.gpu, str(offer.place), offer.currency].append(offer)
    for sisters in groups.values():
        yield from _per_mismatch([offer for offer in sisters if not offer.spot], hourly)
        on_demand: dict[int, Decimal] = {}
        for offer in sisters:
            if not offer.spot and offer.prices.hour:  # machines of one card may differ in cores: the dearest counts
                dearest = on_demand.get(offer.gpus_per_node, Decimal(0))
                on_demand[offer.gpus_per_node] = max(dearest, hourly[offer.id])
        for offer in sisters:
            usual = on_demand.get(offer.gpus_per_node)
            if offer.spot and offer.prices.hour and usual is not None and hourly[offer.id] > usual:
                yield Doubt(offer.id, "spot_above_on_demand", _shown(hourly[offer.id]), _shown(usual), is_error=True)


def _per_mismatch(sisters: list[Offer], hourly: Mapping[str, Decimal]) -> Iterator[Doubt]:
    """A price per card that is 2, 4 or 8 times its sisters', or such a part of it, as the cards of its node are."""
    if len(sisters) < 2:
        return
    for offer in sisters:
        others = [hourly[other.id] for other in sisters if other.gpus_per_node != offer.gpus_per_node]
        if not others or offer.gpus_per_node not in NODE_SIZES:
            continue
        ratio = hourly[offer.id] / median(others)
        for times in (Decimal(offer.gpus_per_node), 1 / Decimal(offer.gpus_per_node)):
            if abs(ratio / times - 1) <= ALIKE:
                found, usual = _shown(hourly[offer.id]), _shown(median(others))
                yield Doubt(offer.id, "unit_mismatch", found, usual, is_error=offer.gpus_per_node >= CERTAIN_SIZE)


def _out_of_band(catalog: Catalog, hourly: Mapping[str, Decimal]) -> Iterator[Doubt]:
    """27% of the median: refurbished, shared, or a typo?"""
    prices: dict[tuple[str, str, bool], list[tuple[str, Decimal]]] = defaultdict(list)
    for offer in catalog.offers:
        if offer.id in hourly and offer.kind is not PriceKind.MARKET_RANGE:
            prices[offer.gpu.casefold(), offer.currency, offer.spot].append((offer.seller, hourly[offer.id]))
    medians = {
        key: median([price for _, price in found])
        for key, found in prices.items()
        if len(found) >= LEAST_PRICES and len({seller for seller, _ in found}) >= LEAST_SELLERS
    }
    for offer in catalog.offers:
        usual = medians.get((offer.gpu.casefold(), offer.currency, offer.spot))
        if usual is None or offer.id not in hourly:
            continue
        percent = 100 * hourly[offer.id] / usual
        if not BAND_PERCENT[0] <= percent <= BAND_PERCENT[1]:
            yield Doubt(offer.id, "price_out_of_band", f"{percent:.0f} %", _shown(usual), is_error=False)


def _shown(price: Decimal) -> str:
    return f"{price:.4f}".rstrip("0").rstrip(".")
