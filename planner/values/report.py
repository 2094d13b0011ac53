"""The report: everything that a reader is told, as values. No sentence, no timing, no path of a machine.

Field names are those of the JSON document (planner.report/1). Money is decimal text in the major unit, dates
are ISO 8601 text with their UTC offset, rules and reasons are stable identifiers.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from planner.values.matches import FunnelStep, Rejection

REPORT_SCHEMA = "planner.report/1"


@dataclass(frozen=True, slots=True)
class ChargeLine:
    """quantity x unit_price = cost, rounded once. ``agreed_percent``: off the unit price already, as agreed."""

    what: str
    quantity: str
    unit: str
    unit_price: str
    currency: str
    cost: str
    agreed_percent: str | None = None


@dataclass(frozen=True, slots=True)
class ComplianceLine:
    """outcome: met, not_met or unknown (then accepted until the seller confirms)."""

    requirement: str
    needs: str
    has: str
    outcome: str
    evidence: str
    field: str


@dataclass(frozen=True, slots=True)
class BilledReport:
    """What the seller bills in its own currency, with expected hours, and how that becomes the lease's cost.

    ``exchange_rate``: units of the plan's currency for one of the seller's. ``tax_percent`` None: the seller does not
    say whether its prices hold tax. ``is_deducted``: the buyer gets the tax back, so the cost is net. ``withheld``: tax
    that the buyer pays beside the bill.
    """

    currency: str
    billed: str
    net: str
    tax: str
    gross: str
    tax_percent: str | None
    is_deducted: bool
    withheld: str
    exchange_rate: str
    rate_source: str


@dataclass(frozen=True, slots=True)
class LeaseReport:
    """A lease of an offer. ``end`` is when the last phase in it may end; ``paid_until`` what is paid for."""

    id: str
    offer: str
    seller: str
    region: str
    gpu: str
    gpus_per_node: int
    nodes: int
    terms: tuple[str, ...]
    start: str
    end: str
    paid_until: str
    charges: tuple[ChargeLine, ...]
    cost: str
    cost_safe: str
    compliance: tuple[ComplianceLine, ...]
    is_orderable: bool
    price_kind: str
    observed: str
    valid_until: str | None
    billed: BilledReport | None = None
    """Only where cost is not what is billed, or its tax is known."""
    restart_minutes: int | None = None
    """Given back while it waits and rented anew, each time with so many minutes of setting up; None: it is not."""


@dataclass(frozen=True, slots=True)
class LayoutReport:
    zero: int
    tensor: int
    pipeline: int
    context: int
    data: int
    micro_batch: int
    accumulation: int
    checkpointing: str
    offload: str


@dataclass(frozen=True, slots=True)
class TimePart:
    name: str
    hours: float


@dataclass(frozen=True, slots=True)
class TimeReport:
    tokens_per_second: float
    expected_hours: float
    safe_hours: float
    parts: tuple[TimePart, ...]
    is_extrapolated: bool


@dataclass(frozen=True, slots=True)
class SizeShare:
    """How many of the requests of a size go to an offer of a mix, over the day."""

    context_tokens: int
    percent: float


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """``memory`` has a number for each part (NAME_gib), peak_gib, high_gib (interval's end), capacity_gib.

    ``replicas_by_hour``: 24 numbers where the load changes over the day.
    """

    name: str
    kind: str
    lease: str
    start: str
    end: str
    hours: float
    hours_safe: float
    deadline: str | None
    slack_hours: float | None
    layout: LayoutReport
    memory: dict[str, float]
    time: TimeReport
    replicas_by_hour: tuple[int, ...] = ()
    sizes: tuple[SizeShare, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveReport:
    """Data that a phase takes from another that runs at another seller or in another region.

    ``hours`` from the end of that phase until it has arrived. ``charges`` are those of both sellers, where known.
    """

    id: str
    from_phase: str
    to_phase: str
    from_offer: str
    to_offer: str
    gb: float
    hours: float
    charges: tuple[ChargeLine, ...]
    cost: str


@dataclass(frozen=True, slots=True)
class Condition:
    """What a seller must still confirm in writing before the plan complies."""

    requirement: str
    offer: str
    seller: str
    field: str
    needs: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What a plan has otherwise than the best, phase by phase: which offer, how many nodes, when it ends."""

    phase: str
    offer: str
    nodes: int
    best_offer: str
    best_nodes: int


@dataclass(frozen=True, slots=True)
class ChargeDifference:
    """What a plan pays more than the best for one kind of charge, in the plan's currency; less has a minus."""

    what: str
    more: str


@dataclass(frozen=True, slots=True)
class Advantage:
    """What a plan has better than the best, in a phase or ("") as a whole.

    ``what``: inter_gbps (network between nodes, Gb/s a node), card_gib (memory of a card), end_hours (latest finish,
    hours from the scenario's start), nodes, orderable (1 or 0), unknowns (to be confirmed in writing).
    """

    what: str
    phase: str
    has: float
    best_has: float


@dataclass(frozen=True, slots=True)
class PlanReport:
    """``delta_to_best`` is money in the major unit, ``delta_percent`` the same as a share of the best plan's cost.

    ``by_charge`` sums to ``delta_to_best``. ``advantages`` are told of near ties only.
    """

    rank: int
    cost: str
    cost_safe: str
    proven_optimal: bool
    gap_percent: float
    delta_to_best: str
    delta_percent: float
    differences: tuple[Difference, ...]
    conditions: tuple[Condition, ...]
    leases: tuple[LeaseReport, ...]
    phases: tuple[PhaseReport, ...]
    by_charge: tuple[ChargeDifference, ...] = ()
    is_near_tie: bool = False
    advantages: tuple[Advantage, ...] = ()
    moves: tuple[MoveReport, ...] = ()


@dataclass(frozen=True, slots=True)
class SellerPlan:
    """The best plan of a seller that the best plan does not rent from; ``wholly``: all phases with it."""

    seller: str
    wholly: bool
    plan: PlanReport


@dataclass(frozen=True, slots=True)
class ConflictLine:
    """One of a smallest set of rules that cannot all hold. ``phase`` "": the whole plan."""

    rule: str
    phase: str


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The cheapest plan without a rule, and the value that the rule would have to take."""

    rule: str
    from_: Annotated[str, Field(serialization_alias="from")]
    to: str
    cost: str
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Assumption:
    """A default that the scenario or the catalog did not set and that the answer rests on."""

    field: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to know about an offer or a phase in the plan; ``value`` is what it is about."""

    rule: str
    subject: str
    value: str


@dataclass(frozen=True, slots=True)
class CatalogFile:
    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class CatalogReport:
    """The files read, and the whole record of every offer that a plan names. ``sha256``: of all files together.

    ``overlay``: the user's own terms that were laid over them.
    """

    files: tuple[CatalogFile, ...]
    offers: dict[str, dict[str, Any]]
    sha256: str = ""
    overlay: CatalogFile | None = None


@dataclass(frozen=True, slots=True)
class CandidateLine:
    """An offer and node count that a phase can run on: how long it takes there and why, and what it costs alone.

    ``entry``: chosen, rented (the best plan rents the offer otherwise), reckoned, impossible (no plan can run the phase
    on it), or not_reckoned (not among the cheapest, or the time limit came first). ``cheaper``: where reckoned, how
    much less it would have to cost to be in the best plan: what the cheapest plan that uses it costs more;
    ``cheaper_percent`` of ``cost``. ``dominated_by``: another candidate, alone no dearer, no slower and no later.
    """

    phase: str
    offer: str
    seller: str
    nodes: int
    tokens_per_second: float
    expected_hours: float
    safe_hours: float
    parts: tuple[TimePart, ...]
    peak_gib: float
    high_gib: float
    capacity_gib: float
    scaling_percent: float | None
    cost: str
    entry: Literal["chosen", "rented", "reckoned", "impossible", "not_reckoned"] = "not_reckoned"
    cheaper: str | None = None
    cheaper_percent: float | None = None
    dominated_by: str = ""
    dominated_by_nodes: int = 0


@dataclass(frozen=True, slots=True)
class Held:
    """The cheapest plan that never stops a machine whose cards may be lost; ``restarts``: by offer, in the best one."""

    restarts: dict[str, int]
    cost: str | None
    """None where no such plan was found."""
    delta_to_best: str | None


@dataclass(frozen=True, slots=True)
class Probe:
    """A few hours on the best plan's machine before signing, where the choice hangs on an estimate.

    On several nodes it runs on one node, then on two. If the phase turns out as slow as is booked, the plan of
    rank ``alternative`` would have been ``apart`` cheaper.
    """

    phase: str
    offer: str
    nodes: tuple[int, ...]
    hours: float
    cost: str
    alternative: int
    apart: str


@dataclass(frozen=True, slots=True)
class Report:
    schema: str
    status: Literal["chosen", "impossible", "unfinished"]
    currency: str
    start: str
    order_by: str
    plans: tuple[PlanReport, ...]
    seller_plans: tuple[SellerPlan, ...]
    rejections: tuple[Rejection, ...]
    funnel: tuple[FunnelStep, ...]
    conflict: tuple[ConflictLine, ...]
    relaxations: tuple[Relaxation, ...]
    assumptions: tuple[Assumption, ...]
    warnings: tuple[Notice, ...]
    storage_gb: tuple[tuple[str, float], ...]
    scenario: dict[str, Any]
    catalog: CatalogReport
    versions: dict[str, str]
    candidates: tuple[CandidateLine, ...] = ()
    probes: tuple[Probe, ...] = ()
    held: Held | None = None
    distinct: Literal["plan", "offer", "gpu", "seller"] = "plan"
    """What each plan of ``plans`` has otherwise, in at least one phase, than those before it."""
    is_conflict_smallest: bool = True
    """False: the time did not suffice to say whether fewer rules than those of ``conflict`` cannot all hold."""
