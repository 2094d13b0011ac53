"""Every fault in files, without solving."""

from collections.abc import Sequence
from pathlib import Path

from planner.reading.catalog_files import catalog_of, read_catalog, read_roots
from planner.reading.kinds import Kind
from planner.reading.overlay_file import overlay_of
from planner.reading.scenario_file import scenario_of
from planner.reading.shipped import shipped_folder
from planner.values.catalog import Catalog
from planner.values.faults import Fault


def check_files(paths: Sequence[Path]) -> tuple[Fault, ...]:
    """Faults of scenarios, catalogs and overlays together; scenarios may name the cards and models of the catalogs.

    Overlays name the sellers and offers of the catalogs; of the shipped ones where there are no others.
    """
    roots, unread = read_roots(paths, tuple(Kind))
    catalog, faults = catalog_of([(kind, root) for kind, root in roots if kind not in {Kind.SCENARIO, Kind.OVERLAY}])
    faults = [*unread, *faults]
    for kind, root in roots:
        if kind is Kind.SCENARIO:
            faults += scenario_of(root, catalog.models, catalog.gpus)[1]
        if kind is Kind.OVERLAY:
            faults += overlay_of(root, catalog if catalog.offers else _shipped())[1]
    return tuple(faults)


def _shipped() -> Catalog:
    return read_catalog([shipped_folder("catalogs")])
