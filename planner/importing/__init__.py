"""Imports: somebody else's price sheet or catalog as offers, with everything that a person must know of its rows."""

from planner.importing.fixing import fix_me
from planner.importing.gpuhunt import import_gpuhunt
from planner.importing.sheets import import_sheet
from planner.importing.skypilot import import_skypilot
from planner.importing.writing import catalog_files, mapping_text

__all__ = ["catalog_files", "fix_me", "import_gpuhunt", "import_sheet", "import_skypilot", "mapping_text"]
