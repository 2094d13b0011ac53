"""Holds every phase against every offer and node count.

Estimates are made once per class of hardware. Offers are walked in the order of the catalog, so candidates
come out in the order of seller, offer, nodes.
"""

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from planner.matching.around import restart_minutes, with_around
from planner.matching.asked import asked_of
from planner.matching.burden import burden_of
from planner.matching.extras import extra_charges
from planner.matching.held import held
from planner.matching.judging import known
from planner.matching.measured import with_card_names
from planner.matching.requirements import REQUIREMENTS, Question
from planner.matching.requirements.machine import intra_link_of
from planner.matching.work import Needs, Refusal, needs_of
from planner.pricing import ALL_TERMS, NOTHING_OFF, best_prices, tariff
from planner.values.burden import Burden
from planner.values.catalog import Catalog, Offer
from planner.values.frame import Frame
from planner.values.hardware import HardwareClass
from planner.values.lease import Use
from planner.values.matches import Candidate, Compliance, FunnelStep, Matches, Outcome, Rejection
from planner.values.model import Model
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.requirements import InterLink, Requirements
from planner.values.scenario import EvaluatePhase, Phase, Scenario, ServePhase, TrainPhase

BYTES_PER_GIB = 2**30
DEFAULT_INTER_LINK = InterLink()
# The order of the funnel after the requirements: what the machine can do, then when.
PHYSICAL_RULES = ("stock", "node_count", "inter_link", "batch", "memory", "latency", "load", "deadline")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One offer at one node count for one phase: a candidate, or the rules broken with their values."""

    nodes: int
    candidate: Candidate | None
    broken: tuple[Compliance, ...]

    @property
    def rules(self) -> frozenset[str]:
        return frozenset(c.requirement for c in self.broken)


@dataclass
class _Matching:
    scenario: Scenario
    models: dict[str, Model]
    catalog: Catalog
    frame: Frame
    waived: frozenset[str]
    needs: dict[tuple[int, HardwareClass], Needs | Refusal] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def attempts(self, index: int, offer: Offer) -> list[Attempt]:
        phase = self.scenario.phases[index]
        asked = asked_of(self.scenario, phase)
        compliance = self._compliance(asked, offer)
        attempts = []
        most = min(
            self.scenario.nodes_at_most,
            self.scenario.nodes_at_most if offer.stock_nodes is None else offer.stock_nodes,
        )
        if most < 1:
            stock = Compliance("stock", ">= 1 nodes", str(offer.stock_nodes), Outcome.NOT_MET, field="stock")
            return [Attempt(1, None, (*_broken(compliance), stock))]
        allowed = offer.allowed_nodes
        counts = [nodes for nodes in range(1, most + 1) if allowed is None or nodes in allowed]
        if not counts and allowed is not None:
            least = Compliance("node_count", f"<= {most} nodes", f"{allowed[0]} nodes", Outcome.NOT_MET)
            return [Attempt(1, None, (*_broken(compliance), least))]
        for nodes in counts:
            attempt = self._attempt(index, phase, asked, offer, nodes, compliance)
            attempts.append(attempt)
            if "inter_link" in attempt.rules or self._more_nodes_are_useless(phase, attempt):
                break
        return attempts

    def _compliance(self, asked: Requirements, offer: Offer) -> tuple[Compliance, ...]:
        question = Question(
            asked,
            offer,
            self.catalog.gpu_of(offer),
            self.catalog.gpus,
            self.scenario.currency,
            self._burden(asked, offer),
            self.scenario.indicative,
            self.frame.order_by,
        )
        return tuple(self._judged(judge(question) for judge in REQUIREMENTS))

    def _burden(self, asked: Requirements, offer: Offer) -> Burden | None:
        return burden_of(self.scenario, self.catalog.rates, offer, asked, self.frame.order_by)

    def _judged(self, verdicts: Iterable[Compliance | None]) -> Iterator[Compliance]:
        """What was asked, each with whether a value that is not met or not known is accepted all the same."""
        accepted = self.scenario.accept_unknown
        for verdict in verdicts:
            if verdict is None:
                continue
            self.asked.add(verdict.requirement)
            is_unknown = verdict.outcome is Outcome.UNKNOWN
            by_scenario = is_unknown and ("all" in accepted or verdict.requirement in accepted)
            is_waived = verdict.requirement in self.waived and verdict.outcome is not Outcome.MET
            yield replace(verdict, is_accepted=by_scenario or is_waived)

    def _attempt(
        self,
        index: int,
        phase: Phase,
        asked: Requirements,
        offer: Offer,
        nodes: int,
        compliance: tuple[Compliance, ...],
    ) -> Attempt:
        link = tuple(self._judged((_inter_link(phase, asked, offer, nodes),)))
        compliance = (*compliance, *link)
        hardware = self._hardware(offer, nodes)
        needs = self.needs.get((index, hardware))
        if needs is None:
            needs = needs_of(phase, self.models[phase.name], hardware, self.scenario)
            self.needs[index, hardware] = needs
        if isinstance(needs, Refusal):
            refused = Compliance(needs.rule, needs.needs, needs.has, Outcome.NOT_MET, levers=needs.levers)
            return Attempt(nodes, None, (*_broken(compliance), refused))
        candidate = self._candidate(phase, asked, offer, nodes, hardware, needs, compliance)
        late = self._late(index, candidate)
        broken = (*_broken(compliance), *((late,) if late is not None else ()))
        return Attempt(nodes, None if broken else candidate, broken)

    def _hardware(self, offer: Offer, nodes: int) -> HardwareClass:
        kind, gb_per_s = intra_link_of(offer, self.catalog.gpu_of(offer))
        inter = offer.inter_link
        ram = offer.host_ram_bytes
        return HardwareClass(
            gpu=self.catalog.gpu_of(offer),
            gpus_per_node=offer.gpus_per_node,
            nodes=nodes,
            intra_kind=None if kind == "none" else kind,
            intra_gb_per_s=gb_per_s,
            inter_kind=None if inter is None or nodes == 1 else inter.kind.value,
            inter_gbps=None if inter is None or nodes == 1 else inter.port_gbps * inter.ports_per_node,
            host_ram_gib=None if ram is None else ram / BYTES_PER_GIB,
        )

    def _candidate(
        self,
        phase: Phase,
        asked: Requirements,
        offer: Offer,
        nodes: int,
        hardware: HardwareClass,
        needs: Needs,
        compliance: tuple[Compliance, ...],
    ) -> Candidate:
        time = with_around(needs.time, phase, self.models[phase.name], offer, nodes, asked, self.scenario.around)
        run_minutes = math.ceil(round(time.expected_hours * MINUTES_PER_HOUR, 6))
        safe_minutes = max(run_minutes, math.ceil(round(time.safe_hours * MINUTES_PER_HOUR, 6)))
        burden = self._burden(asked, offer) or Burden(offer.currency, self.scenario.currency)
        priced = tariff(
            offer,
            nodes,
            ALL_TERMS if "term" in self.waived else asked.terms,
            basis=burden.basis,
            agreed_percent=self.catalog.agreed_percent.get(offer.id, NOTHING_OFF),
        )
        priced = held(priced, asked, offer)
        extras = tuple(extra_charges(phase, self.models[phase.name], asked, offer, priced, safe_minutes))
        use = Use(0, run_minutes, safe_minutes, phase.minutes_per_day, extras)
        anew_minutes = None
        if asked.capacity_held is None and phase.minutes_per_day < MINUTES_PER_DAY:
            anew_minutes = restart_minutes(phase, self.models[phase.name], offer, self.scenario.around)
        lead_minutes = 0 if "lead_time" in self.waived else offer.lead_time_minutes or 0
        return Candidate(
            phase=phase.name,
            offer=offer,
            nodes=nodes,
            hardware=hardware,
            layout=needs.layout,
            memory=needs.memory,
            time=time,
            run_minutes=run_minutes,
            safe_run_minutes=safe_minutes,
            minutes_per_day=phase.minutes_per_day,
            earliest_minutes=max(
                0, self.frame.minutes_until(self.frame.order_by) + lead_minutes, self._available_minutes(offer)
            ),
            tariff=priced,
            prices=best_prices(priced, [use], anew_minutes),
            compliance=compliance,
            is_tight=needs.is_tight,
            scaling_percent=needs.scaling_percent,
            replicas_by_hour=needs.replicas_by_hour,
            extras=extras,
            burden=burden,
            is_measured=needs.is_measured,
        )

    def _available_minutes(self, offer: Offer) -> int:
        return 0 if offer.available_from is None else self.frame.minutes_until(offer.available_from)

    def _late(self, index: int, candidate: Candidate) -> Compliance | None:
        """A phase that cannot meet its deadline even if it begins as early as this offer and its release allow."""
        deadline = self.frame.deadlines_minutes[index]
        release = 0 if "release" in self.waived else self.frame.releases_minutes[index]
        end = max(candidate.earliest_minutes, release) + candidate.span_minutes
        if deadline is None or "deadline" in self.waived or end <= deadline:
            return None
        return Compliance(
            "deadline",
            f"<= {deadline / MINUTES_PER_HOUR:.1f} h",
            f"{end / MINUTES_PER_HOUR:.1f} h",
            Outcome.NOT_MET,
        )

    def _more_nodes_are_useless(self, phase: Phase, attempt: Attempt) -> bool:
        """More nodes shorten neither fixed hours nor serving, nor an evaluation that is done within a day."""
        if "batch" in attempt.rules:
            return True
        if attempt.candidate is None:
            return False
        if isinstance(phase, EvaluatePhase):
            return attempt.candidate.span_minutes <= MINUTES_PER_DAY
        return isinstance(phase, ServePhase) or (isinstance(phase, TrainPhase) and phase.work.run_minutes is not None)


def _broken(compliance: tuple[Compliance, ...]) -> tuple[Compliance, ...]:
    return tuple(c for c in compliance if c.is_broken)


def _inter_link(phase: Phase, asked: Requirements, offer: Offer, nodes: int) -> Compliance | None:
    """The link between nodes, for a lease of several nodes that train together, or where it is asked for."""
    wanted = asked.hardware.inter_link
    if nodes == 1 or (wanted is None and not isinstance(phase, TrainPhase)):
        return None
    wanted = wanted or DEFAULT_INTER_LINK
    needs = f"{' | '.join(kind.value for kind in wanted.kinds)} >= {wanted.at_least_gbps:.10g} Gb/s a port"
    link = offer.inter_link
    if link is None:
        return known("inter_link", needs, None, False, offer, "inter_link")
    has = f"{link.kind.value} {link.port_gbps:.10g} Gb/s a port, {link.ports_per_node} ports"
    is_met = link.kind in wanted.kinds and link.port_gbps >= wanted.at_least_gbps
    return known("inter_link", needs, has, is_met, offer, "inter_link")


def _rejections(phase: str, offer: Offer, attempts: list[Attempt]) -> Iterator[Rejection]:
    """One for the offer where the same rules break at every count; else one for each count."""
    common = frozenset.intersection(*(attempt.rules for attempt in attempts))
    if common and any(attempt.rules == common for attempt in attempts):
        attempts = [Attempt(0, None, next(a.broken for a in attempts if a.rules == common))]
    for attempt in attempts:
        if attempt.broken:
            first = attempt.broken[0]
            is_unknown = first.outcome is Outcome.UNKNOWN
            yield Rejection(
                phase=phase,
                offer=offer.id,
                seller=offer.seller,
                nodes=attempt.nodes,
                reason="unknown" if is_unknown else first.requirement,
                rule=first.requirement,
                needs=first.needs,
                has=first.field if is_unknown else first.has,
                rules=tuple(c.requirement for c in attempt.broken),
                levers=first.levers,
            )


def _funnel(asked: set[str], attempts_by_offer: list[list[list[Attempt]]]) -> tuple[FunnelStep, ...]:
    """``attempts_by_offer``: for each offer, for each phase, its attempts. Every rule asked is a step."""
    broken = {rule for phases in attempts_by_offer for attempts in phases for a in attempts for rule in a.rules}
    order = [judge.__name__ for judge in REQUIREMENTS]
    steps = [FunnelStep("offers", len(attempts_by_offer))]
    passed: set[str] = set()
    for rule in sorted(asked | broken | {"memory"}, key=lambda rule: _funnel_place(rule, order)):
        passed.add(rule)
        left = sum(
            any(not attempt.rules & passed for attempts in phases for attempt in attempts)
            for phases in attempts_by_offer
        )
        steps.append(FunnelStep(rule, left))
    return tuple(steps)


def _funnel_place(rule: str, order: list[str]) -> tuple[int, int, str]:
    if rule in PHYSICAL_RULES:
        return (1, PHYSICAL_RULES.index(rule), rule)
    return (0, order.index(rule) if rule in order else 0, rule)


def match(
    scenario: Scenario,
    models: dict[str, Model],
    catalog: Catalog,
    frame: Frame,
    waived: Collection[str] = (),
) -> Matches:
    """Candidates and rejections of every phase. ``waived`` rules may be broken, to see what they cost.

    ``models`` has the model of each phase by the phase's name.
    """
    matching = _Matching(with_card_names(scenario, catalog.gpus), models, catalog, frame, frozenset(waived))
    attempts_by_offer = [
        [matching.attempts(index, offer) for index in range(len(scenario.phases))] for offer in catalog.offers
    ]
    candidates: dict[str, tuple[Candidate, ...]] = {}
    rejections: list[Rejection] = []
    for index, phase in enumerate(scenario.phases):
        found: list[Candidate] = []
        for offer, phases in zip(catalog.offers, attempts_by_offer, strict=True):
            found.extend(attempt.candidate for attempt in phases[index] if attempt.candidate is not None)
            rejections.extend(_rejections(phase.name, offer, phases[index]))
        candidates[phase.name] = tuple(found)
    return Matches(candidates, tuple(rejections), _funnel(matching.asked, attempts_by_offer))
