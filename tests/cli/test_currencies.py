"""A scenario in another currency than the sellers', as a process: rates, tax, and what stands on the page."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

OFFERS = """\
schema: planner.catalog/1
seller: Overseas Cloud
terms: {currency: USD, kind: list, source: made up, observed: 2026-11-01}
offers:
  - id: us-h20
    gpu: H20 96G
    gpus_per_node: 1
    prices: {per: gpu, hour: 1.50}
    commercial: {invoices: [overseas], tax: {rate: 0 %, included: yes, withholding: 10 %}}
"""
SCENARIO = """\
schema: planner.scenario/1
name: in yuan
currency: CNY
start: 2026-11-02
phases:
  - {name: train, kind: train, model: 7B, method: lora, sequence_tokens: 2048, work: {hours: 100 h}}
"""
RATES = """\
schema: planner.rates/1
rates: [{currency: USD, in: CNY, rate: 7.10, date: 2026-10-30, source: a bank}]
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    paths = (tmp_path / "scenario.yaml", tmp_path / "overseas.yaml", tmp_path / "rates.yaml")
    for path, text in zip(paths, (SCENARIO, OFFERS, RATES), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_dollars_with_withholding_become_yuan_once(planner: Run, files: tuple[Path, Path, Path]) -> None:
    """100 h x 1.50 = 150.00 USD and 15.00 withheld, at 7.10: 1,171.50 CNY."""
    scenario, offers, rates = files
    done = planner("solve", scenario, "--catalog", offers, "--catalog", rates)
    assert done.returncode == 0, done.stderr
    text = re.sub(r"\s+", " ", done.stdout)
    assert "costs 1,171.50 CNY" in text
    assert "150.00 USD; net 150.00 USD, tax 0.00 USD (0 %), gross 150.00 USD" in text
    assert "15.00 USD of withholding tax beside the bill" in text
    assert "1 USD = 7.10 CNY (a bank, 2026-10-30)" in text
    assert "lease-1 in all 1,171.50 CNY" in text


def test_without_a_rate_nothing_is_guessed(planner: Run, files: tuple[Path, Path, Path]) -> None:
    scenario, offers, _ = files
    done = planner("solve", scenario, "--catalog", offers)
    assert done.returncode == 1
    assert "currency" in done.stdout


def test_a_rate_that_is_no_number_is_a_fault(planner: Run, files: tuple[Path, Path, Path]) -> None:
    scenario, offers, rates = files
    rates.write_text(RATES.replace("7.10", "seven"), encoding="utf-8")
    done = planner("solve", scenario, "--catalog", offers, "--catalog", rates, cwd=ROOT)
    assert done.returncode == 2
    assert "rates.yaml:2:" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
