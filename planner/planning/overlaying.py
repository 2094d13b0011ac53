"""The catalog as it is for the user: with what was agreed with its sellers."""

from dataclasses import replace
from decimal import Decimal

from planner.values.catalog import Catalog, Offer
from planner.values.overlay import Discount, OwnTerms


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
    return replace(catalog, agreed_percent=agreed, overlay=own.file)


def _is_for(discount: Discount, offer: Offer, catalog: Catalog) -> bool:
    cards = [catalog.gpus[name.casefold()] for name in discount.gpus]
    return (not discount.offers or offer.id in discount.offers) and (not cards or catalog.gpu_of(offer) in cards)
