"""Words for identifiers, and sentences with places for values. Another language replaces these tables alone."""

from collections.abc import Mapping
from decimal import Decimal

from planner.reporting.wording.audits import AUDIT_SENTENCES
from planner.reporting.wording.bills import BILL_SENTENCES
from planner.reporting.wording.parts import CHARGES
from planner.reporting.wording.sentences import COUNTED, SENTENCES

_SENTENCES = {**SENTENCES, **BILL_SENTENCES, **AUDIT_SENTENCES}


def words(table: Mapping[str, str], identifier: str) -> str:
    """The words for an identifier; one that has none is shown itself, with spaces."""
    return table.get(identifier) or identifier.replace("_", " ")


def sentence(key: str, **values: object) -> str:
    """A sentence of these tables with its values."""
    return _SENTENCES[key].format_map(values)


def charge_words(what: str) -> str:
    """The words for a charge; for that of a component its name behind them: months, prepaid, host."""
    if what in CHARGES:
        return CHARGES[what]
    head, _, rest = what.partition(", ")
    for said in ("renewed", "its rest", "beyond its hours"):
        if rest.endswith(f", {said}") and f"{head}, {said}" in CHARGES:
            return f"{CHARGES[f'{head}, {said}']}, {rest.removesuffix(f', {said}')}"
    return f"{CHARGES[head]}, {rest}" if rest and head in CHARGES else what


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
