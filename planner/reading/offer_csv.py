"""Offers from a CSV file: a column is a field, a row an offer; an empty cell leaves the field to the terms.

In a fault the line is the row's first, and the column counts cells.
"""

from collections.abc import Iterator

from planner.reading.columns import Column, column_names, column_of
from planner.reading.csv_rows import Row, rows_of
from planner.reading.line import Line
from planner.reading.nearest import nearest
from planner.reading.offer_table import Table
from planner.reading.places import Path
from planner.reading.source import Source
from planner.reading.tree import Node
from planner.values.faults import Fault


def read_offers_csv(source: Source, root: Node) -> tuple[list[Line], list[Fault]]:
    """The offers of a seller's CSV file, and every fault in it. ``root`` is the seller's YAML file."""
    faults: list[Fault] = []
    written = rows_of(source, faults)
    header = next(written, Row(source, 1, []))
    columns = _columns(header, faults)
    table = Table(root, list(columns.values()))
    needed = (name for name in table.missing if name != "seller")  # which is the YAML file's to say
    faults += (source.fault(header.line, 1, "missing_field", expected=(name,)) for name in needed)
    id_column, gpu_column = columns.get(("id",)), columns.get(("gpu",))
    whole = (_filled(row, len(header.cells), faults) for row in written)
    rows = [each for row in whole for each in _expanded(row, id_column, columns.get(("gpus_per_node",)))]
    offers, found = table.offers(rows)
    lines = [Line(offer, row.cell(id_column), row.cell(gpu_column)) for offer, row in zip(offers, rows, strict=True)]
    return lines, faults + found


def _columns(header: Row, faults: list[Fault]) -> dict[Path, Column]:
    columns: dict[Path, Column] = {}
    names = tuple(column_names())
    for index, name in enumerate(header.cells):
        column = column_of(index, name)
        if column is None:
            rule = "unknown_field" if name else "empty"
            meant = nearest(name, names)
            faults.append(header.source.fault(header.line, index + 1, rule, name, names, suggestion=meant))
        elif columns.setdefault(column.path, column) is not column:
            faults.append(header.source.fault(header.line, index + 1, "duplicate_field", name))
    return columns


def _filled(row: Row, width: int, faults: list[Fault]) -> Row:
    """The row with as many cells as the header; more of them, if they are written, are a fault."""
    if any(row.cells[width:]):
        faults.append(row.source.fault(row.line, width + 1, "cells", str(len(row.cells)), (str(width),)))
    return Row(row.source, row.line, [*row.cells[:width], *[""] * (width - len(row.cells))])


def _expanded(row: Row, name: Column | None, count: Column | None) -> Iterator[Row]:
    """One row for each number of cards, as in YAML: ``1; 2; 4`` gives ID-x1, ID-x2, ID-x4."""
    counts = row.cells[count.index].split(";") if count else []
    if name is None or count is None or len(counts) == 1:
        yield row
        return
    for each in counts:
        cells = list(row.cells)
        cells[count.index] = each.strip()
        cells[name.index] = f"{cells[name.index]}-x{each.strip()}" if cells[name.index] else ""
        yield Row(row.source, row.line, cells)
