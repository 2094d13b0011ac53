"""What a phase takes of things that the plan may have only so much of: a stand-in must take no more of any."""

from fractions import Fraction

import numpy as np

from planner.choosing.tables import Bools, Ints, Table
from planner.values.matches import Candidate
from planner.values.plans import Problem


def spot_excess(candidate: Candidate, share: Fraction) -> int:
    """Booked GPU-minutes above the share that may be on machines that can be taken back, times its denominator: what
    is on other machines makes room, so that all phases together must come to 0 at most.
    """
    own = share.denominator if candidate.offer.spot else 0
    return candidate.booked_gpu_minutes * (own - share.numerator)


def taken(table: Table, problem: Problem) -> tuple[Ints, ...]:
    """Of each limited thing, what each candidate takes; nothing where the plan has none."""
    share, found = problem.spot_share_at_most, []
    if share is not None:
        found.append(np.array([spot_excess(candidate, share) for candidate in table.candidates], dtype=np.int64))
    for quota in problem.quotas:
        gpus = [one.gpus if one.offer.id in quota.offers else 0 for one in table.candidates]
        found.append(np.array(gpus, dtype=np.int64))
    return tuple(found)


def takes_no_more(takes: tuple[Ints, ...], one: int, others: Ints) -> Bools:
    found: Bools = np.ones(len(others), dtype=np.bool_)
    for amounts in takes:
        found &= amounts[one] <= amounts[others]
    return found
