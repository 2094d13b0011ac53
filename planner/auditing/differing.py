"""What has changed between two catalogs, and what an offer cost in each of several."""

from collections.abc import Iterator, Mapping

from planner.values.audit import CatalogDiff, PriceChange, Snapshot
from planner.values.catalog import Catalog, Offer

IGNORED = {"prices", "observed", "source", "note", "evidence"}


def diff(old: Catalog, new: Catalog) -> CatalogDiff:
    """Prices by offer and term; offers that came and went; other fields that differ."""
    before, after = ({offer.id: offer for offer in catalog.offers} for catalog in (old, new))
    both = [name for name in before if name in after]
    return CatalogDiff(
        changed=tuple(change for name in both for change in _changes(before[name], after[name])),
        new=tuple(sorted(after.keys() - before.keys())),
        gone=tuple(sorted(before.keys() - after.keys())),
        other=tuple((name, field) for name in both for field in _fields(before[name], after[name])),
    )


def _changes(old: Offer, new: Offer) -> Iterator[PriceChange]:
    """In another currency or unit a price is gone, and another one is new."""
    are_comparable = old.currency == new.currency and old.prices.per == new.prices.per
    before, after = ({term: rate.charged for term, rate in one.prices.rates.items()} for one in (old, new))
    for term in dict.fromkeys((*before, *after)):
        was, now = before.get(term), after.get(term)
        if not are_comparable:
            yield PriceChange(new.id, new.seller, term, was, None, old.currency)
            yield PriceChange(new.id, new.seller, term, None, now, new.currency)
        elif was != now:
            yield PriceChange(new.id, new.seller, term, was, now, new.currency)


def _fields(old: Offer, new: Offer) -> Iterator[str]:
    for name, info in Offer.model_fields.items():
        if name not in IGNORED and getattr(old, name) != getattr(new, name):
            yield info.alias or name


def history(offer: str, catalogs: Mapping[str, Catalog]) -> tuple[Snapshot, ...]:
    """The offer's prices in each catalog, in the order given."""
    found = []
    for name, catalog in catalogs.items():
        one = next((one for one in catalog.offers if one.id == offer), None)
        if one is None:
            found.append(Snapshot(name, (), "", ""))
            continue
        prices = tuple((term, rate.charged) for term, rate in one.prices.rates.items())
        found.append(Snapshot(name, prices, one.currency, one.observed.isoformat()))
    return tuple(found)
