"""From files to a scenario and a catalog, or to every fault in them at once.

Whatever a person hands over, these functions give a value or raise `planner.values.faults.Faulty`. Schemas
and the YAML parser are imported at the first call.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.reading.catalog_files import read_catalog
    from planner.reading.check import check_files
    from planner.reading.models import resolve_model
    from planner.reading.overlay_file import read_overlay
    from planner.reading.scenario_file import ReadScenario, read_scenario
    from planner.reading.shipped import shipped_folder
    from planner.reading.size_rows import read_size_rows

__all__ = [
    "ReadScenario",
    "check_files",
    "read_catalog",
    "read_overlay",
    "read_scenario",
    "read_size_rows",
    "resolve_model",
    "shipped_folder",
]

_HOMES = {
    "ReadScenario": "scenario_file",
    "check_files": "check",
    "read_catalog": "catalog_files",
    "read_overlay": "overlay_file",
    "read_scenario": "scenario_file",
    "read_size_rows": "size_rows",
    "resolve_model": "models",
    "shipped_folder": "shipped",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(f"planner.reading.{_HOMES[name]}"), name)
