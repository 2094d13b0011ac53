"""The gate before planning: a catalog that contradicts itself is not planned with."""

from datetime import date

from planner.auditing import doubts_of
from planner.values.audit import Doubt
from planner.values.catalog import Catalog
from planner.values.faults import Fault, Faulty


def refuse_doubtful(catalog: Catalog, day: date) -> None:
    """Faulty with everything in the catalog that cannot be right."""
    faults = tuple(as_fault(doubt) for doubt in doubts_of(catalog, day) if doubt.is_error)
    if faults:
        raise Faulty(faults)


def as_fault(doubt: Doubt) -> Fault:
    return Fault(doubt.offer, 0, 0, doubt.rule, doubt.found, (doubt.expected,))
