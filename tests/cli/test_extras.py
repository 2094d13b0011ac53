"""Everything that an offer may cost beside its hours, in one plan, as a process."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run

OFFERS = """\
schema: planner.catalog/1
seller: Cloud
terms: {currency: CNY, kind: list, source: made up, observed: 2026-11-01}
offers:
  - id: h20
    gpu: H20 96G
    gpus_per_node: 1
    prices: {per: gpu, hour: 6.00, components: [{name: host, per: node, hour: 1.50}]}
    fees:
      - {name: set-up, amount: 20, per: once}
      - {name: public IPv4, amount: 72, per: month}
      - {name: platform, amount: 0.10, per: hour, of: lease}
    storage: {persistent: 1 TB, persistent_price: {per: month, price: 0.36, free: 100 GB}}
    bandwidth: {traffic: {resets: never, both_ways: no, tiers: [{from: 0 GB, price: 0}, {from: 10 GB, price: 0.80}]}}
"""
SCENARIO = """\
schema: planner.scenario/1
name: with everything
currency: CNY
start: 2026-11-02
requirements: {storage: {checkpoints: 300 GB}}
phases:
  - {name: train, kind: train, model: 7B, method: lora, sequence_tokens: 2048, work: {hours: 100 h}}
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = (tmp_path / "scenario.yaml", tmp_path / "cloud.yaml")
    for path, text in zip(paths, (SCENARIO, OFFERS), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_each_is_a_line_of_the_bill(planner: Run, files: tuple[Path, Path]) -> None:
    """100 h are 100/720 of a month. Work of fixed hours says nothing of what it moves.

    Cards 600.00, host 150.00, set-up 20.00, address 72 x 100/720 = 10.00, platform 10.00, storage 100 GB free and
    200 GB x 100/720 x 0.36 = 10.00: 800.00 in all.
    """
    scenario, offers = files
    done = planner("solve", scenario, "--catalog", offers, "--json", "-")
    assert done.returncode == 0, done.stderr
    (lease,) = json.loads(done.stdout)["plans"][0]["leases"]
    assert lease["cost"] == "800.00"
    assert lease["terms"] == ["hour"], "storage by the month is no term of the machine"
    costs = {charge["what"]: charge["cost"] for charge in lease["charges"] if charge["cost"] != "0.00"}
    assert costs == {
        "run": "600.00", "run, host": "150.00", "set-up": "20.00", "public IPv4": "10.00", "platform": "10.00",
        "storage": "10.00",
    }  # fmt: skip


def test_what_is_trained_is_copied_out_at_the_price_of_its_traffic(planner: Run, files: tuple[Path, Path]) -> None:
    """The weights of a 7B are 14 GB: 10 GB are free, 4 GB cost 3.20."""
    scenario, offers = files
    scenario.write_text(SCENARIO.replace("hours: 100 h", "tokens: 20 million"), encoding="utf-8")
    done = planner("solve", scenario, "--catalog", offers, "--json", "-")
    assert done.returncode == 0, done.stderr
    charges = json.loads(done.stdout)["plans"][0]["leases"][0]["charges"]
    traffic = [(charge["quantity"], charge["cost"]) for charge in charges if charge["what"] == "traffic"]
    assert traffic == [("10", "0.00"), ("4", "3.20")]


def test_the_page_says_each_in_words(planner: Run, files: tuple[Path, Path]) -> None:
    scenario, offers = files
    done = planner("solve", scenario, "--catalog", offers)
    assert done.returncode == 0, done.stderr
    for words in ("hours running, host", "set-up", "public IPv4", "storage that outlives the node", "by the hour"):
        assert words in done.stdout
    assert "by the month" not in done.stdout.split("The bill")[0]
