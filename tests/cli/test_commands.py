"""The command line as a person uses it: as a process, with its exit status."""

import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

FLAGSHIP = "scenarios/14b-full-finetune-in-3-weeks.yaml"


@pytest.fixture(scope="module")
def flagship(planner: Run) -> dict:
    done = planner("solve", FLAGSHIP, "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_flagship_is_planned_and_proven(flagship: dict) -> None:
    assert (flagship["schema"], flagship["status"], flagship["currency"]) == ("planner.report/1", "chosen", "CNY")
    assert flagship["plans"][0]["proven_optimal"]
    assert len(flagship["plans"]) == 4


def test_every_bill_adds_up(flagship: dict) -> None:
    for plan in (*flagship["plans"], *(seller["plan"] for seller in flagship["seller_plans"])):
        for lease in plan["leases"]:
            for charge in lease["charges"]:
                exact = Decimal(charge["quantity"]) * Decimal(charge["unit_price"])
                assert abs(Decimal(charge["cost"]) - exact) <= Decimal("0.005")
            assert sum(Decimal(charge["cost"]) for charge in lease["charges"]) == Decimal(lease["cost"])
        assert sum(Decimal(lease["cost"]) for lease in plan["leases"]) == Decimal(plan["cost"])
        assert Decimal(plan["cost"]) <= Decimal(plan["cost_safe"])


def test_runners_up_are_other_plans_and_never_cheaper(flagship: dict) -> None:
    costs = [Decimal(plan["cost"]) for plan in flagship["plans"]]
    assert costs == sorted(costs)
    choices = set()
    for plan in flagship["plans"]:
        lease = {lease["id"]: (lease["offer"], lease["nodes"]) for lease in plan["leases"]}
        choices.add(tuple(lease[phase["lease"]] for phase in plan["phases"]))
        assert Decimal(plan["delta_to_best"]) == Decimal(plan["cost"]) - costs[0]
    assert len(choices) == len(flagship["plans"])


@pytest.mark.parametrize(("distinct", "field"), [("offer", "offer"), ("gpu", "gpu"), ("seller", "seller")])
def test_runners_up_differ_in_what_is_asked(planner: Run, distinct: str, field: str) -> None:
    report = json.loads(planner("solve", FLAGSHIP, "--distinct", distinct, "--json", "-").stdout)
    choices = set()
    for plan in report["plans"]:
        lease = {lease["id"]: lease[field] for lease in plan["leases"]}
        choices.add(tuple(lease[phase["lease"]] for phase in plan["phases"]))
    assert report["distinct"] == distinct
    assert len(choices) == len(report["plans"]) > 1


def test_the_best_plan_of_each_other_seller_is_told(flagship: dict) -> None:
    best = {lease["seller"] for lease in flagship["plans"][0]["leases"]}
    others = [plan["seller"] for plan in flagship["seller_plans"]]
    assert len(others) == len(set(others))
    assert not best & set(others)


def test_the_flagship_meets_what_it_asks(flagship: dict) -> None:
    plan = flagship["plans"][0]
    phases = {phase["name"]: phase for phase in plan["phases"]}
    assert [phase["kind"] for phase in plan["phases"]] == ["train", "evaluate", "serve"]
    assert phases["train"]["end"] <= phases["train"]["deadline"]
    assert phases["train"]["end"] <= phases["evaluate"]["start"]
    assert phases["evaluate"]["end"] <= phases["serve"]["start"]
    assert phases["serve"]["hours"] == 300  # 30 days at 10 hours
    for lease in plan["leases"]:
        assert lease["region"].startswith("CN")
        assert all(line["outcome"] == "met" for line in lease["compliance"])
        assert lease["offer"] in flagship["catalog"]["offers"]
    for phase in plan["phases"]:
        memory = phase["memory"]
        parts = sum(gib for name, gib in memory.items() if name not in {"peak_gib", "high_gib", "capacity_gib"})
        assert parts == pytest.approx(memory["peak_gib"], abs=0.01)
        assert memory["high_gib"] <= memory["capacity_gib"]
        assert re.search(r"\+08:00$", phase["start"])
    layout = phases["train"]["layout"]
    assert set(layout) == {
        "zero", "tensor", "pipeline", "context", "data", "micro_batch", "accumulation", "checkpointing", "offload",
    }  # fmt: skip


def test_the_funnel_narrows_from_the_whole_catalog(flagship: dict) -> None:
    left = [step["offers_left"] for step in flagship["funnel"]]
    assert flagship["funnel"][0]["rule"] == "offers"
    assert left == sorted(left, reverse=True)
    assert {"place", "memory"} <= {step["rule"] for step in flagship["funnel"]}


def test_the_same_question_gives_the_same_bytes(planner: Run) -> None:
    assert planner("solve", FLAGSHIP, "--json", "-").stdout == planner("solve", FLAGSHIP, "--json", "-").stdout


def test_the_document_names_no_path_and_no_clock(planner: Run, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    done = planner("solve", ROOT / FLAGSHIP, "--catalog", ROOT / "catalogs", "--json", target)
    assert done.returncode == 0
    assert str(ROOT) not in target.read_text(encoding="utf-8")
    assert done.stdout.startswith("The cheapest plan")


def test_text_and_document_tell_the_same_total(planner: Run, flagship: dict) -> None:
    text = planner("solve", FLAGSHIP).stdout
    assert f"{Decimal(flagship['plans'][0]['cost']):,}" in text.splitlines()[0]


def test_impossible_is_an_answer(planner: Run) -> None:
    done = planner("solve", "scenarios/14b-full-finetune-in-3-weeks-with-mlps-3.yaml", "--json", "-")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert (report["status"], report["plans"]) == ("impossible", [])
    assert {line["rule"] for line in report["conflict"]} == {"certification"}
    relaxation = report["relaxations"][0]
    assert relaxation["rule"] == "certification"
    assert relaxation["conditions"]
    unknown = [r for r in report["rejections"] if r["reason"] == "unknown" and r["rule"] == "certification"]
    assert all("certificates" in rejection["has"] for rejection in unknown)
    assert unknown


def test_too_little_time_is_unfinished(planner: Run, tmp_path: Path) -> None:
    """Seven phases that may share months in any way are not proven in a hundredth of a second."""
    scenario = tmp_path / "seven.yaml"
    job = "kind: train, model: 7B, method: lora, sequence_tokens: 2048"
    phases = "".join(f"  - {{name: p{i}, {job}, work: {{hours: {50 + 37 * i} h}}}}\n" for i in range(7))
    head = "name: seven\ncurrency: CNY\nstart: 2026-11-02\nrequirements: {terms: [month]}\nphases:\n"
    scenario.write_text(head + phases, encoding="utf-8")
    done = planner("solve", scenario, "--time-limit", "0.01", "--json", "-")
    report = json.loads(done.stdout)
    assert (done.returncode, report["status"]) == (3, "unfinished")
    assert all(not plan["proven_optimal"] for plan in report["plans"])


def test_faults_end_with_status_2_and_no_traceback(planner: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    text = (ROOT / FLAGSHIP).read_text(encoding="utf-8")
    broken.write_text(text.replace("deadline:", "dead_line:").replace("method: full", "method: ful"), encoding="utf-8")
    done = planner("solve", broken)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert 'did you mean "deadline"' in done.stderr
    assert 'did you mean "full"' in done.stderr
    assert done.stdout == ""


def test_faults_come_as_a_document(planner: Run, tmp_path: Path) -> None:
    done = planner("solve", tmp_path / "nothing.yaml", "--json", "-")
    document = json.loads(done.stdout)
    assert done.returncode == 2
    assert document["schema"] == "planner.faults/1"
    assert set(document["faults"][0]) >= {"file", "line", "column", "rule", "found", "expected", "suggestion"}


def test_faults_of_catalog_and_scenario_are_told_at_once(planner: Run, tmp_path: Path) -> None:
    (tmp_path / "scenario.yaml").write_text("name: x\ncurrency: CNY\nphases: []\n", encoding="utf-8")
    (tmp_path / "seller.yaml").write_text("schema: planner.catalog/1\nseller: A\nofers: []\n", encoding="utf-8")
    done = planner("solve", tmp_path / "scenario.yaml", "--catalog", tmp_path / "seller.yaml")
    assert done.returncode == 2
    assert "scenario.yaml" in done.stderr
    assert 'did you mean "offers"' in done.stderr


def test_check_finds_nothing_in_what_ships(planner: Run) -> None:
    files = [*(ROOT / "scenarios").glob("*.yaml"), *(ROOT / "catalogs").glob("*.yaml")]
    done = planner("check", *files)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("scenario", sorted((ROOT / "scenarios").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_scenario_has_an_answer(planner: Run, scenario: Path) -> None:
    done = planner("solve", scenario)
    assert done.returncode in {0, 1}, done.stderr
    assert done.stderr == ""


def test_offers_are_a_table(planner: Run) -> None:
    text = planner("offers").stdout
    assert "jizhisuan-h20-96g-x1" in text
    assert "6.20" in text
    assert json.loads(planner("offers", "--json", "-").stdout)


def test_size_shows_parts_and_cards(planner: Run) -> None:
    done = planner("size", "14B", "--method", "full")
    assert done.returncode == 0, done.stderr
    assert "optimizer" in done.stdout
    rows = json.loads(planner("size", "14B", "--method", "full", "--gpu", "H20", "--json", "-").stdout)["rows"]
    assert [row["gpu_count"] for row in rows] == [1, 2, 4, 8]


def test_size_names_the_nearest_card(planner: Run) -> None:
    done = planner("size", "14B", "--gpu", "H2O 96G")
    assert done.returncode == 2
    assert "H20" in done.stderr


@pytest.mark.parametrize("kind", ["scenario", "catalog", "report"])
def test_schemas_are_those_that_the_files_name(planner: Run, kind: str) -> None:
    done = planner("schema", kind)
    assert json.loads(done.stdout)["$schema"].startswith("https://json-schema.org")
    assert done.stdout == (ROOT / "schemas" / f"{kind}.json").read_text(encoding="utf-8")


def test_order_by_moves_the_day_of_signing(planner: Run) -> None:
    done = planner("solve", FLAGSHIP, "--order-by", "2026-11-20", "--json", "-")
    report = json.loads(done.stdout)
    assert report["order_by"] == "2026-11-20"
    assert min(lease["start"] for lease in report["plans"][0]["leases"]) >= "2026-11-20"


def test_only_the_catalogs_named_are_used(planner: Run) -> None:
    done = planner("solve", FLAGSHIP, "--catalog", "catalogs/jizhisuan.yaml", "--json", "-")
    report = json.loads(done.stdout)
    assert {lease["seller"] for plan in report["plans"] for lease in plan["leases"]} == {"极智算"}
    assert report["seller_plans"] == []


def test_a_shipped_scenario_is_found_from_any_folder(planner: Run, tmp_path: Path) -> None:
    done = planner("solve", FLAGSHIP, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['planner', '--help']\n"
        "from planner.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('ortools', 'pandas', 'numpy') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "solve" in done.stdout
    assert done.stderr.strip() == "[]"


def test_a_document_is_written_whole_or_not_at_all(planner: Run, tmp_path: Path) -> None:
    done = planner("solve", FLAGSHIP, "--json", tmp_path / "no folder" / "report.json")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
