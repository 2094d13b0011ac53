"""The JSON documents, and the schemas that describe them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from planner.reporting import faults_document, offers_document, report_document, schema_document
from planner.values.faults import Fault
from planner.values.report import Report
from tests.reporting import made
from tests.reporting.test_offers import CATALOG

ROOT = Path(__file__).parents[2]
REPORTS = (made.report(), made.conditional(), made.impossible(), made.unfinished(), made.unfinished(made.plan()))


def validator(kind: Any) -> Draft202012Validator:
    schema = json.loads(schema_document(kind))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: str(report.status))
def test_a_report_keeps_the_schema_that_we_print(report: Report) -> None:
    validator("report").validate(json.loads(report_document(report)))


def test_a_schema_names_its_dialect_and_itself() -> None:
    for kind in ("scenario", "catalog", "report"):
        schema = json.loads(schema_document(kind))
        assert schema["$schema"].endswith("2020-12/schema")
        assert schema["title"] == f"planner.{kind}/1"


class _Plain(yaml.SafeLoader):
    """Dates stay text, as an editor's checker sees them."""


_Plain.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@pytest.mark.parametrize(("kind", "folder"), [("scenario", "scenarios"), ("catalog", "catalogs")])
def test_an_editor_finds_no_fault_in_the_shipped_files(kind: str, folder: str) -> None:
    checker = validator(kind)
    for path in sorted((ROOT / folder).glob("*.yaml")):
        checker.validate(yaml.load(path.read_text(encoding="utf-8"), _Plain))  # noqa: S506 - a safe loader


def test_the_document_has_the_words_of_the_format() -> None:
    text = report_document(made.impossible())
    document = json.loads(text)
    assert text.endswith("}\n")
    assert '\n  "schema": "planner.report/1"' in text
    assert "等保三级" in text
    assert document["relaxations"][0]["from"] == "等保三级"
    assert document["catalog"]["offers"]["h20-x4"] == {"source": "the seller's page"}


@settings(max_examples=20)
@given(st.decimals(0, 10**12, places=2, allow_nan=False))
def test_money_is_text_that_comes_back_as_it_was(amount: Any) -> None:
    report = made.report(plans=(made.plan(cost=format(amount, "f")),))
    assert json.loads(report_document(report))["plans"][0]["cost"] == format(amount, "f")


def test_faults_have_all_their_fields() -> None:
    fault = Fault("a.yaml", 3, 7, "wrong_word", "ful", ("full", "lora"), "full", "method: ful")
    document = json.loads(faults_document((fault,)))
    assert document == {
        "schema": "planner.faults/1",
        "faults": [
            {
                "file": "a.yaml",
                "line": 3,
                "column": 7,
                "rule": "wrong_word",
                "found": "ful",
                "expected": ["full", "lora"],
                "suggestion": "full",
                "text": "method: ful",
            }
        ],
    }
    assert json.loads(faults_document(()))["faults"] == []


def test_half_a_character_in_a_file_name_can_be_written() -> None:
    text = faults_document((Fault("a\udc80.yaml", 0, 0, "no_file"),))
    assert text.encode()
    assert json.loads(text)["faults"][0]["file"] == "a\udc80.yaml"


def test_offers_have_prices_per_gpu_hour_and_per_node() -> None:
    offers = {offer["id"]: offer for offer in json.loads(offers_document(CATALOG))["offers"]}
    node = offers["node-month"]
    assert node["price_per_gpu_hour"] == {"hour": None, "day": None, "month": {"low": "1.3750", "high": "1.3750"}}
    assert node["price_per_node"]["month"] == {"low": "7920", "high": "7920"}
    assert node["month_is_assumed"]
    assert offers["market"]["price_per_node"]["hour"] == {"low": "12", "high": "24"}


def test_a_number_that_json_cannot_hold_is_an_error_and_no_nan() -> None:
    phase = replace(made.phase(), hours=float("nan"))
    with pytest.raises(ValueError, match="JSON"):
        report_document(made.report(plans=(made.plan(phases=(phase,)),)))
