"""The question for the program, and its answer: leases, which phase runs in which, and when."""

from dataclasses import dataclass
from fractions import Fraction

from planner.values.catalog import SellerQuota
from planner.values.lease import Bill, Price
from planner.values.matches import Candidate
from planner.values.moving import Move, Moved
from planner.values.tariff import Bundle, Tariff


@dataclass(frozen=True, slots=True)
class Step:
    """One phase as the program sees it. Minutes count from the start of the scenario.

    ``after`` are the indices of the steps that must have ended ``gap_minutes`` before this one begins, and no more
    than ``gap_at_most_minutes`` before. It begins no earlier than ``release_minutes``.
    """

    name: str
    candidates: tuple[Candidate, ...]
    after: tuple[int, ...] = ()
    gap_minutes: int = 0
    deadline_minutes: int | None = None
    gap_at_most_minutes: int | None = None
    release_minutes: int = 0


@dataclass(frozen=True, slots=True)
class SharedLease:
    """A lease of several steps in one shape: each begins ``offsets_minutes`` after the lease does."""

    members: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    offsets_minutes: tuple[int, ...]
    prices: tuple[Price, ...]

    @property
    def span_minutes(self) -> int:
        pairs = zip(self.offsets_minutes, self.candidates, strict=True)
        return max(offset + candidate.span_minutes for offset, candidate in pairs)


@dataclass(frozen=True, slots=True)
class Portion:
    """A project of a portfolio: its steps, and what the leases in which any of them runs may cost.

    ``budget_minor`` is held against all booked hours. A lease that projects share counts in full for each of them: each
    could have to pay for it when the others stop.
    """

    name: str
    steps: tuple[int, ...]
    budget_minor: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Steps in an order in which each stands behind those that it follows.

    ``shared``: leases of tariffs that are not linear; those of linear ones the program shapes itself.
    ``blackouts_minutes``: from and to, minutes from the start; no step runs in them.
    """

    steps: tuple[Step, ...]
    currency: str
    budget_minor: int | None = None
    shared: tuple[SharedLease, ...] = ()
    blackouts_minutes: tuple[tuple[int, int], ...] = ()
    sellers_at_least: int | None = None
    sellers_at_most: int | None = None
    spot_share_at_most: Fraction | None = None
    """Of the booked GPU-minutes, on machines that can be taken back."""
    quotas: tuple[SellerQuota, ...] = ()
    projects: tuple[Portion, ...] = ()
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Assignment:
    """A phase in a lease: which step, on which candidate, from when."""

    step: int
    candidate: Candidate
    start_minutes: int

    @property
    def end_minutes(self) -> int:
        return self.start_minutes + self.candidate.span_minutes


@dataclass(frozen=True, slots=True)
class ChosenLease:
    """A lease that the program chose: the phases in it by their start, and the prepaid terms."""

    assignments: tuple[Assignment, ...]
    bundle: Bundle

    @property
    def candidate(self) -> Candidate:
        """Any of its phases' candidates: they share offer, nodes and tariff."""
        return self.assignments[0].candidate

    @property
    def tariff(self) -> Tariff:
        """Under the lease's own terms."""
        return self.candidate.tariff.under(self.bundle)

    @property
    def terms(self) -> tuple[str, ...]:
        """What it is paid by: its prepaid terms, and hours where it lasts beyond them."""
        prepaid = tuple(term for term, _ in self.bundle.counts)
        is_metered = self.end_minutes - self.start_minutes > self.tariff.prepaid_minutes(self.bundle)
        return (*prepaid, "hour") if is_metered else prepaid

    @property
    def start_minutes(self) -> int:
        return min(assignment.start_minutes for assignment in self.assignments)

    @property
    def end_minutes(self) -> int:
        return max(assignment.end_minutes for assignment in self.assignments)


@dataclass(frozen=True, slots=True)
class ChosenPlan:
    """A whole plan, as the program reckons it: ``cost_minor`` is proven least up to ``bound_minor``."""

    leases: tuple[ChosenLease, ...]
    cost_minor: int
    bound_minor: int

    @property
    def is_proven(self) -> bool:
        return self.cost_minor == self.bound_minor


@dataclass(frozen=True, slots=True)
class Entry:
    """The least cost of a plan that runs a step on a resource that the best plan does not rent; None: there is none."""

    step: int
    key: tuple[str, int]
    cost_minor: int | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """Proven: no plan is cheaper than ``best``. ``by_seller``: the best plan of each other seller.

    ``entries``: of the cheapest candidates of offers that ``best`` does not rent, as far as the time went.
    """

    best: ChosenPlan
    runners_up: tuple[ChosenPlan, ...] = ()
    by_seller: tuple[tuple[str, ChosenPlan], ...] = ()
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Impossible:
    """No plan keeps all rules of ``conflict``; ``is_smallest``: drop any one of them, and a plan keeps the others."""

    conflict: tuple[str, ...]
    is_smallest: bool = True


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The time limit came first: the best plan so far, or None; nothing is cheaper than ``bound_minor``."""

    best: ChosenPlan | None
    bound_minor: int


Decision = Chosen | Impossible | Unfinished


@dataclass(frozen=True, slots=True)
class BilledPlan:
    """A finished plan: what was chosen, the bill of each lease, in the same order, and what is moved between them."""

    chosen: ChosenPlan
    bills: tuple[Bill, ...]
    moved: tuple[Moved, ...] = ()

    @property
    def cost_minor(self) -> int:
        return sum(bill.cost_minor for bill in self.all_bills)

    @property
    def cost_safe_minor(self) -> int:
        return sum(bill.cost_safe_minor for bill in self.all_bills)

    @property
    def all_bills(self) -> tuple[Bill, ...]:
        return (*self.bills, *(end.bill for one in self.moved for _, end in one.ends if end.bill is not None))

    def cost_safe_minor_of(self, project: Portion) -> int:
        """Of the leases in which the project runs, in full, and of what its phases take."""
        leases_minor = sum(
            bill.cost_safe_minor
            for lease, bill in zip(self.chosen.leases, self.bills, strict=True)
            if any(a.step in project.steps for a in lease.assignments)
        )
        phases = {a.candidate.phase for step, a in self.by_step.items() if step in project.steps}
        return leases_minor + sum(one.cost_minor for one in self.moved if one.move.phase in phases)

    def most_gpus(self, quota: SellerQuota) -> int:
        """Of the quota's offers, the cards leased at one time: at the start of the lease at which they are the most."""
        bound = [lease for lease in self.chosen.leases if lease.candidate.offer.id in quota.offers]
        at_starts = (
            sum(one.candidate.gpus for one in bound if one.start_minutes <= lease.start_minutes < one.end_minutes)
            for lease in bound
        )
        return max(at_starts, default=0)

    @property
    def by_step(self) -> dict[int, Assignment]:
        """Where each step runs."""
        return {a.step: a for lease in self.chosen.leases for a in lease.assignments}


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that a finished plan breaks: a mistake of ours, so the plan is not shown."""

    rule: str
    where: str
    needs: str
    has: str
