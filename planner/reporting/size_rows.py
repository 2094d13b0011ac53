"""A table of sized jobs as CSV: the columns that were handed in, then what came of each row."""

import csv
from io import StringIO

from planner.values.layout import Layout
from planner.values.sizing import SizeRequests, SizeRow

RESULTS = (
    "verdict",
    "peak_gib",
    "low_gib",
    "high_gib",
    "capacity_gib",
    "host_gib",
    "zero",
    "micro_batch",
    "accumulation",
    "checkpointing",
    "parts",
)
# What a spreadsheet takes for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def sized_rows_csv(requests: SizeRequests, sized: tuple[SizeRow, ...]) -> str:
    """One line for each row handed in, in its order. Text that a spreadsheet would run gets a ' in front."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*requests.header, *RESULTS))
    for (cells, *_), row in zip(requests.rows, sized, strict=True):
        writer.writerow((*map(_harmless, cells), row.verdict.value, *_memory(row), *_layout(row.layout), _parts(row)))
    return out.getvalue()


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _memory(row: SizeRow) -> tuple[str, ...]:
    if row.memory is None:
        return ("",) * 5
    memory = row.memory
    numbers = (memory.peak_gib, memory.low_gib, memory.high_gib, memory.capacity_gib, memory.host_gib)
    return tuple(f"{number:.3f}" for number in numbers)


def _layout(layout: Layout | None) -> tuple[str, ...]:
    if layout is None:
        return ("",) * 4
    return (str(layout.zero), str(layout.micro_batch), str(layout.accumulation), layout.checkpointing.value)


def _parts(row: SizeRow) -> str:
    return "" if row.memory is None else "; ".join(f"{name} {gib:.3f}" for name, gib in row.memory.parts)
