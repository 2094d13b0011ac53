"""The best plan: each lease, and the phases that run in it."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from operator import itemgetter

from planner.reporting import figures
from planner.reporting.answer import gpus_said, terms_said
from planner.reporting.layouts import layout_said
from planner.reporting.paper import Paper
from planner.reporting.wording import counted, sentence, words
from planner.reporting.wording.parts import MEMORY_PARTS, PHASE_KINDS, TIME_PARTS
from planner.values.quantities import HOURS_PER_DAY
from planner.values.report import BilledReport, LeaseReport, MoveReport, PhaseReport, Report

# Hours are stated to a minute's fraction; a phase that runs all day spans as many as it books.
_MINUTE_HOURS = 1 / 60
_PARTS = frozenset({"peak_gib", "high_gib", "capacity_gib"})


def write_plan(paper: Paper, report: Report) -> None:
    plan = report.plans[0]
    paper.heading(sentence("title_plan"))
    for lease in plan.leases:
        paper.blank()
        nodes = counted(lease.nodes, "node")
        paper.say(sentence("lease", lease=lease.id, nodes=nodes, gpus=gpus_said(lease), seller=lease.seller))
        paper.pairs(_lease_lines(lease, report.currency), indent=2)
        for phase in plan.phases:
            if phase.lease == lease.id:
                paper.blank()
                paper.say(sentence("phase", name=phase.name, kind=words(PHASE_KINDS, phase.kind)), indent=2)
                paper.pairs(_phase_lines(phase), indent=4)
    for move in plan.moves:
        paper.blank()
        paper.say(_move(move, report.currency))


def _move(move: MoveReport, currency: str) -> str:
    return sentence(
        "move",
        move=move.id,
        size=figures.gb(move.gb),
        before=move.from_phase,
        from_offer=move.from_offer,
        phase=move.to_phase,
        to_offer=move.to_offer,
        hours=figures.hours(move.hours),
        cost=figures.money(move.cost, currency),
    )


def _lease_lines(lease: LeaseReport, currency: str) -> Iterator[tuple[str, str]]:
    yield sentence("label_offer"), lease.offer
    yield sentence("label_place"), lease.region or sentence("place_unknown")
    anew = lease.restart_minutes
    yield sentence("label_billing"), terms_said(lease) if anew is None else sentence("anew", minutes=anew)
    days = figures.days(figures.elapsed_hours(lease.start, lease.end) / HOURS_PER_DAY)
    key = "lasts" if lease.paid_until == lease.end else "paid_until"
    span, until = figures.span(lease.start, lease.end), figures.moment(lease.paid_until)
    yield sentence("label_rented"), sentence(key, span=span, days=days, until=until)
    cost, most = figures.money(lease.cost, currency), figures.money(lease.cost_safe, currency)
    is_sure = lease.cost == lease.cost_safe
    yield sentence("label_cost"), cost if is_sure else sentence("cost_at_most", cost=cost, most=most)
    if lease.billed is not None:
        yield sentence("label_billed"), _billed(lease.billed, currency)


def _billed(billed: BilledReport, currency: str) -> str:
    """From the seller's bill to the lease's cost, step by step."""
    said = [figures.money(billed.billed, billed.currency)]
    if billed.tax_percent is not None:
        said.append(
            sentence(
                "tax",
                net=figures.money(billed.net, billed.currency),
                tax=figures.money(billed.tax, billed.currency),
                percent=billed.tax_percent,
                gross=figures.money(billed.gross, billed.currency),
            )
        )
        if Decimal(billed.tax):
            said.append(sentence("tax_deducted" if billed.is_deducted else "tax_borne"))
    if Decimal(billed.withheld):
        said.append(sentence("withheld", amount=figures.money(billed.withheld, billed.currency)))
    if billed.currency != currency:
        said.append(
            sentence(
                "exchange", one=billed.currency, rate=billed.exchange_rate, currency=currency, source=billed.rate_source
            )
        )
    return "; ".join(said)


def _phase_lines(phase: PhaseReport) -> Iterator[tuple[str, str]]:
    yield sentence("label_when"), figures.span(phase.start, phase.end)
    key = "hours_exact" if phase.hours == phase.hours_safe else "hours"
    expected, safe = figures.hours(phase.hours), figures.hours(phase.hours_safe)
    yield sentence("label_hours"), sentence(key, expected=expected, safe=safe)
    yield sentence("label_finish"), _finish(phase)
    if phase.deadline is not None:
        yield sentence("label_deadline"), _deadline(phase.deadline, phase.slack_hours or 0.0)
    yield sentence("label_layout"), layout_said(phase.layout, phase.kind)
    yield sentence("label_memory"), memory_said(phase.memory)
    yield "", memory_parts_said(phase.memory)
    yield sentence("label_speed"), _speed(phase)
    if phase.replicas_by_hour:
        yield sentence("label_by_hour"), by_hour_said(phase.replicas_by_hour)
    if phase.sizes:
        said = (
            sentence("size_share", percent=f"{one.percent:g}", tokens=figures.whole(one.context_tokens))
            for one in phase.sizes
        )
        yield sentence("label_sizes"), ", ".join(said)


def by_hour_said(replicas: Sequence[int]) -> str:
    """Runs of hours that need as many replicas."""
    runs = [(count, [hour for hour, _ in run]) for count, run in groupby(enumerate(replicas), key=itemgetter(1))]
    return ", ".join(
        sentence("by_hour", replicas=counted(count, "replica"), start=f"{run[0]:02}:00", end=f"{run[-1] + 1:02}:00")
        for count, run in runs
    )


def _finish(phase: PhaseReport) -> str:
    """The expected finish too, where it follows: a phase that runs day and night ends when its hours are over."""
    safe = figures.moment(phase.end)
    runs_all_day = abs(figures.elapsed_hours(phase.start, phase.end) - phase.hours_safe) < _MINUTE_HOURS
    if phase.hours == phase.hours_safe or not runs_all_day:
        return sentence("finish_exact", safe=safe)
    expected = figures.moment(figures.later(phase.start, phase.hours))
    return sentence("finish", expected=expected, safe=safe)


def _deadline(deadline: str, slack_hours: float) -> str:
    key = "deadline" if slack_hours >= 0 else "deadline_missed"
    return sentence(key, deadline=figures.moment(deadline), slack=figures.hours(abs(slack_hours)))


def memory_said(memory: dict[str, float]) -> str:
    return sentence(
        "memory",
        peak=figures.gib(memory.get("peak_gib", 0.0)),
        high=figures.gib(memory.get("high_gib", 0.0)),
        capacity=figures.gib(memory.get("capacity_gib", 0.0)),
    )


def memory_parts_said(memory: dict[str, float]) -> str:
    """The parts of the peak, largest first."""
    parts = sorted(((gib, name) for name, gib in memory.items() if name not in _PARTS), key=lambda part: -part[0])
    return ", ".join(f"{words(MEMORY_PARTS, name.removesuffix('_gib'))} {figures.gib(gib)}" for gib, name in parts)


def _speed(phase: PhaseReport) -> str:
    """Shares of the time that are at least a percent, largest first; none where there is only one part."""
    tokens, total = figures.whole(phase.time.tokens_per_second), phase.time.expected_hours
    parts = sorted((part for part in phase.time.parts if part.hours >= total / 100), key=lambda part: -part.hours)
    if len(parts) < 2 or not total:
        return sentence("speed", tokens=tokens)
    shares = ", ".join(f"{words(TIME_PARTS, part.name)} {figures.share(part.hours, total)}" for part in parts)
    return sentence("speed_parts", tokens=tokens, parts=shares)
