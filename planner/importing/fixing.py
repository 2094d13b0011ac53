"""The "fix me" workbook: rows that gave no offer, as they were written, to be corrected and imported again."""

import io
from collections.abc import Mapping

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from planner.values.imports import Imported

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
LEAST_WIDTH, MOST_WIDTH = 8, 60
PROBLEM = "problem"
ROW = "row"


def fix_me(found: Imported, problems: Mapping[int, str]) -> bytes:
    """An .xlsx of the header and the unread rows, with a column that says what is wrong of each.

    Text from the sheet stays text: nothing in it becomes a formula.
    """
    book = Workbook()
    sheet = book.create_sheet("fix me", 0)
    del book["Sheet"]
    titles = (*found.header, PROBLEM, ROW)
    for place, title in enumerate(titles, start=1):
        _write(sheet, 1, place, title)
        sheet.cell(1, place).font = Font(bold=True)
    for line, unread in enumerate(found.unread, start=2):
        cells = (*unread.cells, *[""] * (len(found.header) - len(unread.cells)))[: len(found.header)]
        for place, text in enumerate((*cells, problems.get(unread.row, ""), str(unread.row)), start=1):
            _write(sheet, line, place, text)
        sheet.cell(line, len(found.header) + 1).fill = PatternFill("solid", fgColor="FFF2CC")
    for place, title in enumerate(titles, start=1):
        longest = max((len(str(row[place - 1].value or "")) for row in sheet.iter_rows()), default=len(title))
        sheet.column_dimensions[get_column_letter(place)].width = min(MOST_WIDTH, max(LEAST_WIDTH, longest + 2))
    sheet.freeze_panes = "A2"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _write(sheet: Worksheet, line: int, place: int, text: str) -> None:
    cell = sheet.cell(line, place)
    cell.value = ILLEGAL_CHARACTERS_RE.sub("", text)
    if text.startswith(DANGEROUS):
        cell.data_type = "s"
