"""The shipped scenarios: they read without a fault, say what they ask, and are listed."""

from pathlib import Path

import pytest

from planner.reading import read_scenario
from planner.values.catalog import Catalog
from planner.values.scenario import Scenario
from tests.catalogs.conftest import REPOSITORY

SCENARIOS = sorted((REPOSITORY / "scenarios").glob("*.yaml"))
EXAMPLE_SELLER = "EXAMPLE cluster quote"
SEVERAL_NODES = {"14b-full-finetune-on-20-billion-tokens", "70b-full-on-16-h200-with-example-quote"}
# Everything below the schema line, up to the fields, is the question and the answer by hand.
LEAST_COMMENT_LINES = 2


def _each() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)


def _scenario(path: Path, shipped: Catalog) -> Scenario:
    return read_scenario(path, shipped.models, shipped.gpus).scenario


@_each()
def test_scenario_begins_with_schema_question_and_answer(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# yaml-language-server: $schema=../schemas/scenario.json"
    comment = [line for line in lines[1 : lines.index("schema: planner.scenario/1")] if line.startswith("# ")]
    assert len(comment) >= LEAST_COMMENT_LINES
    assert any(line.startswith(("# By hand", "# Expected")) for line in comment)


@_each()
def test_scenario_reads_without_a_fault(path: Path, shipped: Catalog) -> None:
    scenario = _scenario(path, shipped)
    assert scenario.currency == "CNY"
    assert scenario.utc_offset == "+08:00"
    assert scenario.start is not None
    assert scenario.start >= shipped.newest_observation


@_each()
def test_example_quote_is_used_only_where_several_nodes_are_needed(path: Path, shipped: Catalog) -> None:
    asked = _scenario(path, shipped).requirements
    hardware = asked.hardware
    may_use = EXAMPLE_SELLER not in asked.sellers_forbidden and (
        asked.sellers_allowed is None or EXAMPLE_SELLER in asked.sellers_allowed
    )
    is_elsewhere = asked.place is not None and asked.place.city is not None
    assert (may_use and not is_elsewhere and hardware.stack.value == "cuda") == (path.stem in SEVERAL_NODES)


@_each()
def test_scenario_names_only_sellers_and_cards_that_there_are(path: Path, shipped: Catalog) -> None:
    scenario = _scenario(path, shipped)
    sellers = {offer.seller for offer in shipped.offers}
    for asked in (scenario.requirements, *(phase.requirements for phase in scenario.phases)):
        if asked is None:
            continue
        assert {*(asked.sellers_allowed or ()), *asked.sellers_forbidden} <= sellers
        for name in (*(asked.hardware.gpus_allowed or ()), *asked.hardware.gpus_forbidden):
            assert name.casefold() in shipped.gpus


def test_every_scenario_is_listed_with_its_answer() -> None:
    text = (REPOSITORY / "scenarios" / "README.md").read_text(encoding="utf-8")
    rows = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(path.stem for path in SCENARIOS)


def test_flagship_is_the_project_of_the_first_screen(shipped: Catalog) -> None:
    scenario = _scenario(REPOSITORY / "scenarios" / "14b-full-finetune-in-3-weeks.yaml", shipped)
    train, evaluate, serve = scenario.phases
    assert train.kind == "train"
    assert (train.model, train.method.value, train.optimizer.value) == ("Qwen2.5-14B", "full", "adamw")
    assert (train.work.total_tokens, train.sequence_tokens, train.precision.value) == (10**9, 4096, "mixed")
    assert scenario.deadline == 3 * 7 * 24 * 60
    assert evaluate.kind == "evaluate"
    assert evaluate.work.tokens == 20_000_000
    assert serve.kind == "serve"
    assert (serve.period_minutes, serve.minutes_per_day) == (30 * 24 * 60, 10 * 60)
    assert (serve.load.tokens_per_second, serve.load.context_tokens) == (300, 2048)
    assert scenario.requirements.place is not None
    assert scenario.requirements.place.country == "CN"
