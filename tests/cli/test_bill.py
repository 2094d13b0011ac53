"""`planner bill` as a person uses it: as a process, with its exit status."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

DAYS = ("--from", "2026-11-02", "--to", "2026-12-02")


@pytest.fixture(scope="module")
def printed(planner: Run) -> str:
    done = planner("bill", "jizhisuan-4090-24g-x8", *DAYS, "--hours-per-day", "10")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_three_ways_of_paying_for_eight_4090(printed: str) -> None:
    """300 h x 8 x 1.57 = 3,768.00; 8 x 1,073 = 8,584.00; 720 h x 8 x 1.57 = 9,043.20."""
    shown = [printed.index(total) for total in ("3,768.00 CNY", "8,584.00 CNY", "9,043.20 CNY")]
    assert shown == sorted(shown)
    assert "1. by the hour, stopped outside the 10 h of each" in printed
    assert "they may be" in printed, "the seller does not say that it keeps the cards"


def test_the_break_even_and_the_missing_tax_are_printed(printed: str) -> None:
    """1,073 / 1.57 = 683.44."""
    assert "a month pays beyond 683.4 of its 720 hours" in printed
    assert "Tax: not said." in printed
    assert "2026-12-02 itself not included" in printed


def document(planner: Run, *arguments: object) -> dict[str, Any]:
    done = planner("bill", *arguments, "--json", "-")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_month_for_ten_days_is_a_month(planner: Run) -> None:
    found = document(planner, "jygpu-4090-24g-x8", "--from", "2026-11-02", "--to", "2026-11-12")
    assert found["schema"] == "planner.bill/1"
    assert [(way["kind"], way["total"], way["unused_hours"]) for way in found["ways"]] == [("term", "7920.00", "480")]
    assert "ask_for_daily_rate" in found["actions"]


def test_nodes_half_hours_and_a_catalog_of_ones_own(planner: Run) -> None:
    """30 days x 2.5 h x 2 nodes x 8 cards x 6.20."""
    arguments = ("jizhisuan-h20-96g-x8", *DAYS, "--hours-per-day", "2.5", "--nodes", "2")
    found = document(planner, *arguments, "--catalog", "catalogs/jizhisuan.yaml", "--catalog", "catalogs/gpus.yaml")
    assert (found["nodes"], found["hours_per_day"], found["gpu_hours"]) == (2, "2.5", "1200")
    assert found["ways"][0]["total"] == "7440.00"


def test_the_document_goes_to_a_file_and_the_text_to_the_terminal(planner: Run, tmp_path: Path) -> None:
    target = tmp_path / "bill.json"
    done = planner("bill", "jizhisuan-h20-96g-x1", *DAYS, "--json", target)
    assert done.returncode == 0
    assert done.stdout.startswith("jizhisuan-h20-96g-x1: 1 node of 1 x H20 96G")
    assert json.loads(target.read_text(encoding="utf-8"))["offer"] == "jizhisuan-h20-96g-x1"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("jizhisuan-h20-96-x8", *DAYS), 'did you mean "jizhisuan-h20-96g-x8"?'),
        (("jizhisuan-h20-96g-x8", "--from", "2026-11-02", "--to", "2026-11-02"), "--to: the rental ends"),
        (("jizhisuan-h20-96g-x8", "--from", "2026-11-02", "--to", "2026-11-01"), "--to: the rental ends"),
        (("jizhisuan-h20-96g-x8", "--from", "2026-11-02", "--to", "2036-11-02"), "1098 days after --from"),
        (("jizhisuan-h20-96g-x8", "--from", "0001-01-01", "--to", "0001-01-02"), "from 1970-01-01 to 2999-12-31"),
        (("jizhisuan-h20-96g-x8", *DAYS, "--hours-per-day", "0"), "must be more than 0"),
        (("jizhisuan-h20-96g-x8", *DAYS, "--hours-per-day", "24.5"), "must be at most 24"),
        (("jizhisuan-h20-96g-x8", *DAYS, "--hours-per-day", "nan"), "not understood"),
        (("jizhisuan-h20-96g-x8", *DAYS, "--nodes", "0"), "--nodes"),
        (("jizhisuan-h20-96g-x8", "--from", "2026-11-31", "--to", "2026-12-02"), "--from"),
        (("x\x1b[31m\u202e", *DAYS), r"x\x1b[31m\u202e"),
    ],
)
def test_faults(planner: Run, arguments: tuple[str, ...], told: str) -> None:
    done = planner("bill", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_faults_are_a_document_too(planner: Run) -> None:
    done = planner("bill", "jizhisuan-h20-96g-x9", *DAYS, "--json", "-")
    assert done.returncode == 2
    (fault,) = json.loads(done.stdout)["faults"]
    assert (fault["rule"], fault["found"]) == ("unknown_offer", "jizhisuan-h20-96g-x9")


def test_help_says_that_the_last_day_is_not_included(planner: Run) -> None:
    done = planner("bill", "--help")
    assert done.returncode == 0
    assert "not included" in " ".join(done.stdout.split())
    assert "without daylight saving" in " ".join(done.stdout.split())


def test_offers_of_each_kind_of_seller_are_billed_and_their_lines_add_up(planner: Run) -> None:
    for name in ("chengdu-h100-80g-x8", "julisuanli-h800-80g-x4", "example-h200-141g-x8-ib400"):
        found = document(planner, name, *DAYS, "--hours-per-day", "8")
        assert found["ways"]
        for way in found["ways"]:
            assert sum(Decimal(charge["cost"]) for charge in way["charges"]) == Decimal(way["total"])
