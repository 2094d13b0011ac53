"""Every default that the answer rests on, and none that was set or does not matter."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from planner.explaining.assumptions import assumptions
from planner.values.catalog import Offer
from planner.values.frame import frame_of
from planner.values.plans import BilledPlan
from planner.values.scenario import Scenario
from tests.checking.plans import billed_alone
from tests.choosing.instances import candidate, offer
from tests.matching.world import EVALUATE, SERVE, SMALL, TRAIN, asking

Map = dict[str, Any]
OBSERVED = date(2026, 11, 1)
FRAME = {
    "start",
    "order_by",
    "utc_offset",
    "indicative",
    "memory_margin",
    "accept_tight",
    "nodes_at_most",
}


def of(scenario: Scenario, plan: BilledPlan | None = None, **model: Any) -> dict[str, str]:
    """Field and value of each assumption."""
    models = {phase.name: replace(SMALL, **model) for phase in scenario.phases}
    found = assumptions(scenario, models, frame_of(scenario, OBSERVED), plan)
    fields = [one.field for one in found]
    assert len(fields) == len(set(fields)), "each is told once"
    assert all(one.value and one.why for one in found)
    return {one.field: one.value for one in found}


def fields_of(phase: str, found: dict[str, str]) -> set[str]:
    return {field.removeprefix(f"phases.{phase}.") for field in found if field.startswith(f"phases.{phase}.")}


def test_of_the_frame_every_default_is_told() -> None:
    found = of(asking())
    assert set(found) >= FRAME - {"nodes_at_most"}
    assert found["start"] == found["order_by"] == "2026-11-01"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("start", "2026-12-01"),
        ("order_by", "2026-12-01"),
        ("utc_offset", "+00:00"),
        ("indicative", "forbidden"),
        ("memory_margin", "0 %"),
        ("accept_tight", "false"),
    ],
)
def test_what_the_scenario_says_is_no_assumption_even_if_it_says_the_default(field: str, value: str) -> None:
    before = set(of(asking()))
    assert before - set(of(asking(**{field: value}))) == {field}


def test_a_full_fine_tune_rests_on_no_adapter() -> None:
    full = fields_of("train", of(asking({}, TRAIN)))
    lora = fields_of("train", of(asking({}, TRAIN | {"method": "lora"})))
    assert lora - full == {"lora_rank", "lora_targets"}
    assert full >= {"optimizer", "precision", "sequence_tokens", "batch_sequences", "offload", "attention", "loss"}
    said = TRAIN | {"method": "qlora", "lora_rank": "8", "lora_targets": ["q_proj"]}
    assert fields_of("train", of(asking({}, said))) == full


@pytest.mark.parametrize(
    ("phase", "fields"),
    [
        (EVALUATE, {"compares_base", "prompt_tokens", "output_tokens", "dtype"}),
        (SERVE, {"load.context", "dtype"}),
    ],
)
def test_a_phase_that_does_not_train_rests_on_its_own_defaults(phase: Map, fields: set[str]) -> None:
    assert fields_of(phase["name"], of(asking({}, phase))) >= fields
    assert not fields_of(phase["name"], of(asking({}, phase))) & {"optimizer", "lora_rank", "precision"}


def test_a_model_that_is_not_named_is_that_of_the_phase_before() -> None:
    assert of(asking({}, TRAIN, EVALUATE))["phases.evaluate.model"] == "small"


def test_a_plain_size_rests_on_a_typical_architecture() -> None:
    named = TRAIN | {"model": "14B"}
    assert "phases.train.model" not in of(asking({}, named))
    assert of(asking({}, named), is_typical=True)["phases.train.model"] == "small"


# Offers of the plan


def of_offer(bundle_months: int = 0, **says: Any) -> set[str]:
    prices = {"hour": "2", "month": "1000"} | says.pop("prices", {})
    bare = offer("o", billing=says.pop("billing", None), stock=says.pop("stock", None), **prices)
    one = candidate("train", bare.model_copy(update=says), 100)
    found = of(asking(), billed_alone(one, months=bundle_months))
    return {field.removeprefix("offers.o.") for field in found if field.startswith("offers.o.")}


BESIDE = {"commercial.tax", "bandwidth.traffic"}


def test_of_an_offer_by_the_hour_the_metering_is_assumed_and_not_the_month() -> None:
    assert of_offer() == {"billing.increment", "billing.stopped", "lead_time", "stock"} | BESIDE


def test_of_an_offer_by_the_month_the_length_of_a_month_is_assumed_and_no_metering() -> None:
    assert of_offer(1) == {"billing.month", "lead_time", "stock"} | BESIDE


def test_what_the_seller_says_is_no_assumption() -> None:
    billing = {"increment": "1 h", "month": "720 h", "stopped": {"charge": "0 %"}}
    known = {
        "commercial": {"tax": {"rate": "6 %", "included": True}},
        "bandwidth": {"traffic": {"flat": "0", "both_ways": False}},
    }
    beside = Offer.model_validate(
        offer("o", hour="1").model_dump(mode="json", by_alias=True, exclude_none=True) | known
    )
    said = {"commercial": beside.commercial, "bandwidth": beside.bandwidth}
    assert of_offer(billing=billing, stock=3, lead_time_minutes=0, **said) == set()
    assert of_offer(1, billing=billing, stock=3, lead_time_minutes=0, **said) == set()


def test_an_offer_that_is_in_no_plan_is_not_told_of() -> None:
    assert not [field for field in of(asking()) if field.startswith("offers.")]
