"""What the answer rests on: words still to be written, things to know, assumptions, storage, prices."""

from collections.abc import Iterator
from typing import Any

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.reasons import conditions_said
from planner.reporting.wording import counted, listed, sentence, words
from planner.reporting.wording.grounds import ASSUMPTIONS, UNKNOWN_WARNING, WARNINGS
from planner.reporting.wording.parts import PRICE_KINDS
from planner.values.report import Assumption, Held, LeaseReport, Notice, Report


def write_conditions(paper: Paper, report: Report) -> None:
    conditions = report.plans[0].conditions
    if conditions:
        paper.heading(sentence("title_confirm"))
        paper.items(conditions_said(conditions))


def write_warnings(paper: Paper, report: Report) -> None:
    said = [*_warnings(report.warnings), *(() if report.held is None else (_held(report.held, report.currency),))]
    if said:
        paper.heading(sentence("title_warnings"))
        paper.items(said)


def _held(held: Held, currency: str) -> str:
    """Cards that may be gone after a stop, and what keeping them costs."""
    offers = listed(tuple(f"{offer} ({counted(count, 'time')})" for offer, count in held.restarts.items()))
    if held.cost is None or held.delta_to_best is None:
        return sentence("restarts_only", offers=offers)
    cost, apart = figures.money(held.cost, currency), figures.money(held.delta_to_best, currency)
    return sentence("restarts", offers=offers, cost=cost, apart=apart)


def _warnings(warnings: tuple[Notice, ...]) -> Iterator[str]:
    """What is said of several offers or phases alike is said once."""
    subjects: dict[tuple[str, str], list[str]] = {}
    for warning in warnings:
        subjects.setdefault((warning.rule, warning.value), []).append(warning.subject)
    for (rule, value), names in subjects.items():
        pattern = WARNINGS.get(rule, UNKNOWN_WARNING)
        yield pattern.format(rule=words({}, rule), subject=listed(tuple(names)), value=value).strip()


def write_storage(paper: Paper, report: Report) -> None:
    if report.storage_gb:
        paper.heading(sentence("title_storage"))
        paper.items(sentence("storage", phase=name, size=figures.gb(gb)) for name, gb in report.storage_gb)


def write_assumptions(paper: Paper, report: Report) -> None:
    if report.assumptions:
        paper.heading(sentence("title_assumptions"))
        titles = ("title_field", "title_value", "title_why")
        paper.table([sentence(title) for title in titles], _assumptions(report.assumptions))


def _assumptions(assumptions: tuple[Assumption, ...]) -> Iterator[tuple[str, str, str]]:
    """Offers of one reason and value stand in one row."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for assumption in assumptions:
        name, field = _split(assumption.field)
        rows.setdefault((field, assumption.value, assumption.why), []).append(name)
    for (field, value, why), names in rows.items():
        owners = listed(tuple(name for name in names if name))
        yield f"{field} ({owners})" if owners else field, figures.plain(value), words(ASSUMPTIONS, why)


_OFFER_FIELDS = (
    "billing.month", "billing.increment", "billing.stopped", "lead_time", "stock", "commercial.tax",
    "bandwidth.traffic", "prices.changes",
)  # fmt: skip


def _split(field: str) -> tuple[str, str]:
    """The owner and the field: "phases.train.loss" is the loss of train. Only known fields end the id of an offer."""
    kind, _, rest = field.partition(".")
    if kind == "phases":
        name, _, rest = rest.partition(".")
        return name, rest
    if kind == "offers":
        for known in _OFFER_FIELDS:
            if rest.endswith(f".{known}"):
                return rest.removesuffix(f".{known}"), known
    return "", field


SHOWN_DIGITS = 12  # of the catalog's hash: enough to tell two catalogs apart


def write_prices(paper: Paper, report: Report) -> None:
    """Where the prices of the best plan are from, and which files were read."""
    leases = report.plans[0].leases if report.plans else ()
    names = listed(tuple(file.name for file in report.catalog.files))
    if not leases and not names:
        return
    paper.heading(sentence("title_prices"))
    offers: dict[tuple[str, str, str], list[str]] = {}
    for lease in leases:
        record = report.catalog.offers.get(lease.offer, {})
        source = str(record.get("source") or figures.UNKNOWN)
        offers.setdefault((_kind(lease, record), lease.observed, source), []).append(lease.offer)
    for (kind, observed, source), ids in offers.items():
        shown = listed(tuple(dict.fromkeys(ids)))
        paper.items([sentence("source", offers=shown, kind=kind, observed=observed, source=source)])
    if names:
        content = report.catalog.sha256[:SHOWN_DIGITS] or figures.UNKNOWN
        paper.say(sentence("catalog_files", files=names, sha256=content))
    overlay = report.catalog.overlay
    if overlay is not None:
        paper.say(sentence("overlay_file", name=overlay.name, sha256=overlay.sha256[:SHOWN_DIGITS]))


def _kind(lease: LeaseReport, record: dict[str, Any]) -> str:
    """A quote with its number and how long it holds."""
    parts = (words(PRICE_KINDS, lease.price_kind), str(record.get("quote_number") or ""))
    kind = " ".join(part for part in parts if part)
    return f"{kind}, {sentence('valid_until', day=lease.valid_until)}" if lease.valid_until is not None else kind
