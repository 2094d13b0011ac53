"""An import from file to files: what `planner catalog import` does."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from planner.importing import import_gpuhunt, import_sheet, import_skypilot
from planner.values.hardware import Gpu
from planner.values.imports import Asked, Finding, Imported

READERS = {"sheet": import_sheet, "skypilot": import_skypilot, "gpuhunt": import_gpuhunt}


def imported(path: Path, kind: str, gpus: Mapping[str, Gpu], asked: Asked) -> Imported:
    """Offers and findings of a file. Without a day of observation, prices are as old as their file: told.

    Raises Faulty where the file cannot be read as what it is said to be.
    """
    told = asked.observed is not None or not path.exists()
    dated = asked if told else replace(asked, observed=_written_on(path).isoformat())
    found = READERS[kind](path, gpus, dated)
    if told or not found.drafts or any(finding.rule == "dated" for finding in found.findings):
        return found
    finding = Finding(0, "", "observed_as_file", dated.observed or "")
    return replace(found, findings=(finding, *found.findings))


def _written_on(path: Path) -> date:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
