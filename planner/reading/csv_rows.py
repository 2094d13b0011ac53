"""The rows of a CSV file, as maps with places."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from planner.reading.columns import Column
from planner.reading.places import Path
from planner.reading.source import Source
from planner.reading.tree import Node
from planner.values.faults import Fault


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a CSV file: the number of its first line, and a cell for each column of the header."""

    source: Source
    line: int
    cells: list[str]

    def node(self, columns: tuple[Column, ...]) -> Node:
        """The map that the written cells of these columns make together. A map stands at its first column."""
        root = self._at(columns[0].index if columns else 0, {})
        first: dict[Path, int] = {}
        for column in columns:
            text, here = self.cells[column.index], root.fields
            for depth, step in enumerate(column.path[:-1], start=1):
                index = first.setdefault(column.path[:depth], column.index)
                if text and str(step) not in here:
                    here[str(step)] = self._at(index, {})
                here = here[str(step)].fields if text else here
            if text:
                here[str(column.path[-1])] = self._at(column.index, self._listed(column, text))
        return root

    def cell(self, column: Column | None) -> Node | None:
        return self._at(column.index, self.cells[column.index]) if column else None

    def _at(self, index: int, content: Any) -> Node:
        return Node(self.source, self.line, index + 1, content)

    def _listed(self, column: Column, text: str) -> str | tuple[Node, ...]:
        if not column.is_list:
            return text
        return tuple(self._at(column.index, item.strip()) for item in text.split(";"))


def rows_of(source: Source, faults: list[Fault]) -> Iterator[Row]:
    """Rows that are not empty, their cells without blanks around them; the header is the first."""
    reader = csv.reader((f"{line}\n" for line in source.lines), strict=True)
    line = 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                yield Row(source, line, stripped)
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(source.fault(line, 1, "csv_syntax", str(error)))
