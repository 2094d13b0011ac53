"""The corridor: a scenario and a catalog in, a report out."""

from planner.planning.billing import invoice
from planner.planning.planning import Options, plan
from planner.planning.sizing import size, size_each

__all__ = ["Options", "invoice", "plan", "size", "size_each"]
