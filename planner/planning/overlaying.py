"""The catalog as it is for the user: with what was agreed with its sellers."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from planner.values.catalog import Catalog, Offer, SellerQuota
from planner.values.overlay import Discount, OwnTerms
from planner.values.requirements import Place


def overlaid(catalog: Catalog, own: OwnTerms | None) -> Catalog:
    """The catalog with the user's own terms, where there are any."""
    if own is None:
        return catalog
    agreed: dict[str, Decimal] = {}
    for offer in catalog.offers:
        terms = own.overlay.sellers.get(offer.seller)
        off = [one.off_percent for one in terms.discounts if _is_for(one, offer, catalog)] if terms else []
        if off:
            agreed[offer.id] = Decimal(str(max(off)))
    return replace(catalog, agreed_percent=agreed, quotas=tuple(_quotas(catalog, own)), overlay=own.file)


def _quotas(catalog: Catalog, own: OwnTerms) -> Iterator[SellerQuota]:
    for seller, terms in own.overlay.sellers.items():
        offers = [offer for offer in catalog.offers if offer.seller == seller]
        for quota in terms.quotas:
            bound = (one.id for one in offers if _is_of(quota.gpus, one, catalog) and _may_stand(one, quota.place))
            yield SellerQuota(seller, frozenset(bound), quota.gpus_at_most)


def _is_for(discount: Discount, offer: Offer, catalog: Catalog) -> bool:
    return (not discount.offers or offer.id in discount.offers) and _is_of(discount.gpus, offer, catalog)


def _is_of(gpus: tuple[str, ...], offer: Offer, catalog: Catalog) -> bool:
    return not gpus or catalog.gpu_of(offer) in [catalog.gpus[name.casefold()] for name in gpus]


def _may_stand(offer: Offer, place: Place) -> bool:
    """What an offer does not say of its place may be as the quota says."""
    stands = dict(offer.place or Place())
    return all(None in (asked, stands[level]) or asked.casefold() == stands[level].casefold() for level, asked in place)
