"""Everything that a person or a program is told: every sentence is made here, from values and identifiers.

Importing this room costs nothing: pydantic and rich are imported at the first call.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.reporting.auditing import (
        audit_document,
        audit_text,
        diff_document,
        diff_text,
        history_document,
        history_text,
    )
    from planner.reporting.bills import bill_text
    from planner.reporting.documents import (
        bill_document,
        faults_document,
        offers_document,
        report_document,
        sizing_document,
    )
    from planner.reporting.faults import checked_text, faults_text
    from planner.reporting.importing import import_document, import_text, problems_of, questions_asked
    from planner.reporting.offers import offers_text
    from planner.reporting.progress import progress_text
    from planner.reporting.report import report_text
    from planner.reporting.schemas import schema_document
    from planner.reporting.size_rows import sized_rows_csv
    from planner.reporting.sizing import sizing_text
    from planner.reporting.writing import write_bytes_whole, write_whole

__all__ = [
    "audit_document",
    "audit_text",
    "bill_document",
    "bill_text",
    "checked_text",
    "diff_document",
    "diff_text",
    "faults_document",
    "faults_text",
    "history_document",
    "history_text",
    "import_document",
    "import_text",
    "offers_document",
    "offers_text",
    "problems_of",
    "progress_text",
    "questions_asked",
    "report_document",
    "report_text",
    "schema_document",
    "sized_rows_csv",
    "sizing_document",
    "sizing_text",
    "write_bytes_whole",
    "write_whole",
]

_HOMES = {
    "history_text": "auditing",
    "history_document": "auditing",
    "diff_text": "auditing",
    "diff_document": "auditing",
    "audit_text": "auditing",
    "audit_document": "auditing",
    "bill_document": "documents",
    "bill_text": "bills",
    "checked_text": "faults",
    "faults_document": "documents",
    "faults_text": "faults",
    "import_document": "importing",
    "import_text": "importing",
    "offers_document": "documents",
    "offers_text": "offers",
    "problems_of": "importing",
    "progress_text": "progress",
    "questions_asked": "importing",
    "report_document": "documents",
    "report_text": "report",
    "schema_document": "schemas",
    "sized_rows_csv": "size_rows",
    "sizing_document": "documents",
    "sizing_text": "sizing",
    "write_bytes_whole": "writing",
    "write_whole": "writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(f"planner.reporting.{_HOMES[name]}"), name)
