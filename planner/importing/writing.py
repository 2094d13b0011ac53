"""Drafts as catalog files, a file a seller: what the reading room reads, and what a person may correct."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from planner.importing.drafting import slug
from planner.values.imports import Draft, Imported

SCHEMA = "planner.catalog/1"
MOST_WRITTEN_OUT = 500  # offers in the file itself
SHARED = ("currency", "kind", "observed", "valid_until")


class _Dumper(yaml.SafeDumper):
    """Text stays text: a number or a date that was written as one is quoted."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def catalog_files(found: Imported) -> dict[str, str]:
    """File name to its text, sorted by seller."""
    sellers = sorted({draft.seller for draft in found.drafts})
    by_seller: dict[str, list[Draft]] = {seller: [] for seller in sellers}
    for draft in found.drafts:
        by_seller[draft.seller].append(draft)
    return {name: text for seller, mine in by_seller.items() for name, text in _files(seller, mine, found.source)}


def _files(seller: str, mine: list[Draft], source: str) -> Iterator[tuple[str, str]]:
    terms = {name: value for name in SHARED if (value := _same(mine, name)) is not None}
    document: dict[str, Any] = {"schema": SCHEMA, "seller": seller, "terms": terms}
    name = slug(seller)
    if len(mine) > MOST_WRITTEN_OUT:
        document["offers_csv"] = f"{name}.csv"
        yield f"{name}.csv", _csv(mine, terms)
    else:
        document["offers"] = [{key: v for key, v in draft.fields.items() if key not in terms} for draft in mine]
    head = f"# Imported from {source}; each offer's source names its cell.\n".replace("\n#", " ")
    yield f"{name}.yaml", head + yaml.dump(document, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120)


def _csv(drafts: list[Draft], terms: Mapping[str, Any]) -> str:
    """Offers as a table beside the seller's file: many thousands of rows are read a hundred times faster so."""
    rows = [dict(_flat("", {key: v for key, v in one.fields.items() if key not in terms})) for one in drafts]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, str]]:
    """prices.hour, fees.1.name: the names that a table has for what a file nests."""
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield from _flat(f"{prefix}.{key}" if prefix else str(key), inside)
    elif isinstance(value, (list, tuple)):
        for number, inside in enumerate(value, start=1):
            yield from _flat(f"{prefix}.{number}", inside)
    else:
        yield prefix, ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _same(drafts: list[Draft], name: str) -> Any:
    """What all offers say alike; None where they differ."""
    values = [draft.fields.get(name) for draft in drafts]
    return values[0] if values and all(value == values[0] for value in values) else None


def mapping_text(columns: Mapping[str, str]) -> str:
    """Which title means what, to be used again next month with --mapping."""
    return yaml.dump({"columns": dict(columns)}, allow_unicode=True, sort_keys=False)
