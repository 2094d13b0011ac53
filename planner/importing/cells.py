"""Any table file as rows of text: CSV in whatever encoding and with whatever delimiter, or an Excel workbook."""

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from openpyxl import load_workbook

from planner.values.faults import Fault, Faulty
from planner.values.imports import Finding

# Whatever part of a workbook is broken says so in its own way.
BROKEN = (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, BadZipFile, ParseError)
MOST_BYTES = 200 * 2**20
ENCODINGS = ("utf-8", "gb18030")
DELIMITERS = ",;\t|"
COMMENT = "#"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a sheet: its number in the file, counted from 1, and its cells, normalised (NFKC), without blanks around
    them. ``joined``: cells that a merged cell above or beside them fills.
    """

    number: int
    cells: tuple[str, ...]
    joined: frozenset[int] = frozenset()

    def cell(self, index: int) -> str:
        return self.cells[index] if 0 <= index < len(self.cells) else ""

    @property
    def is_empty(self) -> bool:
        return not any(self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table. ``comments``: lines before the header that begin with #."""

    name: str
    rows: tuple[Row, ...]
    encoding: str
    comments: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    is_workbook: bool = field(default=False)

    def address(self, number: int, index: int) -> str:
        """F5, with the sheet's name where the file has several."""
        here = f"{letters(index)}{number}"
        return f"{self.name}!{here}" if self.is_workbook else here


def letters(index: int) -> str:
    """A column by its place, counted from 0: A, B, ... Z, AA."""
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(65 + rest) + text
    return text


def plain(text: object) -> str:
    """Full-width digits and letters as plain ones, without blanks around."""
    return unicodedata.normalize("NFKC", str(text)).replace("\u3000", " ").strip()


def read_sheet(path: Path) -> Sheet:
    """Faulty where there is no such file, or it is too large, or no table."""
    try:
        data = path.read_bytes() if path.stat().st_size <= MOST_BYTES else b""
    except OSError as error:
        raise Faulty((Fault(str(path), 0, 0, "unreadable", error.strerror or "no file"),)) from None
    if not data:
        raise Faulty((Fault(str(path), 0, 0, "unreadable", "empty, or too large"),))
    if data[:4] == b"PK\x03\x04":
        return _workbook(path)
    return _csv(path, data)


def _decoded(data: bytes) -> tuple[str, str] | None:
    if data.startswith(b"\xef\xbb\xbf"):
        return data.decode("utf-8-sig", errors="replace"), "utf-8-sig"
    for encoding in ENCODINGS:
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return None


def _csv(path: Path, data: bytes) -> Sheet:
    decoded = _decoded(data)
    if decoded is None or "\0" in decoded[0]:
        raise Faulty((Fault(str(path), 0, 0, "unreadable", "no text in UTF-8 or GB18030"),))
    text, encoding = decoded
    lines = text.splitlines()
    comments = tuple(line.lstrip(f"{COMMENT} ").strip() for line in lines if line.startswith(COMMENT))
    kept = [line for line in lines if not line.startswith(COMMENT)]
    offset = len(lines) - len(kept) if lines and lines[0].startswith(COMMENT) else 0
    reader = csv.reader(io.StringIO("\n".join(kept)), delimiter=_delimiter(kept))
    rows: list[Row] = []
    findings: list[Finding] = []
    start = 1
    try:
        for cells in reader:
            rows.append(Row(start + offset, tuple(plain(cell) for cell in cells)))
            findings += _full_width(start + offset, cells)
            start = reader.line_num + 1
    except csv.Error as error:
        raise Faulty((Fault(str(path), start + offset, 1, "csv_syntax", str(error)),)) from None
    return Sheet(path.name, tuple(rows), encoding, comments, tuple(findings))


def _full_width(number: int, cells: Sequence[object], prefix: str = "") -> Iterator[Finding]:
    """Full-width digits are read as plain ones, and told."""
    for index, cell in enumerate(cells):
        if re.search("[０-９]", str(cell)):
            yield Finding(number, f"{prefix}{letters(index)}{number}", "full_width", str(cell), plain(cell))


def _delimiter(lines: list[str]) -> str:
    """The one that most lines hold most evenly; a comma where none is."""
    best, score = ",", 0
    for delimiter in DELIMITERS:
        counts = Counter(count for line in lines[:200] if (count := line.count(delimiter)))
        if counts:
            width, times = max(counts.items(), key=lambda item: (item[1] * item[0], item[0]))
            if width * times > score:
                best, score = delimiter, width * times
    return best


def _workbook(path: Path) -> Sheet:
    """The first sheet that is shown; hidden sheets and rows are reported and left out."""
    try:
        book = load_workbook(path, data_only=True)
    except BROKEN as error:
        raise Faulty((Fault(str(path), 0, 0, "unreadable", type(error).__name__),)) from None
    findings = [
        Finding(0, sheet.title, "hidden_sheet", sheet.title) for sheet in book if sheet.sheet_state != "visible"
    ]
    shown = next((sheet for sheet in book.worksheets if sheet.sheet_state == "visible"), None)
    if shown is None:
        raise Faulty((Fault(str(path), 0, 0, "unreadable", "no sheet that is shown"),))
    joined = dict(_joined(shown.merged_cells.ranges))
    rows = []
    for cells in shown.iter_rows():
        number = cells[0].row or 0
        if shown.row_dimensions[number].hidden:
            findings.append(Finding(number, f"{shown.title}!A{number}", "hidden_row"))
            continue
        texts, filled = [], set()
        for index, cell in enumerate(cells):
            home = joined.get((number, index + 1))
            value = shown.cell(*home).value if home else cell.value
            if home:
                filled.add(index)
            texts.append("" if value is None else plain(value))
        rows.append(Row(number, tuple(texts), frozenset(filled)))
        own = ["" if cell.value is None else cell.value for cell in cells]
        findings += _full_width(number, own, f"{shown.title}!")
    return Sheet(shown.title, tuple(rows), "xlsx", findings=tuple(findings), is_workbook=True)


def _joined(ranges: object) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for merged in ranges:  # type: ignore[attr-defined]
        home = (merged.min_row, merged.min_col)
        for row in range(merged.min_row, merged.max_row + 1):
            for column in range(merged.min_col, merged.max_col + 1):
                if (row, column) != home:
                    yield (row, column), home
