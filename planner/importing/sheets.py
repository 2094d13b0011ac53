"""A seller's price sheet, of whatever shape: recognised by its header, read by the module of its shape."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from planner.importing.cards import Names
from planner.importing.cells import Sheet, read_sheet
from planner.importing.commitments import commitments_of, read_commitments
from planner.importing.comparison import header_of, read_comparison
from planner.importing.components import is_component_list, read_components
from planner.importing.drafting import day_of, valid_until
from planner.importing.findings import Notebook
from planner.importing.listing import basis_of, rates_that_differ, read_list
from planner.importing.matrix import card_columns, read_matrix
from planner.importing.money import uses_decimal_comma
from planner.importing.prose import is_prose, read_prose
from planner.importing.tables import Table, table_of
from planner.values.hardware import Gpu
from planner.values.imports import Asked, Draft, Finding, Imported


def import_sheet(path: Path, gpus: Mapping[str, Gpu], asked: Asked) -> Imported:
    """The offers of a sheet and everything to know of its rows; questions where it leaves open what must be known.

    Raises Faulty where the file cannot be read as a table.
    """
    sheet, names = read_sheet(path), Names(gpus)
    book = Notebook(sheet)
    book.findings += sheet.findings
    header = header_of(sheet)
    if header is not None:
        read_comparison(sheet, header, names, asked, book)
        return _imported(sheet, book, header.cells, path)
    table = table_of(sheet, asked.columns)
    if table is None:
        return Imported(path.name, sheet.encoding, (), (Finding(0, "", "no_header", stops=True),))
    questions = _read(table, names, asked, book)
    _date(table, book)
    return _imported(sheet, book, table.titles, path, questions, table.meanings)


def _imported(
    sheet: Sheet,
    book: Notebook,
    titles: tuple[str, ...],
    path: Path,
    questions: tuple[str, ...] = (),
    meanings: Mapping[str, int] | None = None,
) -> Imported:
    findings = sorted(book.findings, key=lambda finding: finding.row)
    drafts = () if questions else tuple(draft for draft in book.drafts if draft.row not in book.unread)
    columns = {titles[place]: name for name, place in (meanings or {}).items()}
    return Imported(
        path.name, sheet.encoding, drafts, tuple(findings), titles, tuple(book.unread.values()), book.skipped,
        questions, columns,
    )  # fmt: skip


def _read(table: Table, names: Names, asked: Asked, book: Notebook) -> tuple[str, ...]:
    columns, months = card_columns(table, names), commitments_of(table)
    if columns:
        read_matrix(table, columns, asked, book)
        book.tell(None, 0, "hour_assumed")
        return () if asked.per in (None, "gpu") else ("per",)
    if months:
        read_commitments(table, months, names, asked, book)
        return () if all(draft.fields["currency"] for draft in book.drafts) else ("currency",)
    if is_component_list(table):
        read_components(table, names, asked, book)
        return ()
    if is_prose(table):
        read_prose(table, names, asked, book)
        return () if all(draft.fields["currency"] for draft in book.drafts) else ("currency",)
    return _read_list(table, names, asked, book)


def _read_list(table: Table, names: Names, asked: Asked, book: Notebook) -> tuple[str, ...]:
    comma = uses_decimal_comma(cell for row in table.rows for cell in row.cells)
    basis = basis_of(table, names, asked, comma)
    for rates in rates_that_differ(table):
        book.tell(None, 0, "tax_rates_differ", rates)
    read_list(table, names, asked, book, basis)
    has_units = "unit" in table.meanings
    missing = [] if basis.currency else ["currency"]
    counts = {draft.fields["gpus_per_node"] for draft in book.drafts}
    if basis.per is None and not has_units and counts != {1}:
        missing.append("per")
    titled = any(
        word in " ".join(table.titles).casefold() for word in ("hour", "std", "小时", "时", "按量", "month", "月")
    )
    if not titled and asked.period is None:
        book.tell(None, 0, "hour_assumed")
    if asked.seller is None and "seller" not in table.meanings and basis.seller in table.sheet.name:
        book.tell(None, 0, "seller_as_file", basis.seller)
    if basis.per == "node" and asked.per is None:
        book.tell(None, 0, "per_node_by_rows")
    return tuple(missing)


def _date(table: Table, book: Notebook) -> None:
    """The day of a quote and how long it holds, where its head says so."""
    above = " ".join(table.above)
    day = day_of(above)
    if day is None:
        return
    until = valid_until(above, day)
    more: dict[str, Any] = {"observed": day.isoformat()} | ({"valid_until": until.isoformat()} if until else {})
    book.tell(None, 0, "dated", day.isoformat(), until.isoformat() if until else "")
    book.drafts[:] = [Draft(one.seller, one.row, {**one.fields, **more}) for one in book.drafts]
