"""What is doubtful in a catalog, what has changed since another, and what an offer cost over time."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from decimal import Decimal

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.visible import visible
from planner.reporting.wording import counted, sentence, words
from planner.reporting.wording.audits import DOUBTS
from planner.reporting.wording.parts import TERMS
from planner.values.audit import CatalogDiff, Doubt, PriceChange, Snapshot
from planner.values.catalog import Catalog

AUDIT_SCHEMA, DIFF_SCHEMA, HISTORY_SCHEMA = "planner.audit/1", "planner.catalog_diff/1", "planner.history/1"
MOST_ALIKE = 20


def doubt_said(doubt: Doubt) -> str:
    return words(DOUBTS, doubt.rule).format(found=visible(doubt.found), expected=visible(doubt.expected))


def audit_text(catalog: Catalog, doubts: Sequence[Doubt], day: date, width: int = 100) -> str:
    """How much was judged, then errors, then warnings; of many alike the first ones and their number."""
    paper = Paper(width)
    errors, warnings = ([doubt for doubt in doubts if doubt.is_error is kind] for kind in (True, False))
    paper.say(
        sentence(
            "audited",
            offers=counted(len(catalog.offers), "offer"),
            sellers=counted(len({offer.seller for offer in catalog.offers}), "seller"),
            day=day.isoformat(),
            errors=counted(len(errors), "error"),
            warnings=counted(len(warnings), "warning"),
        )
    )
    for title, found in (("title_audit_errors", errors), ("title_audit_warnings", warnings)):
        if found:
            paper.heading(sentence(title))
            paper.items(_told(found))
    return paper.text


def _told(doubts: Sequence[Doubt]) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for doubt in doubts:
        seen[doubt.rule] += 1
        if seen[doubt.rule] <= MOST_ALIKE:
            yield sentence("doubt", offer=visible(doubt.offer), said=doubt_said(doubt))
    for rule, count in seen.items():
        if count > MOST_ALIKE:
            said = words(DOUBTS, rule).format(found="...", expected="...")
            yield sentence("many_more_doubts", count=f"{count - MOST_ALIKE:,}", said=said)


def audit_document(catalog: Catalog, doubts: Sequence[Doubt], day: date) -> str:
    return _json(
        {
            "schema": AUDIT_SCHEMA,
            "day": day.isoformat(),
            "offers": len(catalog.offers),
            "sha256": catalog.sha256,
            "doubts": [{**asdict(doubt), "said": doubt_said(doubt)} for doubt in doubts],
        }
    )


def diff_text(found: CatalogDiff, width: int = 100) -> str:
    paper = Paper(width)
    paper.say(
        sentence(
            "diffed",
            changed=counted(len(found.changed), "price change"),
            new=len(found.new),
            gone=len(found.gone),
            other=len({offer for offer, _ in found.other}),
        )
    )
    if found.changed:
        paper.heading(sentence("title_price_changes"))
        heads = ("head_offer", "head_term", "head_old", "head_new", "head_more", "head_percent")
        paper.table([sentence(head) for head in heads], map(_row, found.changed), figures=(2, 3, 4, 5))
    for title, names in (("title_new_offers", found.new), ("title_gone_offers", found.gone)):
        if names:
            paper.heading(sentence(title))
            paper.items(visible(name) for name in names)
    if found.other:
        paper.heading(sentence("title_other_changes"))
        paper.items(sentence("field_changed", offer=visible(offer), field=field) for offer, field in found.other)
    return paper.text


def _row(change: PriceChange) -> tuple[str, ...]:
    more, percent = change.more, change.more_percent
    return (
        visible(change.offer),
        words(TERMS, change.term),
        _money(change.old, change.currency),
        _money(change.new, change.currency),
        "" if more is None else f"{more:+f}",
        "" if percent is None else f"{percent:+f}%",
    )


def _money(amount: Decimal | None, currency: str) -> str:
    return sentence("not_sold_then") if amount is None else figures.money(f"{amount:f}", currency)


def diff_document(found: CatalogDiff) -> str:
    changed = [{**asdict(one), "more": one.more, "more_percent": one.more_percent} for one in found.changed]
    return _json({"schema": DIFF_SCHEMA, **asdict(found), "changed": changed})


def history_text(offer: str, snapshots: Sequence[Snapshot], width: int = 100) -> str:
    paper = Paper(width)
    paper.say(sentence("history_of", offer=visible(offer), snapshots=counted(len(snapshots), "snapshot")))
    terms = tuple(dict.fromkeys(term for snapshot in snapshots for term, _ in snapshot.prices))
    heads = (sentence("head_snapshot"), sentence("head_observed"), *(words(TERMS, term) for term in terms))
    paper.table(heads, (_snapshot_row(one, terms) for one in snapshots), figures=tuple(range(2, 2 + len(terms))))
    return paper.text


def _snapshot_row(snapshot: Snapshot, terms: Sequence[str]) -> tuple[str, ...]:
    prices = dict(snapshot.prices)
    cells = (_money(prices[term], snapshot.currency) if term in prices else "" for term in terms)
    return (visible(snapshot.name), snapshot.observed or sentence("not_in_it"), *cells)


def history_document(offer: str, snapshots: Sequence[Snapshot]) -> str:
    return _json({"schema": HISTORY_SCHEMA, "offer": offer, "snapshots": [asdict(one) for one in snapshots]})


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n"
