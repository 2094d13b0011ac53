"""An overlay file: the user's own terms, held against the catalog that they are laid over."""

from collections.abc import Iterator
from pathlib import Path

from planner.reading.composing import read_tree
from planner.reading.kinds import Kind, kind_of
from planner.reading.nearest import nearest
from planner.reading.scenario_checks import gpu_fault
from planner.reading.source import read_source
from planner.reading.tree import Node
from planner.reading.validating import unknown_word, validated
from planner.values.catalog import Catalog, Offer
from planner.values.faults import Fault, Faulty
from planner.values.overlay import Overlay, OwnTerms


def read_overlay(path: Path, catalog: Catalog) -> OwnTerms:
    """The overlay with its file; `Faulty` with every fault."""
    root = read_tree(read_source(path))
    kind_of(root, (Kind.OVERLAY,))
    overlay, faults = overlay_of(root, catalog)
    if overlay is None or faults:
        raise Faulty(tuple(faults))
    return OwnTerms(overlay, root.source.record)


def overlay_of(root: Node, catalog: Catalog) -> tuple[Overlay | None, list[Fault]]:
    """The overlay, or None and every fault; sellers, offers and cards must be the catalog's."""
    overlay, faults = validated(Overlay, root)
    return overlay, sorted({*faults, *_unknown_names(root, catalog)})


def _unknown_names(root: Node, catalog: Catalog) -> Iterator[Fault]:
    by_seller: dict[str, list[Offer]] = {}
    for offer in catalog.offers:
        by_seller.setdefault(offer.seller, []).append(offer)
    sellers = root.fields.get("sellers")
    for name, terms in sellers.fields.items() if sellers else ():
        if name not in by_seller:
            yield terms.fault("unknown_seller", name, suggestion=nearest(name, by_seller), at_key=True)
            continue
        for agreed in (*_listed(terms, "discounts"), *_listed(terms, "quotas")):
            yield from _unknown_offers(_listed(agreed, "offers"), [offer.id for offer in by_seller[name]])
            for gpu in _listed(agreed, "gpus"):
                yield from gpu_fault(gpu, catalog.gpus)
                yield from _not_offered(gpu, by_seller[name], catalog)


def _listed(owner: Node, field: str) -> tuple[Node, ...]:
    node = owner.fields.get(field)
    return node.items if node else ()


def _unknown_offers(nodes: tuple[Node, ...], offers: list[str]) -> Iterator[Fault]:
    for node in nodes:
        if node.text and node.text not in offers:
            yield unknown_word(node, "unknown_offer_of_seller", offers)


def _not_offered(node: Node, offers: list[Offer], catalog: Catalog) -> Iterator[Fault]:
    """A card that is known, and that the seller does not have: what is agreed on it would be agreed on nothing."""
    card = catalog.gpus.get((node.text or "").casefold())
    offered = {catalog.gpu_of(offer).name for offer in offers}
    if card is not None and card.name not in offered:
        yield unknown_word(node, "unknown_gpu_of_seller", sorted(offered))
