"""Every default that the scenario or the catalog did not set and that the answer rests on."""

from collections.abc import Iterator
from enum import Enum

from pydantic.fields import FieldInfo

from planner.values.billing import MONTHS_OF, SHORTEST_MONTH_DAYS
from planner.values.catalog import Offer
from planner.values.frame import Frame
from planner.values.matches import Matches
from planner.values.model import Model
from planner.values.plans import BilledPlan
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.report import Assumption
from planner.values.requirements import Written
from planner.values.scenario import Phase, Scenario, ServePhase, TrainPhase
from planner.values.workload import Method

INTER_LINK = "InfiniBand | RoCE >= 200 Gb/s a port"


def _why(info: FieldInfo) -> str | None:
    extra = info.json_schema_extra
    why = extra.get("assumption") if isinstance(extra, dict) else None
    return why if isinstance(why, str) else None


def _written_defaults(prefix: str, written: Written) -> Iterator[Assumption]:
    dumped = written.model_dump(mode="json", by_alias=True)
    for name, info in type(written).model_fields.items():
        value = getattr(written, name)
        shown = info.alias or name
        why = _why(info)
        if why is not None and name not in written.model_fields_set and _matters(written, name):
            yield Assumption(prefix + shown, _shown(dumped[shown]), why)
        if isinstance(value, Written) and _is_rested_on(written, name):
            yield from _written_defaults(f"{prefix}{shown}.", value)


def _shown(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value.value if isinstance(value, Enum) else value)


def _is_rested_on(written: Written, name: str) -> bool:
    """A phase's own requirements say nothing where they are silent; what is around fixed hours is in them."""
    if isinstance(written, Scenario) and name == "around":
        return any(not isinstance(phase, ServePhase) and phase.work.run_minutes is None for phase in written.phases)
    return isinstance(written, Scenario) or name != "requirements"


def _matters(written: Written, name: str) -> bool:
    """A full fine-tune rests on no adapter, and machines that may not be spot on no interruption of spot."""
    if isinstance(written, TrainPhase) and name in {"lora_rank", "lora_targets"}:
        return written.method is not Method.FULL
    return True


def _phase_defaults(phase: Phase, model: Model) -> Iterator[Assumption]:
    prefix = f"phases.{phase.name}."
    yield from _written_defaults(prefix, phase)
    if isinstance(phase, ServePhase) and phase.load.output_tokens is None:
        yield Assumption(f"{prefix}load.output_tokens", str(phase.load.request_output_tokens), "quarter_of_context")
    if phase.model is None:
        yield Assumption(f"{prefix}model", model.name, "model_from_phase_before")
    elif model.is_typical:
        yield Assumption(f"{prefix}model", model.name, "model_typical")


def _beside_prices(offer: Offer, scenario: Scenario) -> Iterator[Assumption]:
    """What else an offer may cost, and when."""
    prefix = f"offers.{offer.id}."
    if offer.prices.changes:
        yield Assumption(f"{prefix}prices.changes", str(len(offer.prices.changes)), "dearest_announced")
    if offer.commercial.tax is None:
        yield Assumption(f"{prefix}commercial.tax", "as written", "tax_not_said")
    elif scenario.deducts_vat is None:
        yield Assumption("deducts_vat", "no", "vat_not_deducted")
    if offer.bandwidth.traffic is None:
        yield Assumption(f"{prefix}bandwidth.traffic", "0", "traffic_not_said")


def _offer_defaults(offer: Offer, terms: set[str]) -> Iterator[Assumption]:
    prefix = f"offers.{offer.id}."
    hours = f"{offer.month_minutes // MINUTES_PER_HOUR} h"
    if terms & MONTHS_OF.keys() and offer.billing.month is None:
        yield Assumption(f"{prefix}billing.month", hours, "month_rule")
    if terms & MONTHS_OF.keys() and isinstance(offer.billing.month, str):
        yield Assumption(f"{prefix}billing.month", f"{SHORTEST_MONTH_DAYS} days", "shortest_month")
    if "hour" in terms and offer.billing.increment_seconds is None:
        yield Assumption(f"{prefix}billing.increment", f"{offer.increment_seconds // 60} min", "metering_increment")
    if "hour" in terms and offer.billing.stopped is None:
        yield Assumption(f"{prefix}billing.stopped", "100 %", "stopped_not_said")
    if offer.lead_time_minutes is None:
        yield Assumption(f"{prefix}lead_time", "0 days", "lead_time_not_said")
    if offer.stock_nodes is None:
        yield Assumption(f"{prefix}stock", "enough", "stock_not_said")


def of_shapes(matches: Matches) -> Iterator[Assumption]:
    """Where offers under tariffs that are not linear were weighed, their leases were shared in one shape alone."""
    offers = {
        candidate.offer.id
        for candidates in matches.candidates.values()
        for candidate in candidates
        if not candidate.tariff.is_linear
    }
    if offers and len(matches.candidates) > 1:
        yield Assumption("leases", "back to back", "one_shape")


def assumptions(
    scenario: Scenario, models: dict[str, Model], frame: Frame, plan: BilledPlan | None
) -> tuple[Assumption, ...]:
    """Of the frame, each phase, and each offer in the best plan."""
    found = []
    if scenario.start is None:
        found.append(Assumption("start", frame.start.isoformat(), "start_from_catalog"))
    if scenario.order_by is None and frame.order_by == frame.start:
        found.append(Assumption("order_by", frame.order_by.isoformat(), "order_by_start"))
    found.extend(_written_defaults("", scenario))
    if scenario.requirements.hardware.inter_link is None:
        found.append(Assumption("requirements.hardware.inter_link", INTER_LINK, "usual_inter_link"))
    for phase in scenario.phases:
        found.extend(_phase_defaults(phase, models[phase.name]))
    if plan is not None:
        terms_by_offer: dict[str, tuple[Offer, set[str]]] = {}
        for lease in plan.chosen.leases:
            offer = lease.candidate.offer
            terms_by_offer.setdefault(offer.id, (offer, set()))[1].update(lease.terms)
        for offer, terms in terms_by_offer.values():
            found.extend(_offer_defaults(offer, terms))
            found.extend(_beside_prices(offer, scenario))
    return tuple(dict.fromkeys(found))
