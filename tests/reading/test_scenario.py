"""Scenarios: what they give, and every mistake at its place."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from planner.reading import ReadScenario, read_catalog, read_scenario, shipped_folder
from planner.values.catalog import Catalog
from planner.values.faults import Fault
from tests.reading.writing import SCENARIO, faults_of, places, written


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return read_catalog([shipped_folder("catalogs")])


def read(folder: Path, text: str, catalog: Catalog) -> ReadScenario:
    return read_scenario(written(folder, "tune.yaml", text), catalog.models, catalog.gpus)


def faults(folder: Path, text: str, catalog: Catalog) -> tuple[Fault, ...]:
    return faults_of(lambda: read(folder, text, catalog))


def test_a_scenario_has_the_model_of_every_phase(tmp_path: Path, catalog: Catalog) -> None:
    text = SCENARIO + (
        "  - {name: check, kind: evaluate, work: {tokens: 20 million}}\n"
        "  - {name: other, kind: serve, model: Qwen2.5-7B, period: 3 days, load: {requests_per_second: 1}}\n"
        "  - {name: serve, kind: serve, period: 30 days, load: {output_tokens_per_second: 300}}\n"
    )
    found = read(tmp_path, text, catalog)
    assert {phase: model.name for phase, model in found.models.items()} == {
        "train": "14B",
        "check": "14B",
        "other": "Qwen2.5-7B",
        "serve": "14B",  # what was trained, though another model is nearer
    }
    assert found.name == "tune.yaml"
    assert found.scenario.start == date(2026, 11, 2)


def test_a_model_comes_along_the_phases_that_are_named_after(tmp_path: Path, catalog: Catalog) -> None:
    text = SCENARIO + (
        "  - {name: small, kind: train, after: [], model: 7B, method: lora, work: {hours: 5 h}}\n"
        "  - {name: check, kind: evaluate, after: [train], work: {hours: 5 h}}\n"
    )
    assert read(tmp_path, text, catalog).models["check"].name == "14B"


def test_the_fingerprint_is_that_of_the_bytes(tmp_path: Path, catalog: Catalog) -> None:
    import hashlib

    found = read(tmp_path, SCENARIO, catalog)
    assert found.sha256 == hashlib.sha256(SCENARIO.encode()).hexdigest()


def test_quantities_are_read_as_people_write_them(tmp_path: Path, catalog: Catalog) -> None:
    text = SCENARIO.replace("start:", "budget: 9,900.50\ndeadline: 3 weeks\nstart:")
    scenario = read(tmp_path, text, catalog).scenario
    assert (scenario.budget, scenario.deadline) == (Decimal("9900.50"), 3 * 7 * 24 * 60)


ONE_MISTAKE = [
    ("currency: CNY", "currency: RMB", (3, 11, "currency", "CNY")),
    ("currency: CNY", "currency: 元", (3, 11, "currency", "CNY")),
    ("currency: CNY\n", "", (1, 1, "missing_field", "")),
    ("currency: CNY", "currency:", (3, 1, "empty", "")),
    ("currency: CNY", "curency: CNY", (3, 1, "unknown_field", "currency")),
    ("start: 2026-11-02", "start: 2026-02-30", (4, 8, "quantity", "")),
    ("start: 2026-11-02", "start: 0", (4, 8, "quantity", "")),
    ("start: 2026-11-02", "start: 20261102", (4, 8, "quantity", "")),
    ("start: 2026-11-02", "deadline: 48:00", (4, 11, "quantity", "")),
    ("start: 2026-11-02", "deadline: 99999 weeks", (4, 11, "quantity", "")),
    ("start: 2026-11-02", "budget: 12,30", (4, 9, "quantity", "")),
    ("start: 2026-11-02", "budget: １２", (4, 9, "quantity", "")),
    ("start: 2026-11-02", "budget: -1", (4, 9, "out_of_range", "")),
    ("start: 2026-11-02", "nodes_at_most: 2.5", (4, 16, "not_a_number", "")),
    ("start: 2026-11-02", "nodes_at_most: ８", (4, 16, "not_a_number", "")),
    ("start: 2026-11-02", "nodes_at_most: 0", (4, 16, "out_of_range", "")),
    ("start: 2026-11-02", "accept_tight: perhaps", (4, 15, "wrong_word", "")),
    ("start: 2026-11-02", 'utc_offset: "8"', (4, 13, "wrong_shape", "")),
    ("start: 2026-11-02", "accept_unknown: [inter_lnk]", (4, 18, "wrong_word", "inter_link")),
    ("start: 2026-11-02", "accept_unknown: all", (4, 17, "wrong_shape", "[all]")),
    ("start: 2026-11-02", "requirements: {certification: 等保三级}", (4, 31, "wrong_shape", "[等保三级]")),
    ("start: 2026-11-02", "requirements: {hardware: {gpus_allowed: [H2O]}}", (4, 42, "unknown_gpu", "H20 96G")),
    ("start: 2026-11-02", "requirements: {place: CN}", (4, 23, "wrong_shape", "")),
    ("start: 2026-11-02", "requirements: {spot: yes}", (4, 22, "wrong_word", "")),
    ("start: 2026-11-02", "requirements: {spot: }", (4, 16, "empty", "")),
    ("start: 2026-11-02", "requirements: {ownership: ['']}", (4, 28, "empty", "")),
    ("start: 2026-11-02", "<<: {name: x}", (4, 1, "unknown_field", "")),
    ("start: 2026-11-02", "start: 2026-11-02\ndeadline: 2026-11-02", (5, 11, "deadline_before_start", "")),
    ("start: 2026-11-02", "blackouts: [{from: 2026-12-24, to: 2026-12-23}]", (4, 36, "blackout_ends_before_start", "")),
    ("start: 2026-11-02", "blackouts: [{from: 2026-12-24, to: 3 days}]", (4, 36, "quantity", "")),
    ("start: 2026-11-02", "blackouts: [{from: 2026-12-24}]", (4, 13, "missing_field", "")),
    ("start: 2026-11-02", "blackouts: [2026-12-24]", (4, 13, "wrong_shape", "")),
    ("method: full", "method: full\n    gap: 2 days\n    gap_at_most: 47 h", (11, 18, "gap_at_most_below_gap", "")),
    ("method: full", "method: full\n    gap_at_most: 3 parsecs", (10, 18, "quantity", "")),
    ("method: full", "method: full\n    not_before: soon", (10, 17, "quantity", "")),
    ("kind: train", "kind: tain", (7, 11, "wrong_word", "train")),
    ("    kind: train\n", "", (6, 5, "missing_field", "")),
    ("model: 14B", "model: Qwen2.5-14", (8, 12, "unknown_model", "Qwen2.5-14B")),
    ("model: 14B", "model: nothing/config.json", (8, 12, "no_file", "")),
    ("    model: 14B\n", "", (6, 5, "missing_field", "")),
    ("model: 14B", "model: [14B]", (8, 5, "wrong_shape", "")),
    ("method: full", "method: ful", (9, 13, "wrong_word", "full")),
    ("method: full", "method: full\n    checkpointing: half", (10, 20, "wrong_word", "")),
    ("method: full", "method: full\n    after: [train2]", (10, 13, "unknown_phase", "")),
    ("method: full", "method: full\n    takes: {trian: 1 GB}", (10, 13, "taken_from_nothing", "")),
    ("method: full", "method: full\n    takes: {train: 1 GB}", (10, 13, "taken_from_nothing", "")),
    ("method: full", "method: full\n    after: [train]", (10, 5, "cycle", "")),
    ("method: full", "method: full\n    hours_per_day: 25", (10, 20, "out_of_range", "")),
    ("method: full", "method: full\n    lora_rank: 1.0 trillions", (10, 16, "quantity", "")),
    ("{tokens: 1.0 billion}", "{tokens: 1e9, hours: 5 h}", (10, 5, "work", "")),
    ("{tokens: 1.0 billion}", "{}", (10, 5, "work", "")),
    ("{tokens: 1.0 billion}", "{token: 1e9, hours: 5 h}", (10, 12, "unknown_field", "tokens")),
    ("name: tune", "name: " + "x" * 201, (2, 7, "too_long", "")),
    ("planner.scenario/1", "planner.scenario/2", (1, 9, "wrong_word", "planner.scenario/1")),
]


@pytest.mark.parametrize(("right", "wrong", "expected"), ONE_MISTAKE, ids=[wrong for _, wrong, _ in ONE_MISTAKE])
def test_one_mistake_is_one_fault_at_its_place(
    tmp_path: Path, catalog: Catalog, right: str, wrong: str, expected: tuple[int, int, str, str]
) -> None:
    assert right in SCENARIO
    found = faults(tmp_path, SCENARIO.replace(right, wrong, 1), catalog)
    assert [(fault.line, fault.column, fault.rule, fault.suggestion) for fault in found] == [expected]
    assert found[0].file == str(tmp_path / "tune.yaml")


def test_a_fault_carries_the_line_what_stands_there_and_what_would_do(tmp_path: Path, catalog: Catalog) -> None:
    (fault,) = faults(tmp_path, SCENARIO.replace("method: full", "method: ful  # all"), catalog)
    assert fault.text == "    method: ful  # all"
    assert fault.found == "ful"
    assert fault.expected == ("full", "lora", "qlora")
    (fault,) = faults(tmp_path, SCENARIO.replace("start: 2026-11-02", "deadline: soon"), catalog)
    assert fault.expected == ("date or duration", "2026-11-23 or 3 weeks")
    (fault,) = faults(tmp_path, SCENARIO.replace("currency: CNY\n", ""), catalog)
    assert fault.expected == ("currency",)


def test_unknown_fields_are_told_the_names_of_their_own_place(tmp_path: Path, catalog: Catalog) -> None:
    (fault,) = faults(tmp_path, SCENARIO.replace("{tokens: 1.0 billion}", "{tokens: 1, x: 2}"), catalog)
    assert fault.expected == ("tokens", "samples", "length", "epochs", "hours")
    text = SCENARIO.replace("model: 14B", "model: {layers: 2, hidden: 8, heads: 2, ffn: 8, vocab: 9, tyed: yes}")
    (fault,) = faults(tmp_path, text, catalog)
    assert (fault.line, fault.column, fault.suggestion) == (8, 63, "tied")
    # a key that is called like the tag of pydantic's union
    (fault,) = faults(tmp_path, SCENARIO.replace("method: full", "method: full\n    train: {method: x}"), catalog)
    assert (fault.line, fault.column, fault.rule) == (10, 5, "unknown_field")


def test_ten_mistakes_in_one_file_are_ten_faults(tmp_path: Path, catalog: Catalog) -> None:
    text = """\
name: tune
currency: RMB
start: 2026-02-30
dead_line: 3 weeks
accept_unknown: [intralink]
requirements:
  certification: 等保三级
  hardware: {gpus_forbidden: [H2O], stack: kuda}
phases:
  - name: a
    kind: train
    model: Qwen2.5-14
    method: ful
    work: {tokens: 1 billion, hours: 5 h}
"""
    assert places(faults(tmp_path, text, catalog)) == [
        (2, 11, "currency"),
        (3, 8, "quantity"),
        (4, 1, "unknown_field"),
        (5, 18, "wrong_word"),
        (7, 18, "wrong_shape"),
        (8, 31, "unknown_gpu"),
        (8, 44, "wrong_word"),
        (12, 12, "unknown_model"),
        (13, 13, "wrong_word"),
        (14, 5, "work"),
    ]


def test_names_of_phases_are_their_own(tmp_path: Path, catalog: Catalog) -> None:
    text = SCENARIO + "  - {name: train, kind: evaluate, work: {hours: 5 h}}\n"
    (fault,) = faults(tmp_path, text, catalog)
    assert (fault.line, fault.column, fault.rule) == (11, 12, "duplicate_name")
    assert fault.expected == (f"{tmp_path / 'tune.yaml'}:6",)


def test_phases_that_wait_for_each_other_are_told_once(tmp_path: Path, catalog: Catalog) -> None:
    text = SCENARIO.replace("method: full", "after: [b]\n    method: full") + (
        "  - {name: a, kind: evaluate, work: {hours: 5 h}}\n"  # after train, which stands before
        "  - {name: b, kind: evaluate, after: [a], work: {hours: 5 h}}\n"
    )
    (fault,) = faults(tmp_path, text, catalog)
    assert (fault.line, fault.column, fault.rule) == (9, 5, "cycle")
    assert fault.found == "train -> b -> a -> train"


def test_a_phase_may_come_after_one_that_is_written_later(tmp_path: Path, catalog: Catalog) -> None:
    text = SCENARIO.replace("method: full", "after: [warm]\n    method: full") + (
        "  - {name: warm, kind: train, after: [], model: 14B, method: full, work: {hours: 5 h}}\n"
    )
    assert faults(tmp_path, text, catalog) == ()


def test_an_evaluation_of_nothing_has_no_model(tmp_path: Path, catalog: Catalog) -> None:
    text = "name: x\ncurrency: CNY\nphases:\n- {name: e, kind: evaluate, work: {hours: 5 h}}\n"
    (fault,) = faults(tmp_path, text, catalog)
    assert (fault.line, fault.column, fault.rule, fault.expected) == (4, 3, "missing_field", ("model",))


def test_a_deadline_of_the_scenario_needs_a_train_phase(tmp_path: Path, catalog: Catalog) -> None:
    text = (
        "name: x\ncurrency: CNY\ndeadline: 3 weeks\n"
        "phases:\n- {name: e, kind: evaluate, model: 7B, work: {hours: 5 h}}\n"
    )
    assert places(faults(tmp_path, text, catalog)) == [(3, 11, "deadline_without_train")]


def test_phases_are_a_list_that_is_not_empty(tmp_path: Path, catalog: Catalog) -> None:
    head = "name: x\ncurrency: CNY\nphases: "
    assert places(faults(tmp_path, head + "[]", catalog)) == [(3, 1, "empty")]
    assert places(faults(tmp_path, head + "train", catalog)) == [(3, 9, "wrong_shape")]
    assert places(faults(tmp_path, head + "[x, ~]", catalog)) == [(3, 10, "wrong_shape"), (3, 13, "empty")]
    assert places(faults(tmp_path, "- x", catalog)) == [(1, 1, "wrong_shape")]


def test_without_cards_their_names_are_not_judged(tmp_path: Path, catalog: Catalog) -> None:
    text = SCENARIO.replace("start: 2026-11-02", "requirements: {hardware: {gpus_allowed: [H2O]}}")
    path = written(tmp_path, "tune.yaml", text)
    assert read_scenario(path, catalog.models).scenario.requirements.hardware.gpus_allowed == ("H2O",)


@pytest.mark.parametrize("path", sorted(shipped_folder("scenarios").glob("*.yaml")), ids=lambda path: path.name)
def test_shipped_scenarios_have_no_fault(catalog: Catalog, path: Path) -> None:
    assert faults_of(lambda: read_scenario(path, catalog.models, catalog.gpus)) == ()
