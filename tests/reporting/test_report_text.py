"""What `planner solve` prints: whole layouts as files, and what must hold of any report."""

import os
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from planner.reporting import report_text
from planner.values.report import Advantage, Assumption, Notice, Report
from tests.reporting import made

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "chosen": made.report(),
    "conditional": made.conditional(),
    "impossible": made.impossible(),
    "unfinished": made.unfinished(made.plan(proven_optimal=False, gap_percent=3.4)),
    "nothing-yet": made.unfinished(),
}


def first_line(report: Report) -> str:
    return report_text(report, 1000).splitlines()[0]


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("name", CASES)
def test_the_layout_is_the_one_on_file(name: str, width: int) -> None:
    """PLANNER_GOLDEN=write writes the files again; the difference is for a person to read."""
    path = GOLDEN / f"{name}-{width}.txt"
    text = report_text(CASES[name], width)
    if os.environ.get("PLANNER_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [60, 80, 100, 140])
@pytest.mark.parametrize("name", CASES)
def test_no_line_is_wider_than_asked_and_none_ends_in_spaces(name: str, width: int) -> None:
    for line in report_text(CASES[name], width).splitlines():
        assert cell_len(line) <= max(width, 80)
        assert line == line.rstrip()


def test_the_lines_of_the_bill_add_up_to_the_total() -> None:
    text = report_text(made.report(), 100)
    charges = [Decimal(cost.replace(",", "")) for cost in re.findall(r"= +([\d,.]+) CNY", text)]
    total = re.search(r"Total +([\d,.]+) CNY", text)
    assert total is not None
    assert sum(charges) == Decimal(total[1].replace(",", "")) == Decimal("10664.00")


def test_every_charge_shows_quantity_unit_price_and_cost() -> None:
    text = report_text(made.report(), 100)
    assert re.search(r"hours running +400 +GPU-hours +x 6\.20 CNY += 2,480\.00 CNY", text)
    assert re.search(r"months, prepaid +1 +node-month +x 7,920\.00 CNY += 7,920\.00 CNY", text)


def test_the_first_line_is_the_answer() -> None:
    assert first_line(made.report()) == (
        "The cheapest plan that complies costs 10,664.00 CNY: 1 node of 4 x H20 96G from 极智算, by the hour, for "
        "train, then 1 node of 8 x RTX 4090 from JYGPU, by the month and by the day, for serve."
    )


def test_the_first_line_says_what_the_plan_is_conditional_on_and_that_nobody_can_order_it() -> None:
    line = first_line(made.conditional())
    assert line.startswith("Not orderable: ")
    assert "The best plan found that complies" in line
    assert "Conditional on written confirmation of the certificate 等保三级." in line


def test_the_first_line_of_an_impossible_scenario_names_the_rules() -> None:
    assert first_line(made.impossible()) == (
        "Impossible: no plan complies. These cannot all hold: certificates of the platform or data centre (train) "
        "and the deadline (serve)."
    )
    assert "ruled out by certificates of the platform" in first_line(replace(made.impossible(), conflict=()))


def test_a_conflict_that_is_not_proven_smallest_says_so() -> None:
    assert "whether fewer" not in first_line(made.impossible())
    assert first_line(replace(made.impossible(), is_conflict_smallest=False)).endswith(
        "The time did not suffice to say whether fewer of them conflict already."
    )


def test_an_unfinished_search_says_how_much_cheaper_it_might_get() -> None:
    line = first_line(CASES["unfinished"])
    assert line.startswith("Unfinished, stopped before the proof: ")
    assert "3.4% cheaper" in line


def test_numbers_stand_with_their_units() -> None:
    text = report_text(made.report(), 140)
    for shown in (
        "48.2 GiB a card expected, 60.0 GiB at the upper end of the interval, 95.6 GiB usable",
        "100.0 h expected, 120.0 h booked to be safe",
        "2026-11-23 00:00 +08:00, 384.0 h after the latest finish",
        "expected 2026-11-06 04:00 +08:00; at the latest 2026-11-07 00:00 +08:00",
        "paid until 2026-12-08 00:00 +08:00",
        "413.6 GB of storage",
        "+533.20 CNY",
        "+5.0%",
        "ZeRO-3 over 4 cards, micro-batch 1 x 16 accumulation, full checkpointing",
        "4 replicas of 2 cards (tensor parallel over 2 cards)",
    ):
        assert shown in text, shown


def test_a_runner_up_says_where_the_money_goes() -> None:
    text = " ".join(report_text(made.report(), 1000).split())
    assert "; +793.20 CNY for months, prepaid, -260.00 CNY for hours running" in text


def test_a_near_tie_says_what_it_has_more_of() -> None:
    advantages = (
        Advantage("inter_gbps", "train", 400, 200),
        Advantage("card_gib", "train", 140.375, 95.578),
        Advantage("end_hours", "train", 88.5, 100),
        Advantage("nodes", "serve", 1, 2),
        Advantage("orderable", "", 1, 0),
        Advantage("unknowns", "", 0, 2),
    )
    near = replace(made.dearer(), delta_to_best="1.00", is_near_tie=True, advantages=advantages)
    text = " ".join(report_text(made.report(plans=(made.plan(), near), seller_plans=()), 1000).split())
    assert (
        "nearly as cheap, with 400 instead of 200 Gb/s between nodes for train, 140.4 GiB instead of 95.6 GiB a card"
        " for train, train done 11.5 h earlier, 1 instead of 2 nodes for serve, prices that can be ordered and 0"
        " instead of 2 things to confirm" in text
    )
    same = replace(near, delta_to_best="0.00", advantages=())
    assert "; as cheap" in report_text(made.report(plans=(made.plan(), same), seller_plans=()), 1000)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"entry": "chosen", "dominated_by": "b"}, "chosen"),
        ({"entry": "rented", "offer": "4090-x8"}, "rented for serve"),
        ({"entry": "impossible"}, "no plan can use it"),
        ({"entry": "not_reckoned"}, "-"),
        ({"entry": "not_reckoned", "dominated_by": "b", "dominated_by_nodes": 2}, "-; dominated by b (2 nodes)"),
        ({"entry": "reckoned", "cheaper": "0.00", "cheaper_percent": 0.0}, "as cheap"),
        ({"entry": "reckoned", "cheaper": "40.00", "cheaper_percent": 25.0}, "40.00 CNY (25.0%)"),
        ({"entry": "reckoned", "cheaper": "400.00", "cheaper_percent": 250.0}, "400.00 CNY, more than it costs"),
        ({"entry": "reckoned", "cheaper": "400.00", "cheaper_percent": None}, "400.00 CNY, more than it costs"),
    ],
)
def test_a_candidate_says_what_it_would_take_to_be_chosen(changes: dict[str, Any], said: str) -> None:
    line = replace(made.candidate("x", 1, 10.0, "160.00"), **changes)
    text = report_text(made.report(candidates=(line,)), 1000)
    text = text.partition("Where train could run")[2].partition("What was asked")[0]
    (row,) = [row for row in text.splitlines() if row.startswith(f"{line.offer}  ")]
    assert row.endswith(f"160.00 CNY  {said}")
    assert ("- was not reckoned" in text) is (changes["entry"] == "not_reckoned")


@pytest.mark.parametrize(("distinct", "said"), [("plan", "Runners-up\n"), ("gpu", "Runners-up, each on other cards\n")])
def test_the_runners_up_say_what_they_differ_in(distinct: str, said: str) -> None:
    assert said in report_text(made.report(distinct=distinct), 100)


def test_what_is_said_of_several_offers_alike_is_said_once() -> None:
    text = report_text(made.report(), 100)
    assert "stock (h20-x4 and 4090-x8)" in text
    assert "h20-x4 and 4090-x8: list price" in text


def test_an_identifier_without_words_is_shown_itself() -> None:
    odd = made.report(assumptions=(Assumption("a", "1", "some_new_why"),), warnings=(Notice("new_rule", "x", "1"),))
    text = report_text(odd, 100)
    assert "some new why" in text
    assert "new rule: x 1" in text


def test_the_same_report_gives_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    text = report_text(made.report(), 100)
    for name, value in (("COLUMNS", "33"), ("FORCE_COLOR", "1"), ("TERM", "dumb"), ("TZ", "Asia/Shanghai")):
        monkeypatch.setenv(name, value)
    assert report_text(made.report(), 100) == text
