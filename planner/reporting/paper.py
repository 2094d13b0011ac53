"""Plain text of a given width: headings, paragraphs, lists and tables. Nothing is cut off: what is long wraps.

Every string goes through `visible` here, so that text from a file can neither be mark-up nor move the cursor.
"""

from collections.abc import Iterable, Sequence
from io import StringIO

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from planner.reporting.visible import visible

_GAP = 2
_NARROWEST_TEXT = 12


class Paper:
    """What was written so far. ``width`` counts cells: a Chinese character takes two."""

    def __init__(self, width: int) -> None:
        self.width = max(width, 2 * _NARROWEST_TEXT)
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        return "\n".join(self._lines).strip("\n") + "\n"

    def heading(self, title: str) -> None:
        """A section begins: a blank line, the title, and a line below it."""
        self.blank()
        self.say(title)
        self.say("-" * min(cell_len(visible(title)), self.width))

    def blank(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def say(self, text: str, indent: int = 0) -> None:
        """A paragraph."""
        self._put(Text(visible(text)), self.width, indent)

    def items(self, texts: Iterable[str], indent: int = 0) -> None:
        """A list with a dash before each text, which wraps beside the dash."""
        self.pairs((("-", text) for text in texts), indent, gap=1)

    def pairs(self, rows: Iterable[tuple[str, str]], indent: int = 0, gap: int = _GAP) -> None:
        """Labels, and beside each what is said of it."""
        rows = tuple(rows)
        if not rows:
            return
        grid = Table.grid(padding=(0, gap, 0, 0))
        grid.add_column(no_wrap=True, min_width=max(cell_len(visible(label)) for label, _ in rows))
        grid.add_column(overflow="fold")
        for label, text in rows:
            grid.add_row(Text(visible(label)), Text(visible(text)))
        self._put(grid, self.width, indent)

    def table(
        self, titles: Sequence[str], rows: Iterable[Sequence[str]], figures: Sequence[int] = (), indent: int = 0
    ) -> None:
        """Columns in ``figures`` hold numbers: they stand to the right and never wrap. An empty row is a gap."""
        rows = tuple(rows)
        table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="", show_edge=False)
        least = indent
        for index, title in enumerate(titles):
            is_figure = index in figures
            cells = (visible(title), *(visible(row[index]) for row in rows if row))
            longest = max(cell_len(line) for line in cells)
            least += _GAP + (longest if is_figure else min(longest, _NARROWEST_TEXT))
            table.add_column(
                Text(visible(title)),
                justify="right" if is_figure else "left",
                no_wrap=is_figure,
                overflow="fold",
            )
        for row in rows:
            table.add_row(*(Text(visible(cell)) for cell in row or [""] * len(titles)))
        self._put(table, max(self.width, least), indent)

    def _put(self, what: RenderableType, width: int, indent: int) -> None:
        console = Console(
            file=StringIO(),
            width=width,
            color_system=None,
            force_terminal=False,
            force_jupyter=False,
            legacy_windows=False,
        )
        with console.capture() as capture:
            console.print(Padding(what, (0, 0, 0, indent)), crop=False)
        self._lines += [line.rstrip() for line in capture.get().rstrip("\n").split("\n")]
