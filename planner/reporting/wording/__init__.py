"""Words for identifiers, and sentences with places for values. Another language replaces these tables alone."""

from collections.abc import Mapping
from decimal import Decimal

from planner.reporting.wording.sentences import COUNTED, SENTENCES


def words(table: Mapping[str, str], identifier: str) -> str:
    """The words for an identifier; one that has none is shown itself, with spaces."""
    return table.get(identifier) or identifier.replace("_", " ")


def sentence(key: str, **values: object) -> str:
    """A sentence of `SENTENCES` with its values."""
    return SENTENCES[key].format_map(values)


def counted(number: int, noun: str) -> str:
    """3 nodes, 1 node."""
    one, many = COUNTED.get(noun, (noun, f"{noun}s"))
    return f"{number:,} {one if number == 1 else many}"


def units(quantity: str, unit: str) -> str:
    """The unit for so much of it: GPU-hours, or GPU-hour for one."""
    one, many = COUNTED.get(unit, (unit, unit))
    return one if Decimal(quantity) == 1 else many


def listed(parts: tuple[str, ...], last: str = "and") -> str:
    """a, b and c."""
    return f" {last} ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
