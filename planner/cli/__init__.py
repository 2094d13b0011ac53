"""The command line: arguments, files and exit codes. It decides nothing."""

from planner.cli.app import main
from planner.cli.bill import bill
from planner.cli.catalog import catalog_app
from planner.cli.catalog_audit import check_catalog

__all__ = ["bill", "catalog_app", "check_catalog", "main"]
