"""Audits: what is doubtful in a catalog, and what has changed since another one."""

from planner.auditing.differing import diff, history
from planner.auditing.doubts import doubts_of

__all__ = ["diff", "doubts_of", "history"]
