"""`planner catalog check | diff | history`, and what planning does with a doubtful catalog."""

import json
from pathlib import Path

from tests.conftest import Run

SELLER = """schema: planner.catalog/1
seller: S
terms: {{currency: CNY, kind: {kind}, source: a page, observed: 2026-11-01{more}}}
offers:
  - {{id: one, gpu: H20 96G, gpus_per_node: 1, prices: {{per: gpu, hour: 6}}}}
  - {{id: eight, gpu: H20 96G, gpus_per_node: 8, prices: {{per: gpu, hour: {hour}}}}}
"""
SCENARIO = """name: lora
currency: CNY
start: 2026-11-02
phases: [{name: t, kind: train, model: 7B, method: lora, work: {hours: 10 h}}]
"""


def catalog(folder: Path, hour: str = "6", kind: str = "list", more: str = "", name: str = "s.yaml") -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SELLER.format(hour=hour, kind=kind, more=more), encoding="utf-8")
    return str(path)


def scenario(folder: Path) -> str:
    path = folder / "lora-scenario.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    return str(path)


def test_shipped_catalogs_pass(planner: Run) -> None:
    done = planner("catalog", "check")
    assert done.returncode == 0, done.stdout
    assert "0 errors" in done.stdout


def test_an_error_is_told_and_stops_planning(planner: Run, tmp_path: Path) -> None:
    """48 an hour and card beside 6: eight times."""
    doubtful = catalog(tmp_path, hour="48")
    done = planner("catalog", "check", doubtful, "--json", "-")
    assert done.returncode == 2
    assert [one["rule"] for one in json.loads(done.stdout)["doubts"] if one["is_error"]] == ["unit_mismatch"]
    solved = planner("solve", scenario(tmp_path), "--catalog", doubtful)
    assert solved.returncode == 2
    assert "price of a whole node" in " ".join(solved.stderr.split())
    assert "Traceback" not in solved.stderr


def test_an_expired_quote_is_refused_unless_told_otherwise(planner: Run, tmp_path: Path) -> None:
    quote = catalog(tmp_path, kind="quote", more=", quote_number: Q1, valid_until: 2026-11-01")
    refused = planner("solve", scenario(tmp_path), "--catalog", quote)
    assert refused.returncode == 1
    told = planner("solve", scenario(tmp_path), "--catalog", quote, "--accept-expired")
    assert told.returncode == 0, told.stderr
    assert "was valid until 2026-11-01" in " ".join(told.stdout.split())


def test_a_report_holds_the_hash_of_its_catalog(planner: Run, tmp_path: Path) -> None:
    """The same files by other names are the same catalog; another price is another one."""
    hashes = []
    for name, hour in (("a.yaml", "6"), ("b.yaml", "6"), ("c.yaml", "7")):
        given = catalog(tmp_path, hour=hour, name=name)
        done = planner("solve", scenario(tmp_path), "--catalog", given, "--json", "-")
        hashes.append(json.loads(done.stdout)["catalog"]["sha256"])
    assert hashes[0] == hashes[1] != hashes[2]


def test_what_changed_and_an_offers_history(planner: Run, tmp_path: Path) -> None:
    old = catalog(tmp_path / "snapshots" / "2026-11-01", hour="6")
    new = catalog(tmp_path / "snapshots" / "2026-12-01", hour="6.60")
    done = planner("catalog", "diff", old, new)
    assert (done.returncode, "+0.60   +10.0%" in done.stdout) == (0, True), done.stdout
    history = planner("catalog", "history", "eight", "--in", str(tmp_path / "snapshots"), "--json", "-")
    assert [one["prices"] for one in json.loads(history.stdout)["snapshots"]] == [[["hour", "6"]], [["hour", "6.60"]]]
    unknown = planner("catalog", "history", "eigth", "--in", str(tmp_path / "snapshots"))
    assert unknown.returncode == 2
    assert 'did you mean "eight"?' in unknown.stderr
