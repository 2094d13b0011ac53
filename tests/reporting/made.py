"""Reports made by hand: two phases, two leases, sums that can be checked in one's head."""

from dataclasses import replace
from typing import Any

from planner.values.matches import FunnelStep, Rejection
from planner.values.report import (
    Assumption,
    CandidateLine,
    CatalogFile,
    CatalogReport,
    ChargeDifference,
    ChargeLine,
    ComplianceLine,
    Condition,
    ConflictLine,
    Difference,
    LayoutReport,
    LeaseReport,
    Notice,
    PhaseReport,
    PlanReport,
    Probe,
    Relaxation,
    Report,
    SellerPlan,
    TimePart,
    TimeReport,
)

CERTIFICATE = Condition("certification", "h20-x4", "极智算", "certificates.等保三级", "等保三级")


def charge(what: str, quantity: str, unit: str, price: str, cost: str) -> ChargeLine:
    return ChargeLine(what, quantity, unit, price, "CNY", cost)


def lease(name: str = "lease-1", **changes: Any) -> LeaseReport:
    """Four H20 for 100 expected and 120 booked hours: 400 x 6.20 = 2,480.00, at most 2,976.00."""
    made = LeaseReport(
        id=name,
        offer="h20-x4",
        seller="极智算",
        region="CN / 四川",
        gpu="H20 96G",
        gpus_per_node=4,
        nodes=1,
        terms=("hour",),
        start="2026-11-02T00:00:00+08:00",
        end="2026-11-07T00:00:00+08:00",
        paid_until="2026-11-07T00:00:00+08:00",
        charges=(charge("run", "400", "gpu-hour", "6.20", "2480.00"),),
        cost="2480.00",
        cost_safe="2976.00",
        compliance=(ComplianceLine("place", "CN", "CN", "met", "Chinese platform", "place.country"),),
        is_orderable=True,
        price_kind="list",
        observed="2026-10-27",
        valid_until=None,
    )
    return replace(made, **changes)


def month(name: str = "lease-2") -> LeaseReport:
    """One node by the month, with a day on top: 7,920.00 + 264.00 = 8,184.00."""
    return lease(
        name,
        offer="4090-x8",
        seller="JYGPU",
        gpu="RTX 4090",
        gpus_per_node=8,
        terms=("month", "day"),
        start="2026-11-07T00:00:00+08:00",
        end="2026-12-07T12:00:00+08:00",
        paid_until="2026-12-08T00:00:00+08:00",
        charges=(
            charge("month", "1", "node-month", "7920", "7920.00"),
            charge("day", "1", "node-day", "264", "264.00"),
        ),
        cost="8184.00",
        cost_safe="8184.00",
    )


def phase(name: str = "train", **changes: Any) -> PhaseReport:
    made = PhaseReport(
        name=name,
        kind="train",
        lease="lease-1",
        start="2026-11-02T00:00:00+08:00",
        end="2026-11-07T00:00:00+08:00",
        hours=100.0,
        hours_safe=120.0,
        deadline="2026-11-23T00:00:00+08:00",
        slack_hours=384.0,
        layout=LayoutReport(3, 1, 1, 1, 4, 1, 16, "full", "none"),
        memory={"weights_gib": 6.9, "optimizer_gib": 41.3, "peak_gib": 48.2, "high_gib": 60.0, "capacity_gib": 95.6},
        time=TimeReport(2778.0, 100.0, 120.0, (TimePart("compute", 80.0), TimePart("communication", 20.0)), False),
    )
    return replace(made, **changes)


def serve() -> PhaseReport:
    return phase(
        "serve",
        kind="serve",
        lease="lease-2",
        start="2026-11-07T00:00:00+08:00",
        end="2026-12-07T12:00:00+08:00",
        hours=305.0,
        hours_safe=305.0,
        deadline=None,
        slack_hours=None,
        layout=LayoutReport(0, 2, 1, 1, 4, 1, 1, "none", "none"),
        time=TimeReport(402.5, 305.0, 305.0, (TimePart("serving", 305.0),), False),
    )


def plan(rank: int = 1, **changes: Any) -> PlanReport:
    made = PlanReport(
        rank=rank,
        cost="10664.00",
        cost_safe="11160.00",
        proven_optimal=True,
        gap_percent=0.0,
        delta_to_best="0.00",
        delta_percent=0.0,
        differences=(),
        conditions=(),
        leases=(lease(), month()),
        phases=(phase(), serve()),
    )
    return replace(made, **changes)


def candidate(offer: str, nodes: int, hours: float, cost: str, **changes: Any) -> CandidateLine:
    booked = hours * 1.2
    made = CandidateLine("train", offer, "极智算", nodes, 2778.0, hours, booked, (), 48.2, 60.0, 95.6, None, cost)
    return replace(made, **changes)


def dearer() -> PlanReport:
    difference = Difference("train", "h200-x2", 2, "h20-x4", 1)
    return plan(
        2,
        cost="11197.20",
        delta_to_best="533.20",
        delta_percent=5.0,
        differences=(difference,),
        by_charge=(ChargeDifference("month", "793.20"), ChargeDifference("run", "-260.00")),
    )


def report(**changes: Any) -> Report:
    """Chosen, without conditions."""
    made = Report(
        schema="planner.report/1",
        status="chosen",
        currency="CNY",
        start="2026-11-02",
        order_by="2026-10-30",
        plans=(plan(), dearer()),
        seller_plans=(SellerPlan("聚力算力", True, dearer()),),
        rejections=(
            Rejection("train", "4090-x8", "JYGPU", 0, "memory", "memory", "55.2 GiB a card", "24.0 GiB a card",
                          ("memory",), ("quantization",)),
            Rejection("train", "910b-x1", "聚力算力", 0, "stack", "stack", "cuda", "cann", ("stack",)),
            Rejection("serve", "910b-x1", "聚力算力", 0, "stack", "stack", "cuda", "cann", ("stack",)),
            Rejection("train", "h20-x4", "极智算", 2, "unknown", "inter_link",
                          "InfiniBand | RoCE >= 200 Gb/s a port", "inter_link", ("inter_link",)),
        ),
        funnel=(FunnelStep("offers", 4), FunnelStep("stack", 3), FunnelStep("memory", 2)),
        conflict=(),
        relaxations=(),
        assumptions=(
            Assumption("order_by", "2026-10-30", "order_by_start"),
            Assumption("phases.train.batch_sequences", "64", "guess_batch"),
            Assumption("offers.h20-x4.stock", "enough", "stock_not_said"),
            Assumption("offers.4090-x8.stock", "enough", "stock_not_said"),
        ),
        warnings=(Notice("price_age_days", "4090-x8", "40"),),
        storage_gb=(("train", 413.6),),
        scenario={"name": "Two phases", "phases": [{"name": "train"}, {"name": "serve"}]},
        catalog=CatalogReport(
            (CatalogFile("prices.yaml", "00" * 32),),
            {"h20-x4": {"source": "the seller's page"}, "4090-x8": {"source": "the seller's page"}},
        ),
        versions={"planner": "0.1.0"},
        candidates=(
            candidate("h200-x2", 2, 152.0, "3013.20", entry="reckoned", cheaper="533.20", cheaper_percent=17.7,
                      dominated_by="h20-x4", dominated_by_nodes=1),
            candidate("h20-x4", 1, 100.0, "2480.00", entry="chosen"),
            candidate("h100-x8", 1, 30.0, "9000.00"),
        ),
        probes=(Probe("train", "h20-x4", (1, 2), 4.0, "99.20", 2, "120.00"),),
    )  # fmt: skip
    return replace(made, **changes)


def conditional() -> Report:
    """Conditional on a certificate, at the price of a market range, and not the cheapest for sure."""
    cheap = lease(is_orderable=False, price_kind="market_range", compliance=(
        ComplianceLine("certification", "等保三级", "", "unknown", "", "certificates.等保三级"),
    ))  # fmt: skip
    best = plan(leases=(cheap, month()), conditions=(CERTIFICATE,), proven_optimal=False, gap_percent=1.2)
    return report(plans=(best,), seller_plans=())


def impossible() -> Report:
    return report(
        status="impossible",
        plans=(),
        seller_plans=(),
        funnel=(FunnelStep("offers", 4), FunnelStep("certification", 0), FunnelStep("stack", 0)),
        conflict=(ConflictLine("certification", "train"), ConflictLine("deadline", "serve")),
        relaxations=(
            Relaxation("certification", "等保三级", "unknown: certificates.等保三级", "10664.00", (CERTIFICATE,)),
            Relaxation("deadline", "504.0 h", "610.5 h", "9000.00", ()),
            Relaxation("place + term", "CN; month", "US; hour", "8000.00", ()),
        ),
        warnings=(),
    )


def unfinished(*plans: PlanReport) -> Report:
    return report(status="unfinished", plans=plans, seller_plans=())
