"""Twins of the rules of data that a phase takes from one before it: when it has arrived, and what moving it costs."""

from collections.abc import Iterator
from fractions import Fraction

from planner.values.catalog import Offer
from planner.values.lease import Bill
from planner.values.money import minor_digits
from planner.values.moving import Move
from planner.values.plans import Assignment, BilledPlan, Breach, Problem


def data_has_arrived(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    for move, before, after in _needed(problem, plan):
        slower = max(move.leaving[before.candidate.offer.id].minutes, move.arriving[after.candidate.offer.id].minutes)
        if after.start_minutes < before.end_minutes + slower:
            there = before.end_minutes + slower
            yield Breach("data_there", move.phase, f">= {there}", str(after.start_minutes))


def moves_are_paid(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """What is billed is what is moved, no more and no less, and each bill adds up."""
    needed = [(move.before, move.phase) for move, *_ in _needed(problem, plan)]
    billed = [(one.move.before, one.move.phase) for one in plan.moved]
    if needed != billed:
        yield Breach("moves_paid", "plan", str(needed), str(billed))
    for one in plan.moved:
        for offer, end in one.ends:
            if end.bill is not None and end.bill.billed_minor != _added_up(end.bill, offer):
                yield Breach("moves_paid", offer.id, str(_added_up(end.bill, offer)), str(end.bill.billed_minor))


def _needed(problem: Problem, plan: BilledPlan) -> Iterator[tuple[Move, Assignment, Assignment]]:
    placed = {assignment.candidate.phase: assignment for assignment in plan.by_step.values()}
    for move in problem.moves:
        before, after = placed[move.before], placed[move.phase]
        if not _are_near(before.candidate.offer, after.candidate.offer):
            yield move, before, after


def _are_near(one: Offer, other: Offer) -> bool:
    """The same offer, or one seller in one place that is known to its city or site."""
    if one.id == other.id:
        return True
    place = one.place
    is_known = place is not None and (place.city is not None or place.site is not None)
    return is_known and one.seller == other.seller and place == other.place


def _added_up(bill: Bill, offer: Offer) -> int:
    exact = (Fraction(charge.quantity) * Fraction(charge.unit_price) for charge in bill.charges)
    return sum(int(10 ** minor_digits(offer.currency) * one + Fraction(1, 2)) for one in exact)
