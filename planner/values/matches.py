"""What came of holding each phase against each offer: candidates, or rejections with their reasons."""

from dataclasses import dataclass
from enum import StrEnum

from planner.values.burden import Burden
from planner.values.catalog import Offer
from planner.values.estimate import MemoryEstimate, TimeEstimate
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout
from planner.values.lease import Charge, Price, Use, span_minutes
from planner.values.tariff import Tariff


class Outcome(StrEnum):
    MET = "met"
    NOT_MET = "not_met"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Compliance:
    """One requirement held against one offer. ``needs`` and ``has`` are values, not sentences.

    ``field`` names what to ask the seller for when the outcome is unknown. ``is_accepted``: not met or not
    known, and yet accepted: by the scenario until the seller confirms it in writing, or to see what the
    requirement costs. ``levers`` are changes to the work that would make it fit, each alone.
    """

    requirement: str
    needs: str
    has: str
    outcome: Outcome
    evidence: str = ""
    field: str = ""
    is_accepted: bool = False
    levers: tuple[str, ...] = ()

    @property
    def is_broken(self) -> bool:
        return self.outcome is not Outcome.MET and not self.is_accepted


@dataclass(frozen=True, slots=True)
class Candidate:
    """An offer x node count that a phase can run on, with everything the choice and the report need.

    ``run_minutes`` are expected, ``safe_run_minutes`` booked. ``earliest_minutes``: the lease cannot begin
    before, counted from the start of the scenario. ``prices`` are those of a lease for this phase alone.
    ``scaling_percent``: speed over several nodes as a share of the same cards in one; None on one node.
    ``replicas_by_hour``: those that each hour of the day needs, where the load changes over the day.
    """

    phase: str
    offer: Offer
    nodes: int
    hardware: HardwareClass
    layout: Layout
    memory: MemoryEstimate
    time: TimeEstimate
    run_minutes: int
    safe_run_minutes: int
    minutes_per_day: int
    earliest_minutes: int
    tariff: Tariff
    prices: tuple[Price, ...]
    compliance: tuple[Compliance, ...] = ()
    is_tight: bool = False
    scaling_percent: float | None = None
    is_measured: bool = False
    replicas_by_hour: tuple[int, ...] = ()
    extras: tuple[Charge, ...] = ()
    burden: Burden | None = None

    def use(self, start_minutes: int) -> Use:
        """The phase in a lease, from so many minutes after the lease's start."""
        return Use(start_minutes, self.run_minutes, self.safe_run_minutes, self.minutes_per_day, self.extras)

    @property
    def extras_minor(self) -> int:
        """What is billed for storage and traffic, wherever the lease begins and ends."""
        return sum(charge.cost_minor for charge in self.extras)

    @property
    def gpus(self) -> int:
        return self.nodes * self.offer.gpus_per_node

    @property
    def booked_gpu_minutes(self) -> int:
        return self.safe_run_minutes * self.gpus

    @property
    def key(self) -> tuple[str, int]:
        """The resource: leases of the same resource may be shared."""
        return (self.offer.id, self.nodes)

    @property
    def span_minutes(self) -> int:
        return span_minutes(self.safe_run_minutes, self.minutes_per_day)


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why an offer, at a node count (0: at any), is no candidate for a phase.

    ``rules`` are all the rules that it breaks; ``reason`` is the first, or "unknown" where the value that
    it needs is not known: ``has`` then names the field to ask the seller for. ``levers`` are changes to the
    work that would make it fit.
    """

    phase: str
    offer: str
    seller: str
    nodes: int
    reason: str
    rule: str
    needs: str
    has: str
    rules: tuple[str, ...]
    levers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """How many offers were left, for at least one phase, after a rule."""

    rule: str
    offers_left: int


@dataclass(frozen=True, slots=True)
class Matches:
    """Candidates in the order of seller, offer, nodes, by phase."""

    candidates: dict[str, tuple[Candidate, ...]]
    rejections: tuple[Rejection, ...]
    funnel: tuple[FunnelStep, ...]
