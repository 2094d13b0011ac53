"""The command line: arguments, files and exit codes. It decides nothing."""

from planner.cli.app import main
from planner.cli.bill import bill

__all__ = ["bill", "main"]
