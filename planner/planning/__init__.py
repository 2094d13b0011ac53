"""The corridor: a scenario and a catalog in, a report out."""

from planner.planning.auditing import refuse_doubtful
from planner.planning.billing import invoice
from planner.planning.planning import Options, plan
from planner.planning.sizing import size, size_each

__all__ = ["Options", "invoice", "plan", "refuse_doubtful", "size", "size_each"]
