"""Nodes that no other is as good as for a mix: of thousands of offers a few are left before any bill is reckoned."""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from decimal import Decimal

from planner.values.matches import Candidate
from planner.values.tariff import Tariff


def undominated(alike: Iterable[Candidate], enough: int, nodes_at_most: int) -> frozenset[str]:
    """Of nodes that carry as much, the offers without those beside which another never costs more.

    Of the other ``enough`` nodes can be rented; it is billed by the same rules, is there as early, and no price of it
    is higher: so no bill is. Of two with the same prices the first stays.
    """
    groups: dict[Hashable, list[tuple[tuple[Decimal, ...], Candidate]]] = {}
    for candidate in alike:
        prices = _prices(candidate.tariff)
        group = groups.setdefault(_rules(candidate), [])
        if any(
            _nodes_at_most(other, nodes_at_most) >= enough and _no_higher(theirs, prices) for theirs, other in group
        ):
            continue
        if _nodes_at_most(candidate, nodes_at_most) >= enough:
            group[:] = [one for one in group if not _no_higher(prices, one[0])]
        group.append((prices, candidate))
    return frozenset(candidate.offer.id for group in groups.values() for _, candidate in group)


def _nodes_at_most(candidate: Candidate, nodes_at_most: int) -> int:
    stock = candidate.offer.stock_nodes
    return nodes_at_most if stock is None else min(stock, nodes_at_most)


def _no_higher(these: tuple[Decimal, ...], those: tuple[Decimal, ...]) -> bool:
    return all(mine <= other for mine, other in zip(these, those, strict=True))


def _rules(candidate: Candidate) -> Hashable:
    """All that a bill rests on beside prices that are plainly so much a term, and when the node can be there."""
    offer, tariff = candidate.offer, candidate.tariff
    parts = tuple(
        (
            part.name,
            part.unit,
            part.units,
            part.hour is None,
            tuple(term.name if term.is_plain else term for term in part.terms),
        )
        for part in tariff.parts
    )
    setting_up = (candidate.earliest_minutes, offer.bare_metal, offer.bandwidth.public_gbps)
    counts = (offer.allowed_nodes, offer.billing.volume_discounts)
    return replace(tariff, parts=()), parts, setting_up, counts, candidate.extras


def _prices(tariff: Tariff) -> tuple[Decimal, ...]:
    hours = [part.hour for part in tariff.parts if part.hour is not None]
    return (*hours, *(term.price for part in tariff.parts for term in part.terms if term.is_plain))
