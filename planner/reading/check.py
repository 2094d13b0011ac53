"""Every fault in files, without solving."""

from collections.abc import Sequence
from pathlib import Path

from planner.reading.catalog_files import catalog_of, read_roots
from planner.reading.kinds import Kind
from planner.reading.scenario_file import scenario_of
from planner.values.faults import Fault


def check_files(paths: Sequence[Path]) -> tuple[Fault, ...]:
    """Faults of scenarios and catalogs together; scenarios may name the cards and models of the catalogs."""
    roots, unread = read_roots(paths, tuple(Kind))
    catalog, faults = catalog_of([(kind, root) for kind, root in roots if kind is not Kind.SCENARIO])
    faults = [*unread, *faults]
    for kind, root in roots:
        if kind is Kind.SCENARIO:
            faults += scenario_of(root, catalog.models, catalog.gpus)[1]
    return tuple(faults)
