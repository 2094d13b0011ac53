"""Collects what is found on the way through a sheet."""

from dataclasses import dataclass, field

from planner.importing.cells import Row, Sheet
from planner.values.imports import Draft, Finding, Unread


@dataclass(slots=True)
class Notebook:
    """Drafts, findings and unread rows of one sheet, in the order of its rows."""

    sheet: Sheet
    drafts: list[Draft] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unread: dict[int, Unread] = field(default_factory=dict)
    skipped: int = 0

    def tell(self, row: Row | None, index: int, rule: str, found: str = "", expected: str = "") -> None:
        number = 0 if row is None else row.number
        address = "" if row is None else self.sheet.address(number, index)
        self.findings.append(Finding(number, address, rule, found, expected))

    def stop(self, row: Row, index: int, rule: str, found: str = "", expected: str = "") -> None:
        """The row gives no offer before this is corrected."""
        address = self.sheet.address(row.number, index)
        self.findings.append(Finding(row.number, address, rule, found, expected, stops=True))
        self.unread[row.number] = Unread(row.number, row.cells)

    def skip(self, row: Row, index: int, rule: str, found: str = "") -> None:
        """A row that is no offer at all."""
        self.skipped += 1
        self.tell(row, index, rule, found)

    def stops(self, row: Row) -> bool:
        return row.number in self.unread
