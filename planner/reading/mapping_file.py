"""A mapping file: what the columns of a seller's sheet mean, as an import wrote it and a person may correct it."""

from pathlib import Path

from planner.reading.composing import read_tree
from planner.reading.nearest import nearest
from planner.reading.source import read_source
from planner.values.faults import Faulty
from planner.values.imports import COLUMN_MEANINGS


def read_mapping(path: Path) -> dict[str, str]:
    """Column title to its meaning; Faulty with every fault of the file."""
    root = read_tree(read_source(path))
    columns = root.fields.get("columns")
    if columns is None or not columns.fields:
        raise Faulty((root.fault("missing_field", expected=("columns",)),))
    faults = []
    for node in columns.fields.values():
        text = node.text or ""
        if text not in COLUMN_MEANINGS and not text.startswith("commit_"):
            faults.append(node.fault("wrong_word", text, COLUMN_MEANINGS, nearest(text, COLUMN_MEANINGS)))
    if faults:
        raise Faulty(tuple(faults))
    return {title: node.text or "" for title, node in columns.fields.items()}
