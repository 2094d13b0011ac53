"""The command line: arguments, files and exit codes. It decides nothing."""

from planner.cli import bill  # noqa: F401  # its command registers itself
from planner.cli.app import main

__all__ = ["main"]
