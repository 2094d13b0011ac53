"""Real plans of shipped scenarios, told: what the document says, the text says too."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from rich.cells import cell_len

from planner.planning import Options, plan
from planner.reading import read_catalog, read_scenario
from planner.reporting import report_document, report_text
from planner.values.report import Report
from tests.reporting.test_documents import validator

ROOT = Path(__file__).parents[2]
NAMES = (
    "14b-full-finetune-in-3-weeks",
    "14b-full-finetune-in-3-weeks-with-mlps-3",
    "chengdu-half-price-while-stopped",
    "evaluation-rides-in-the-paid-month",
)


@pytest.fixture(scope="module", params=NAMES)
def report(request: pytest.FixtureRequest) -> Report:
    catalog = read_catalog([ROOT / "catalogs"])
    read = read_scenario(ROOT / "scenarios" / f"{request.param}.yaml", catalog.models, catalog.gpus)
    return plan(read.scenario, read.models, catalog, Options())


def test_the_document_keeps_its_schema(report: Report) -> None:
    validator("report").validate(json.loads(report_document(report)))


def test_the_bill_adds_up(report: Report) -> None:
    text = report_text(report, 100)
    costs = [Decimal(cost.replace(",", "")) for cost in re.findall(r"= +([\d,.]+) CNY", text)]
    assert sum(costs) == sum(Decimal(best.cost) for best in report.plans[:1])


@pytest.mark.parametrize("width", [80, 100])
def test_lines_fit_and_every_offer_of_the_plan_is_named(report: Report, width: int) -> None:
    text = report_text(report, width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    assert all(lease.offer in text for best in report.plans[:1] for lease in best.leases)
