"""Puts the report together."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from planner.explaining.assumptions import assumptions, of_shapes
from planner.explaining.billed import money
from planner.explaining.comparing import compared
from planner.explaining.conflicts import Need
from planner.explaining.entering import candidate_lines
from planner.explaining.notices import notices
from planner.explaining.plans import candidates_of, plan_report
from planner.explaining.probes import probes
from planner.explaining.storage import storage_gb
from planner.values.audit import Doubt
from planner.values.catalog import Catalog
from planner.values.distinct import Distinct
from planner.values.frame import Frame
from planner.values.matches import Matches
from planner.values.model import Model
from planner.values.plans import BilledPlan, Entry
from planner.values.report import (
    REPORT_SCHEMA,
    CandidateLine,
    CatalogFile,
    CatalogReport,
    ConflictLine,
    Held,
    Notice,
    PlanReport,
    Relaxation,
    Report,
    SellerPlan,
)
from planner.values.scenario import Scenario

PACKAGE = "gpu-lease-planner"


@dataclass(frozen=True, slots=True)
class Told:
    """Everything that a report tells of. ``plans`` are best first; ``by_seller`` each other seller's best."""

    status: Literal["chosen", "impossible", "unfinished"]
    scenario: Scenario
    models: dict[str, Model]
    frame: Frame
    catalog: Catalog
    matches: Matches
    plans: tuple[BilledPlan, ...] = ()
    by_seller: tuple[tuple[str, BilledPlan], ...] = ()
    conflict: tuple[Need, ...] = ()
    is_conflict_smallest: bool = True
    relaxations: tuple[Relaxation, ...] = ()
    held: Held | None = None
    distinct: Distinct = Distinct.PLAN
    entries: tuple[Entry, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    unmixed_minor: int | None = None
    """Where phases are mixes: the cheapest plan that serves each from one offer."""


def explain(told: Told) -> Report:
    """The report of one planning."""
    best = told.plans[0] if told.plans else None
    return Report(
        schema=REPORT_SCHEMA,
        status=told.status,
        currency=told.scenario.currency,
        start=told.frame.start.isoformat(),
        order_by=told.frame.order_by.isoformat(),
        plans=tuple(_plan(told, rank, plan) for rank, plan in enumerate(told.plans, start=1)),
        seller_plans=tuple(
            SellerPlan(seller, _is_wholly(seller, plan), _plan(told, rank, plan))
            for rank, (seller, plan) in enumerate(told.by_seller, start=1)
        ),
        candidates=tuple(_candidates(told, best)),
        probes=probes(told.plans, told.scenario),
        held=told.held,
        distinct=told.distinct.value,
        rejections=told.matches.rejections,
        funnel=told.matches.funnel,
        conflict=tuple(ConflictLine(need.rule, need.phase) for need in told.conflict),
        is_conflict_smallest=told.is_conflict_smallest,
        relaxations=told.relaxations,
        assumptions=(*assumptions(told.scenario, told.models, told.frame, best), *of_shapes(told.matches)),
        warnings=() if best is None else (*_unmixed(told), *notices(best, told.frame, told.doubts)),
        storage_gb=storage_gb(told.scenario, told.models),
        scenario=told.scenario.model_dump(mode="json", by_alias=True),
        catalog=_catalog(told),
        versions={"planner": _version(PACKAGE), "ortools": _version("ortools")},
    )


def _unmixed(told: Told) -> Iterator[Notice]:
    if told.unmixed_minor is not None:
        yield Notice("unmixed", "", f"{money(told.unmixed_minor, told.scenario.currency)} {told.scenario.currency}")


def _candidates(told: Told, best: BilledPlan | None) -> Iterator[CandidateLine]:
    entries = {(entry.step, entry.key): entry for entry in told.entries}
    for step, phase in enumerate(told.scenario.phases):
        yield from candidate_lines(told.matches.candidates[phase.name], step, best, entries, told.scenario.currency)


def _plan(told: Told, rank: int, plan: BilledPlan) -> PlanReport:
    best = told.plans[0]
    report = plan_report(rank, plan, best, told.scenario, told.frame)
    return compared(report, plan, best, told.scenario.currency)


def _is_wholly(seller: str, plan: BilledPlan) -> bool:
    return all(candidate.offer.seller == seller for candidate in candidates_of(plan))


def _catalog(told: Told) -> CatalogReport:
    overlay = told.catalog.overlay
    plans = (*told.plans, *(plan for _, plan in told.by_seller))
    offers = {candidate.offer.id: candidate.offer for plan in plans for candidate in candidates_of(plan)}
    return CatalogReport(
        files=tuple(CatalogFile(file.name, file.sha256) for file in told.catalog.files),
        sha256=told.catalog.sha256,
        overlay=None if overlay is None else CatalogFile(overlay.name, overlay.sha256),
        offers={
            name: offers[name].model_dump(mode="json", by_alias=True, exclude_none=True) for name in sorted(offers)
        },
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
