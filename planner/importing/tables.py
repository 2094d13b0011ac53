"""A sheet as records: where its header is, what each column means, and the rows under it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from planner.importing.cells import Row, Sheet
from planner.importing.words import commitment_months, meaning_of

# A header names three things at least; and it stands among the first rows.
LEAST_NAMED = 3
HEADER_WITHIN = 30


@dataclass(frozen=True, slots=True)
class Table:
    """``titles``: each column's, joined where the header has two rows. ``meanings``: column by what it says.

    ``above``: the text before the header: titles, dates, comments.
    """

    sheet: Sheet
    titles: tuple[str, ...]
    meanings: Mapping[str, int]
    rows: tuple[Row, ...]
    above: tuple[str, ...]

    def text(self, row: Row, meaning: str) -> str:
        return row.cell(self.meanings[meaning]) if meaning in self.meanings else ""

    def title(self, meaning: str) -> str:
        return self.titles[self.meanings[meaning]] if meaning in self.meanings else ""

    def address(self, row: Row, meaning: str) -> str:
        return self.sheet.address(row.number, self.meanings.get(meaning, 0))


def table_of(sheet: Sheet, said: Mapping[str, str]) -> Table | None:
    """The table of a sheet; None where no row looks like a header. ``said``: titles that a mapping explains."""
    written = [row for row in sheet.rows if not row.is_empty]
    best: tuple[int, int] = (0, 0)
    for place, row in enumerate(written[:HEADER_WITHIN]):
        named = len(set(_meanings(row.cells, said)))
        if named > best[0]:
            best = (named, place)
    if best[0] < LEAST_NAMED and not _is_matrix(written):
        return None
    place = best[1]
    if place and _is_upper_half(written[place - 1].cells, written[place].cells):
        place -= 1
    titles, last = _titles(written, place)
    above = (*sheet.comments, *(text for row in written[:place] for text in dict.fromkeys(row.cells) if text))
    rows = tuple(row for row in written[last + 1 :])
    return Table(sheet, titles, _meanings(titles, said), rows, above)


def _is_upper_half(upper: tuple[str, ...], lower: tuple[str, ...]) -> bool:
    """Whether merged cells make most of two rows alike."""
    alike = sum(bool(above) and above == below for above, below in zip(upper, lower, strict=False))
    return alike >= LEAST_NAMED


def _is_matrix(rows: list[Row]) -> bool:
    return bool(rows) and len(rows[0].cells) > LEAST_NAMED


def _titles(rows: list[Row], place: int) -> tuple[tuple[str, ...], int]:
    """Titles of one row, or of two where the second only says more of what the first says."""
    first = rows[place].cells
    if place + 1 < len(rows):
        second = rows[place + 1].cells
        extra = [index for index, text in enumerate(second) if text and (index >= len(first) or text != first[index])]
        if extra and len(extra) <= len(first) // 2 and all(meaning_of(second[index]) for index in extra):
            return tuple(_joined(first, second)), place + 1
    return first, place


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> Iterator[str]:
    """单价（元） above 按月: both, the upper one also where it spans the columns beside it."""
    above = ""
    for index, lower in enumerate(second):
        upper = first[index] if index < len(first) else ""
        above = upper or (above if lower else "")
        yield f"{above} {lower}".strip() if lower and lower != upper else upper


def _meanings(titles: tuple[str, ...], said: Mapping[str, str]) -> dict[str, int]:
    """Each meaning's first column."""
    found: dict[str, int] = {}
    for index, title in enumerate(titles):
        meaning = said.get(title) or _meaning(title)
        if meaning is not None and meaning != "ignored":
            found.setdefault(meaning, index)
    return found


def _meaning(title: str) -> str | None:
    months = commitment_months(title)
    if months is not None:
        return f"commit_{months}"
    last = title.rsplit(" ", 1)[-1]
    return meaning_of(title) or (meaning_of(last) if last != title else None)
