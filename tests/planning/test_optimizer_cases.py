"""What people found wrong with other planners and with solvers, each named where it was told.

The numbers are ours; the situation and what is right about it are theirs.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from ortools.sat.python import cp_model

from planner.choosing import ChoosingOptions, choose
from planner.choosing.program import Program
from planner.choosing.searching import Search
from planner.planning import Options, plan
from planner.reading import read_catalog
from planner.reporting import report_text
from planner.values.catalog import Offer
from planner.values.distinct import Distinct
from planner.values.plans import Chosen, Problem, Step, Unfinished
from planner.values.report import Report
from tests.choosing.instances import candidate, offer
from tests.matching.world import SMALL, TRAIN, asking, catalog_of, stated

Map = Mapping[str, Any]
FEW = ChoosingOptions(runners_up=0, with_sellers=False, with_entries=False)


def answered(
    *offers: Offer, requirements: Map | None = None, phases: tuple[Map, ...] = (TRAIN,), **frame: Any
) -> Report:
    scenario = asking(requirements, *phases, **frame)
    models = {phase.name: SMALL for phase in scenario.phases}
    return plan(scenario, models, catalog_of(*offers), Options())


def rented(report: Report) -> list[str]:
    assert report.status == "chosen"
    return [lease.offer for lease in report.plans[0].leases]


# What a plan costs


def test_two_nodes_cost_twice_as_much_as_one() -> None:
    """https://github.com/skypilot-org/skypilot/issues/28, .../pull/277: 2 x 0.40 USD an hour are 0.80."""
    link = {"kind": "InfiniBand", "port": "400 Gb/s"}
    price = {"currency": "USD", "prices": {"per": "node", "hour": "0.40"}}
    pair = stated("pair", {"allowed_nodes": "2", "inter_link": link} | price)
    report = answered(pair, phases=(TRAIN | {"work": {"hours": "1 h"}},), nodes_at_most=2, currency="USD")
    assert report.plans[0].leases[0].nodes == 2
    assert report.plans[0].cost == "0.80"


@pytest.mark.parametrize(
    ("spot", "offer_id", "cost"), [("allowed", "v100-spot", "74.00"), ("forbidden", "v100", "248.00")]
)
def test_a_spot_node_is_billed_at_the_spot_price(spot: str, offer_id: str, cost: str) -> None:
    """https://github.com/skypilot-org/skypilot/pull/847: 100 h at 0.74, and at 2.48 on demand."""
    on_demand = stated("v100", {"prices": {"hour": "2.48"}})
    interruptible = stated("v100-spot", {"prices": {"hour": "0.74"}, "spot": True})
    report = answered(on_demand, interruptible, requirements={"spot": spot})
    assert rented(report) == [offer_id]
    assert report.plans[0].cost == cost


def test_a_share_of_spot_hours_that_nothing_keeps_is_told_with_what_a_plan_has() -> None:
    """Where every machine can be taken back, all hours are on such."""
    interruptible = stated("v100-spot", {"prices": {"hour": "0.74"}, "spot": True})
    report = answered(interruptible, requirements={"spot": "allowed"}, spot_share_at_most="30 %")
    assert [line.rule for line in report.conflict] == ["spot_share"]
    assert [(one.rule, one.from_, one.to, one.cost) for one in report.relaxations] == [
        ("spot_share", "30 %", "100.00 %", "74.00")
    ]
    assert "the share of hours on machines that can be taken back" in report_text(report)
    on_demand = stated("v100", {"prices": {"hour": "2.48"}})
    report = answered(on_demand, interruptible, requirements={"spot": "allowed"}, spot_share_at_most="30 %")
    assert rented(report) == ["v100"]


def test_every_sum_says_its_currency_and_every_price_what_it_is_for() -> None:
    """https://github.com/skypilot-org/skypilot/issues/545: is "~$0.9" an hour or in all?"""
    text = report_text(
        answered(stated("o", {"prices": {"hour": "0.90"}}), phases=(TRAIN | {"work": {"hours": "3 h"}},))
    )
    sums = re.findall(r"\d\.\d\d\b(?! h| GiB| %)(.{0,4})", text)
    assert len(sums) > 3
    assert {after[:4] for after in sums} == {" CNY"}
    assert re.search(r"hours running +3 +GPU-hours +x 0\.90 CNY += 2\.70 CNY", text)


# What cannot be had


def test_of_fifteen_offers_that_are_sold_out_none_is_planned_and_the_next_ones_are_told() -> None:
    """https://github.com/dstackai/dstack/issues/1740: the cheapest fifteen of a list all failed to start."""
    gone = [stated(f"gone-{n:02}", {"stock": 0, "prices": {"hour": str(n)}}) for n in range(1, 16)]
    there = [stated("there", {"prices": {"hour": "20"}}), stated("dearer", {"prices": {"hour": "21"}})]
    report = answered(*gone, *there)
    assert rented(report) == ["there"]
    assert [one.leases[0].offer for one in report.plans] == ["there", "dearer"], "and who comes next"
    assert {(one.offer, one.reason) for one in report.rejections} == {(one.id, "stock") for one in gone}


def test_a_price_counts_until_its_validity_ends() -> None:
    """The same: an offer says until when it is confirmed, and is out from then on."""
    quote = {"kind": "quote", "quote_number": "Q1", "valid_until": "2026-11-20"}
    offers = (stated("quoted", quote | {"prices": {"hour": "1"}}), stated("listed"))
    assert rented(answered(*offers)) == ["quoted"]
    late = answered(*offers, start="2026-11-21")
    assert rented(late) == ["listed"]
    assert [(one.offer, one.reason) for one in late.rejections] == [("quoted", "quote_validity")]


def test_where_nothing_fits_it_says_what_each_lacks_and_what_would_do() -> None:
    """https://github.com/skypilot-org/skypilot/issues/4693, .../3115: "relax the requirements" - which, and how far?"""
    offers = (
        stated("near", {"place": {"country": "CN", "city": "Wuhan"}, "prices": {"hour": "9"}}),
        stated("far", {"place": {"country": "SG"}, "prices": {"hour": "5"}}),
    )
    report = answered(*offers, requirements={"place": {"country": "CN", "city": "Beijing"}})
    assert report.status == "impossible"
    assert {line.rule for line in report.conflict} == {"place"}
    assert {(one.offer, one.rule, one.has) for one in report.rejections} == {
        ("near", "place", "Wuhan"),
        ("far", "place", "SG"),
    }
    (way_out,) = report.relaxations
    assert (way_out.rule, way_out.from_, way_out.to, way_out.cost) == ("place", "CN, Beijing", "SG", "500.00")


def test_offers_that_lack_the_same_stand_together_by_their_whole_names() -> None:
    """https://github.com/skypilot-org/skypilot/pull/3986, .../issues/5600: a row per zone, cut off at the right."""
    zones = [stated(f"a-long-name-of-a-machine-zone-{zone}", {"place": {"country": "SG"}}) for zone in "abc"]
    report = answered(*zones, stated("home", {"place": {"country": "CN"}}), requirements={"place": {"country": "CN"}})
    text = " ".join(report_text(report).partition("Why not the others")[2].split())
    assert all(text.count(zone.id) == 1 for zone in zones)
    assert "…" not in text
    assert text.count("SG") == 1, "the reason is said once"


# What is proven


def test_one_more_rule_never_makes_a_plan_cheaper_even_where_sums_exceed_32_bits() -> None:
    """https://github.com/google/or-tools/issues/5293: coefficients that summed past 2**31 "proved" a wrong optimum.

    Here each phase alone costs more than 2**31 = 2,147,483,648 minor units. The cheap machines take 30 and 20 hours
    one after another: (30 + 20) x 1,000,000.00. By hour 40 one of them must run on the fast machine, in 10 hours at
    3,100,000.00 (31,000,000.00 instead of 30,000,000.00) or in 8 (24,800,000.00 instead of 20,000,000.00).
    """

    def problem(deadline_hours: int | None) -> Problem:
        cheap, fast = offer("cheap", hour="1000000"), offer("fast", hour="3100000")
        limit = None if deadline_hours is None else deadline_hours * 60
        first = Step("first", (candidate("first", cheap, 30), candidate("first", fast, 10)))
        second = Step("second", (candidate("second", cheap, 20), candidate("second", fast, 8)), (0,), 0, limit)
        return Problem((first, second), "CNY")

    costs = []
    for deadline_hours in (None, 50, 49, 38, 29):
        decision = choose(problem(deadline_hours), FEW)
        assert isinstance(decision, Chosen)
        costs.append(decision.best.cost_minor // 10**5)
    assert costs == [50_000, 50_000, 51_000, 51_000, 55_800]


def test_presolve_is_never_believed_that_nothing_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """https://github.com/google/or-tools/issues/5274: infeasible with presolve, and an optimum without it."""
    run = Search.run

    def lying(search: Search, solver: cp_model.CpSolver, program: Program) -> cp_model.CpSolverStatus:
        if solver.parameters.cp_model_presolve:
            return cp_model.INFEASIBLE
        solver.parameters.max_deterministic_time = 0.0
        return run(search, solver, program)

    machine = offer("o", hour="1")
    problem = Problem((Step("train", (candidate("train", machine, 10),)),), "CNY")
    monkeypatch.setattr(Search, "run", lying)
    assert isinstance(choose(problem, FEW), Unfinished)


def test_a_conflict_names_only_rules_that_conflict() -> None:
    """https://github.com/google/or-tools/issues/3943, .../3983, .../5141: cores that name every assumption, or others.

    The first takes 100 hours and may begin at hour 48, the second takes 24: it cannot end by 171. The budget of
    10,000 holds 124 hours at 6.00, two sellers are allowed where one does, and Christmas is far off.
    """
    first = TRAIN | {"name": "first", "not_before": "2 days"}
    second = TRAIN | {"name": "second", "work": {"hours": "24 h"}, "deadline": "171 h"}
    christmas = {"from": "2026-12-24", "to": "2026-12-26"}
    report = answered(stated(), phases=(first, second), budget="10000", sellers_at_most=2, blackouts=(christmas,))
    assert report.status == "impossible"
    assert report.is_conflict_smallest
    assert {line.rule for line in report.conflict} == {"deadline", "release"}


# Which of equals


def test_the_order_of_a_catalog_does_not_choose_among_equals(tmp_path: Path) -> None:
    """https://github.com/google/or-tools/issues/3948, .../4458, .../2793: which of equals came out was not settled."""
    lines = [
        f"  - {{id: o{n}, gpu: RTX 4090 24G, gpus_per_node: 1, prices: {{per: gpu, hour: 6}}}}\n" for n in range(12)
    ]
    terms = "terms: {currency: CNY, kind: list, source: made up, observed: 2026-11-01}\n"
    reports = []
    for name, listed in (("there", lines), ("back", lines[::-1]), ("there", lines)):
        file = tmp_path / name / "s.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"schema: planner.catalog/1\nseller: s\n{terms}offers:\n{''.join(listed)}", encoding="utf-8")
        reports.append(plan(asking({}, TRAIN), {"train": SMALL}, read_catalog([file]), Options()))
    there, back, again = reports
    assert there == again
    assert there.plans == back.plans
    assert rented(there) == ["o0"], "of equals the first by name"


def test_cost_comes_first_and_what_is_second_never_outweighs_it() -> None:
    """https://github.com/google/or-tools/issues/1344: solve, fix the cost, solve again; no big weights.

    At 100,000 hours a weight on the finish would outweigh the one minor unit that the slow machine is cheaper.
    """
    slow, fast = offer("slow", hour="0.01"), offer("fast", hour="100")
    at_100_000_hours = candidate("train", slow, 100_000)  # 100,000 x 0.01 = 1,000.00
    dearer = candidate("train", offer("fast", hour="100.001"), 10)  # 1,000.01
    as_dear = candidate("train", fast, 10)  # 1,000.00
    for candidates, best in (((at_100_000_hours, dearer), "slow"), ((at_100_000_hours, as_dear), "fast")):
        decision = choose(Problem((Step("train", candidates),), "CNY"), FEW)
        assert isinstance(decision, Chosen)
        assert decision.best.leases[0].candidate.offer.id == best
        assert decision.best.cost_minor == 100_000


@pytest.mark.parametrize("distinct", list(Distinct))
def test_every_view_has_the_same_best_plan_of_the_same_candidates(distinct: Distinct) -> None:
    """https://github.com/dstackai/dstack/issues/4048: a grouped view and the plain one disagreed."""
    offers = [stated(f"o{n}", {"seller": f"s{n % 2}", "prices": {"hour": str(6 + n)}}) for n in range(4)]
    catalog, scenario = catalog_of(*offers), asking({}, TRAIN)
    plain = plan(scenario, {"train": SMALL}, catalog, Options())
    grouped = plan(scenario, {"train": SMALL}, catalog, Options(distinct=distinct))
    assert grouped.plans[0] == plain.plans[0]
    assert grouped.candidates == plain.candidates
    listed = {(one.offer, one.cost) for one in plain.candidates}
    for report in (plain, grouped):
        assert {(one.leases[0].offer, one.cost) for one in report.plans} <= listed
        assert {(one.plan.leases[0].offer, one.plan.cost) for one in report.seller_plans} <= listed
    assert min(Decimal(one.cost) for one in plain.candidates) == Decimal(plain.plans[0].cost)
