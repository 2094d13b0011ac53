"""The command line: arguments, files and exit codes. It decides nothing."""

from planner.cli.app import main

__all__ = ["main"]
