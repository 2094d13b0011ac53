"""What a reader should know about the best plan's offers and phases."""

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from planner.explaining.moving import unpriced_moves
from planner.explaining.plans import candidates_of
from planner.values.audit import Doubt
from planner.values.catalog import Offer, PriceKind
from planner.values.frame import Frame
from planner.values.matches import Candidate
from planner.values.plans import BilledPlan, ChosenLease
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.report import Notice
from planner.values.requirements import Invoice

# A guess: prices older than this should be asked for again before signing.
OLD_PRICE_DAYS = 30
# Below this a disk keeps cards waiting for data, as those who rent them warn.
STARVING_GB_PER_S = 1.0
BITS_PER_BYTE = 8
DOUBTS_TOLD = ("offer_twice", "price_out_of_band", "quote_expired", "unit_mismatch")
# Below this share, articles and practice agree, the network is to be looked at before more nodes are rented.
LOW_SCALING_PERCENT = 70.0


def _of_offer(offer: Offer, frame: Frame) -> Iterator[Notice]:
    age_days = (frame.order_by - offer.observed).days
    if age_days > OLD_PRICE_DAYS:
        yield Notice("price_age_days", offer.id, str(age_days))
    if age_days < 0:
        yield Notice("price_from_future", offer.id, offer.observed.isoformat())
    if offer.kind is PriceKind.MARKET_RANGE:
        yield Notice("not_orderable", offer.id, offer.kind.value)
    if offer.quote_number is not None and offer.quote_number.upper().startswith("EXAMPLE"):
        yield Notice("example_offer", offer.id, offer.quote_number)
    read = offer.storage.read_gb_per_s
    if read is not None and read < STARVING_GB_PER_S:
        yield Notice("slow_disk", offer.id, f"{read:g} GB/s")
    if offer.lead_time_minutes is None:
        yield Notice("lead_time_unknown", offer.id, "")
    yield from _of_contract(offer)
    if offer.billing.renewal_factor_at_most is not None:
        yield Notice("renewal_may_rise", offer.id, format(offer.billing.renewal_factor_at_most, "f"))


def _of_contract(offer: Offer) -> Iterator[Notice]:
    """What a buyer settles beside the price."""
    commercial = offer.commercial
    if commercial.deposit:
        yield Notice("deposit", offer.id, f"{commercial.deposit:f} {offer.currency}")
    if commercial.balance:
        yield Notice("balance", offer.id, f"{commercial.balance:f} {offer.currency}")
    is_overseas = Invoice.OVERSEAS in (commercial.invoices or ())
    if is_overseas and (commercial.tax is None or commercial.tax.withholding_percent is None):
        yield Notice("withholding_unknown", offer.id, "")


def _of_lease(lease: ChosenLease) -> Iterator[Notice]:
    """A stop that outlasts what the seller keeps: the data must be out before."""
    stopped = lease.candidate.offer.billing.stopped
    if stopped is None or stopped.retention_minutes is None or lease.tariff.stopped_percent is None:
        return
    waits = (second.start_minutes - first.end_minutes for first, second in pairwise(lease.assignments))
    longest = max(waits, default=0)
    if longest > stopped.retention_minutes:
        yield Notice("retention", lease.candidate.offer.id, f"{stopped.retention_minutes / MINUTES_PER_DAY:g}")


def _of_candidate(candidate: Candidate) -> Iterator[Notice]:
    if candidate.time.is_extrapolated:
        yield Notice("extrapolated", candidate.phase, candidate.offer.gpu)
    if candidate.scaling_percent is not None and candidate.scaling_percent < LOW_SCALING_PERCENT:
        yield Notice("low_scaling", candidate.phase, f"{candidate.scaling_percent:.0f} %")
    if candidate.nodes > 1 and (network := candidate.offer.inter_link) is not None:
        rate_gb_per_s = network.port_gbps * network.ports_per_node / BITS_PER_BYTE
        yield Notice("network_test", candidate.offer.id, f"{rate_gb_per_s:g} GB/s")
    if candidate.is_measured:
        yield Notice("measured", candidate.phase, f"{candidate.time.tokens_per_second:.0f} tokens/s")
    if candidate.is_tight:
        yield Notice("tight_memory", candidate.phase, candidate.offer.id)


def _doubted(offers: Collection[str], doubts: Iterable[Doubt]) -> Iterator[Notice]:
    """What the audit of the catalog says of these offers. How old a price is, is told in any case."""
    for doubt in doubts:
        if doubt.offer in offers and doubt.rule in DOUBTS_TOLD:
            yield Notice(doubt.rule, doubt.offer, doubt.found)


def notices(plan: BilledPlan, frame: Frame, doubts: Iterable[Doubt] = ()) -> tuple[Notice, ...]:
    """By offer in the order of the leases, then by phase."""
    offers = {lease.candidate.offer.id: lease.candidate.offer for lease in plan.chosen.leases}
    doubted = list(_doubted(offers, doubts))
    found = [notice for offer in offers.values() for notice in _of_offer(offer, frame)]
    found += doubted
    found += [notice for lease in plan.chosen.leases for notice in _of_lease(lease)]
    found += [notice for candidate in candidates_of(plan) for notice in _of_candidate(candidate)]
    found += unpriced_moves(plan)
    return tuple(dict.fromkeys(found))
