"""What an import found, as text and as a document."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal

from planner.reporting.paper import Paper
from planner.reporting.visible import visible
from planner.reporting.wording import counted, sentence, words
from planner.reporting.wording.imports import IMPORT_FINDINGS, IMPORT_QUESTIONS
from planner.values.faults import Fault
from planner.values.imports import Finding, Imported

IMPORT_SCHEMA = "planner.import/1"
# Findings of one kind beyond so many are counted and not listed again and again.
MOST_ALIKE = 20
LONGEST = 80


def finding_said(finding: Finding) -> str:
    found = visible(finding.found)
    shown = found if len(found) <= LONGEST else f"{found[:LONGEST]}..."
    return words(IMPORT_FINDINGS, finding.rule).format(found=shown, expected=visible(finding.expected))


def questions_asked(found: Imported, file: str) -> tuple[Fault, ...]:
    """What must be said before anything is imported, as faults."""
    asked = (IMPORT_QUESTIONS[question] for question in found.questions)
    return tuple(Fault(file, 0, 0, "not_in_sheet", option, (what,)) for option, what in asked)


def problems_of(found: Imported) -> dict[int, str]:
    """What stops each unread row, in one line."""
    told: dict[int, list[str]] = {}
    for finding in found.findings:
        if finding.stops:
            told.setdefault(finding.row, []).append(finding_said(finding))
    return {row: "; ".join(said) for row, said in told.items()}


def import_text(found: Imported, files: Sequence[str], width: int = 100) -> str:
    """How many offers, every finding at its cell, and what was written."""
    paper = Paper(width)
    paper.say(
        sentence(
            "imported",
            source=visible(found.source),
            encoding=found.encoding,
            offers=counted(len(found.drafts), "offer"),
            unread=counted(len(found.unread), "row"),
            skipped=counted(found.skipped, "row"),
        )
    )
    if found.findings:
        paper.heading(sentence("title_import_findings"))
        paper.items(_findings(found.findings))
    if files:
        paper.heading(sentence("title_written"))
        paper.items(visible(name) for name in files)
    return paper.text


def _findings(findings: Sequence[Finding]) -> list[str]:
    seen: Counter[tuple[str, bool]] = Counter()
    said = []
    for finding in findings:
        kind = finding.rule, finding.stops
        seen[kind] += 1
        if seen[kind] > MOST_ALIKE:
            continue
        where = f"{finding.address or finding.row}: " if finding.row else ""
        said.append(f"{where}{finding_said(finding)}")
    more = {kind: count - MOST_ALIKE for kind, count in seen.items() if count > MOST_ALIKE}
    said += [
        sentence(
            "and_so_many_more",
            count=f"{count:,}",
            rule=words(IMPORT_FINDINGS, rule).format(found="...", expected="..."),
        )
        for (rule, _), count in more.items()
    ]
    return said


def import_document(found: Imported, files: Sequence[str]) -> str:
    """planner.import/1: offers with their rows, findings with their sentences, rows that gave none."""
    document = {
        "schema": IMPORT_SCHEMA,
        "source": found.source,
        "encoding": found.encoding,
        "offers": [{"seller": one.seller, "row": one.row, **one.fields} for one in found.drafts],
        "findings": [{**asdict(one), "said": finding_said(one)} for one in found.findings],
        "unread_rows": [one.row for one in found.unread],
        "skipped_rows": found.skipped,
        "questions": list(found.questions),
        "files": list(files),
    }
    return json.dumps(document, ensure_ascii=False, indent=2, default=_plain) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
