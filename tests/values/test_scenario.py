"""Scenarios: what they may say, and that they read back as they were."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from planner.values.scenario import EvaluationWork, Load, Scenario, TrainingWork
from tests.matching.world import SERVE, TRAIN, asking

Map = dict[str, Any]


def texts(unit: str, least: int = 0, most: int = 1000, places: int = 2) -> st.SearchStrategy[str]:
    """A number with its unit, as a person writes it."""
    return st.decimals(least, most, places=places).map(lambda number: f"{number:f} {unit}".strip())


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Map]:
    """Any of the fields, in any company."""
    return st.fixed_dictionaries({}, optional=fields)


NAME = st.sampled_from(["CN", "四川", "JYGPU", "H200"])
NAMES = st.lists(NAME, unique=True, max_size=2)
YES = st.sampled_from(["true", "false"])
DEADLINE = st.one_of(st.just("2027-01-31"), texts("weeks", 1, 50))
PLACE = some(country=NAME, province=NAME, city=NAME, site=NAME)
REQUIREMENTS = some(
    place=PLACE,
    data_stays_in=PLACE,
    certification=NAMES,
    hardware=some(
        gpus_allowed=NAMES,
        gpus_forbidden=NAMES,
        stack=st.sampled_from(["cuda", "rocm", "cann"]),
        conditions=st.lists(st.sampled_from(["new", "modified"]), unique=True, min_size=1),
        intra_link=some(kind=st.sampled_from(["NVLink", "Infinity Fabric"]), at_least=texts("GB/s")),
        inter_link=some(kinds=st.just(["TCP"]), at_least=texts("Gb/s")),
        form_factor=st.sampled_from(["SXM", "PCIe"]),
    ),
    storage=some(dataset=texts("GB"), checkpoints=texts("TiB"), nvme=YES, read=texts("MB/s")),
    public_bandwidth=some(at_least=texts("Mb/s"), dedicated=YES),
    environment=st.lists(st.sampled_from(["own_conda", "custom_image"]), unique=True),
    sellers_allowed=NAMES,
    spot=st.sampled_from(["allowed", "forbidden"]),
    terms=st.lists(st.sampled_from(["hour", "day", "month"]), unique=True, min_size=1),
    commercial=some(
        invoice=st.sampled_from(["special_vat", "overseas"]),
        prepayment_at_most=texts("%", 0, 100),
        deposit_at_most=texts(""),
        payment_days_at_least=st.integers(0, 90).map(str),
        minimum_term_at_most=texts("days"),
        quote_valid_for_at_least=texts("h"),
        deletion_proof=YES,
        sla=some(availability=texts("%", 0, 100), fault_response=texts("min"), replacement=texts("h")),
    ),
)
PER_DAY = texts("h/day", 1, 24, 9)
WORK = st.one_of(
    st.fixed_dictionaries({"tokens": texts("million", 1)}),
    st.fixed_dictionaries({"hours": texts("h", 1)}),
    st.fixed_dictionaries({"samples": texts("k", 1), "length": st.just("512"), "epochs": st.just("3")}),
)
TRAININGS = st.builds(
    lambda work, more: {**TRAIN, "work": work} | more,
    WORK,
    some(
        deadline=DEADLINE,
        gap=texts("h"),
        gap_at_most=texts("h"),
        not_before=DEADLINE,
        hours_per_day=PER_DAY,
        requirements=REQUIREMENTS,
        checkpointing=st.sampled_from(["auto", "none", "full"]),
        offload=st.just("allowed"),
        model=st.sampled_from(["14B", {"layers": "2", "hidden": "64", "heads": "2", "ffn": "128", "vocab": "99"}]),
    ),
)
SERVINGS = st.builds(
    lambda more: {**SERVE} | more,
    some(hours_per_day=PER_DAY, period=texts("days", 1), after=st.just(["train"]), deadline=DEADLINE),
)
FRAMES = some(
    start=st.just("2026-12-24"),
    order_by=st.just("2026-12-20"),
    utc_offset=st.sampled_from(["+08:00", "-05:30"]),
    deadline=DEADLINE,
    indicative=st.just("allowed"),
    accept_unknown=st.just(["all"]),
    budget=texts(""),
    blackouts=st.just([{"from": "2027-02-15", "to": "2027-02-22"}]),
    memory_margin=texts("%", 0, 99),
    accept_tight=YES,
    nodes_at_most=st.integers(1, 64).map(str),
    requirements=REQUIREMENTS,
)


@settings(max_examples=60)
@given(TRAININGS, SERVINGS, FRAMES)
def test_a_scenario_that_is_written_out_reads_back_as_it_was(training: Map, serving: Map, frame: Map) -> None:
    scenario = Scenario.model_validate({"name": "n", "currency": "CNY", "phases": [training, serving]} | frame)
    written = scenario.model_dump(mode="json", by_alias=True)
    assert Scenario.model_validate(written) == scenario
    assert Scenario.model_validate_json(scenario.model_dump_json(by_alias=True)) == scenario


def test_a_field_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValidationError):
        asking(dead_line="3 weeks")
    with pytest.raises(ValidationError):
        asking({"place": {"town": "成都"}})


def test_a_scenarios_deadline_needs_a_training() -> None:
    with pytest.raises(ValidationError, match="no train phase"):
        asking({}, SERVE, deadline="3 weeks")
    assert asking({}, SERVE | {"deadline": "31 days"})


@pytest.mark.parametrize(
    ("work", "tokens"),
    [
        ({"tokens": "1.0 billion"}, 10**9),
        ({"samples": "10k", "length": "2048", "epochs": "3"}, 61_440_000),
        ({"samples": "10k", "length": "2048"}, 20_480_000),
        ({"hours": "300 h"}, None),
    ],
)
def test_training_work_is_tokens_or_samples_or_hours(work: Map, tokens: int | None) -> None:
    assert TrainingWork.model_validate(work).total_tokens == tokens


@pytest.mark.parametrize(
    "work",
    [
        {},
        {"tokens": "1M", "hours": "3 h"},
        {"tokens": "1M", "epochs": "3"},
        {"samples": "1k"},
        {"length": "512"},
        {"hours": "0 h"},
    ],
)
def test_training_work_that_is_said_twice_or_by_half_is_refused(work: Map) -> None:
    with pytest.raises(ValidationError):
        TrainingWork.model_validate(work)


def test_evaluation_work_is_tokens_or_hours() -> None:
    assert EvaluationWork.model_validate({"tokens": "20 million"}).tokens == 20_000_000
    assert EvaluationWork.model_validate({"hours": "8 h"}).run_minutes == 480
    for work in ({}, {"tokens": "1M", "hours": "3 h"}):
        with pytest.raises(ValidationError):
            EvaluationWork.model_validate(work)


def test_a_load_is_output_tokens_or_requests_a_second() -> None:
    assert Load.model_validate({"output_tokens_per_second": "300"}).tokens_per_second == 300
    requests = Load.model_validate({"requests_per_second": "2", "output_tokens": "200"})
    assert requests.tokens_per_second == 400
    quarter = Load.model_validate({"requests_per_second": "2", "context": "2048"})
    assert quarter.tokens_per_second == 2 * 512
    for load in (
        {},
        {"requests_per_second": "1", "output_tokens_per_second": "1"},
        {"requests_per_second": "1", "context": "100", "output_tokens": "100"},
    ):
        with pytest.raises(ValidationError):
            Load.model_validate(load)
