"""How far a search is, in one line."""

from planner.reporting import figures
from planner.reporting.wording import sentence
from planner.values.money import to_amount
from planner.values.watch import Progress


def progress_text(progress: Progress) -> str:
    if progress.best_minor is None:
        return sentence("progress_none")
    cost = figures.money(to_amount(progress.best_minor, progress.currency), progress.currency)
    if progress.is_proven:
        return sentence("progress_proven", cost=cost)
    gap_minor = max(0, progress.best_minor - progress.bound_minor)
    gap = figures.percent(100 * gap_minor / progress.best_minor if progress.best_minor else 0.0)
    return sentence("progress", cost=cost, gap=gap)
