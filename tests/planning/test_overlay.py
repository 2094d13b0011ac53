"""A user's own terms with sellers, from the file to the bill."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from planner.planning import Options, plan
from planner.reporting import report_text
from planner.values.catalog import Offer, SourceFile
from planner.values.overlay import Overlay, OwnTerms
from planner.values.report import Report
from tests.conftest import Run
from tests.matching.world import SMALL, asking, catalog_of, stated

FLAGSHIP = "scenarios/14b-full-finetune-in-3-weeks.yaml"
FLAGSHIP_OFFERS = "jizhisuan-h200-141g-x4", "jizhisuan-h20-96g-x1"


def own(**sellers: dict[str, Any]) -> OwnTerms:
    overlay = Overlay.model_validate({"name": "ours", "sellers": sellers})
    return OwnTerms(overlay, SourceFile("ours.yaml", "0" * 64))


def answered(terms: OwnTerms | None, *offers: Offer, **frame: Any) -> Report:
    """A hundred hours of training on one node of one card, with the user's own terms."""
    scenario = asking({}, **frame)
    models = {phase.name: SMALL for phase in scenario.phases}
    return plan(scenario, models, catalog_of(*offers), Options(overlay=terms))


def lines_of(report: Report) -> list[tuple[str, str, str | None, str]]:
    """(what, unit price, percent off, cost) of the best plan."""
    charges = (charge for lease in report.plans[0].leases for charge in lease.charges)
    return [(one.what, one.unit_price, one.agreed_percent, one.cost) for one in charges]


@pytest.mark.parametrize(
    ("discounts", "off"),
    [
        ([{"off": "15 %"}], "15"),
        ([{"off": "15 %", "offers": ["o"]}], "15"),
        ([{"off": "15 %", "gpus": ["t"]}], "15"),
        ([{"off": "15 %"}, {"off": "20 %", "gpus": ["T"]}], "20"),  # the largest, not 32 of both
        ([{"off": "15 %", "offers": ["another"]}], None),
        ([{"off": "15 %", "gpus": ["H200"]}], None),
        ([{"off": "15 %", "offers": ["o"], "gpus": ["H200"]}], None),
        ([], None),
    ],
)
def test_a_discount_is_for_the_offers_that_it_names(discounts: list[dict[str, Any]], off: str | None) -> None:
    """A hundred and some booked hours at 6.00 less the discount; those that run are 100 and the setting up."""
    ((what, price, agreed, cost),) = lines_of(answered(own(s={"discounts": discounts}), stated()))
    ((_, _, _, undiscounted),) = lines_of(answered(None, stated()))
    share = 1 - Decimal(off or 0) / 100
    assert (what, agreed) == ("run", off)
    assert Decimal(price) == 6 * share
    assert Decimal(cost) == Decimal(undiscounted) * share


def test_a_discount_is_off_prepaid_terms_and_renewals_but_not_off_fees() -> None:
    """A week at 500 and one renewed at 400 hold 14 days: 450 + 360, beside a fee of 30 for setting up."""
    changes = {"prices": {"hour": None, "week": {"amount": "500", "renewal_price": "400"}}}
    fee = {"fees": [{"name": "setup", "amount": "30", "per": "once", "of": "lease"}]}
    train = {"name": "train", "kind": "train", "method": "full", "work": {"hours": "200 h"}}
    scenario = asking({}, train)
    terms = own(s={"discounts": [{"off": "10 %"}]})
    report = plan(scenario, {"train": SMALL}, catalog_of(stated("o", {**changes, **fee})), Options(overlay=terms))
    assert [(agreed, Decimal(cost)) for _, _, agreed, cost in lines_of(report)] == [
        ("10", 450),
        ("10", 360),
        (None, 30),
    ]
    assert Decimal(report.plans[0].cost) == 840


def test_the_seller_with_whom_a_discount_was_agreed_wins() -> None:
    """6.00 less 20% is 4.80, under the 5.00 of the other."""
    dear, cheap = stated("dear"), stated("cheap", {"seller": "other", "prices": {"hour": "5"}})
    assert answered(None, dear, cheap).plans[0].leases[0].offer == "cheap"
    assert answered(own(s={"discounts": [{"off": "20 %"}]}), dear, cheap).plans[0].leases[0].offer == "dear"


@pytest.mark.parametrize(
    ("quota", "chosen"),
    [
        ({"gpus_at_most": 1}, "cheap"),
        ({"gpus_at_most": 0}, "dear"),
        ({"gpus_at_most": 0, "gpus": ["H200"]}, "cheap"),
        ({"gpus_at_most": 0, "gpus": ["t"]}, "dear"),
        ({"gpus_at_most": 0, "place": {"city": "成都"}}, "dear"),
        ({"gpus_at_most": 0, "place": {"city": "上海"}}, "cheap"),
        ({"gpus_at_most": 0, "place": {"site": "A"}}, "dear"),  # the offer does not say its site: it may be this one
    ],
)
def test_a_quota_binds_the_offers_that_it_is_for(quota: dict[str, Any], chosen: str) -> None:
    """5.00 an hour under the quota, 6.00 without one."""
    cheap = stated("cheap", {"prices": {"hour": "5"}, "place": {"country": "CN", "city": "成都"}})
    dear = stated("dear", {"seller": "other"})
    assert answered(own(s={"quotas": [quota]}), cheap, dear).plans[0].leases[0].offer == chosen


def test_a_quota_that_leaves_no_plan_is_told_with_the_cards_that_one_would_need() -> None:
    report = answered(own(s={"quotas": [{"gpus_at_most": 0}]}), stated())
    assert [line.rule for line in report.conflict] == ["quota"]
    assert [(one.rule, one.from_, one.to) for one in report.relaxations] == [("quota", "s 0", "s 1")]
    assert "how many cards a seller lets you have at one time" in report_text(report)


def test_the_flagship_with_a_discount(planner: Run, tmp_path: Path) -> None:
    """68 GPU-hours at 13.94 and 306 at 6.20, as the README shows, less 15% and 10%."""
    path = tmp_path / "ours.yaml"
    path.write_text(
        "schema: planner.overlay/1\nname: ours\nsellers:\n  极智算:\n    discounts:\n"
        f"      - {{off: 15 %, gpus: [H200]}}\n      - {{off: 10 %, offers: [{', '.join(FLAGSHIP_OFFERS)}]}}\n",
        encoding="utf-8",
    )
    done = planner("solve", FLAGSHIP, "--overlay", path, "--json", "-")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    train = (68 * Decimal("13.94") * Decimal("0.85")).quantize(Decimal("0.01"))
    serve = (306 * Decimal("6.20") * Decimal("0.90")).quantize(Decimal("0.01"))
    assert Decimal(answer["plans"][0]["cost"]) == train + serve
    assert answer["catalog"]["overlay"]["name"] == "ours.yaml"
    text = planner("solve", FLAGSHIP, "--overlay", path).stdout
    assert "hours running, 15% off as agreed" in text
    assert f"ours.yaml; content {answer['catalog']['overlay']['sha256'][:12]}" in text
