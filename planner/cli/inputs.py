"""What the command line hands to the rooms: files read together, so that all faults are told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.values.faults import Fault, Faulty

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from planner.reading import ReadScenario
    from planner.values.catalog import Catalog, Offer


def read_both(scenario: Path, catalogs: Sequence[Path]) -> tuple[Catalog, ReadScenario]:
    """The catalog and the scenario; Faulty with the faults of both."""
    from planner.reading import check_files, read_catalog, read_scenario

    try:
        catalog = read_catalog(catalogs)
    except Faulty as faulty:
        raise Faulty(check_files([*catalogs, scenario]) or faulty.faults) from None
    return catalog, read_scenario(scenario, catalog.models, catalog.gpus)


def offer_named(name: str, catalog: Catalog) -> Offer:
    """Faulty where no offer has that id."""
    from planner.reading.nearest import nearest

    found = next((offer for offer in catalog.offers if offer.id == name), None)
    if found is None:
        near = nearest(name, (offer.id for offer in catalog.offers))
        raise Faulty((Fault("OFFER", 0, 0, "unknown_offer", name, suggestion=near),))
    return found


def refuse_unknown_gpus(names: Sequence[str], catalog: Catalog) -> None:
    """Faulty for each name that no card goes by."""
    from planner.reading.nearest import nearest

    faults = []
    for name in names:
        if name.casefold() not in catalog.gpus:
            near = nearest(name, catalog.gpus)
            found = catalog.gpus[near].name if near else ""
            faults.append(Fault("--gpu", 0, 0, "unknown_gpu", name, suggestion=found))
    if faults:
        raise Faulty(tuple(faults))
