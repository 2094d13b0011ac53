"""`planner catalog import` as a person runs it: files in, files out, what is open asked for, rows corrected."""

import json
from pathlib import Path

import pytest
import yaml
from openpyxl import load_workbook

from tests.conftest import Run
from tests.importing import sheets


def sheet(folder: Path, text: str = sheets.NODE_AND_CARD, name: str = "list.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_imported_offers_are_a_catalog_that_plans_use(planner: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = planner("catalog", "import", sheet(tmp_path), "--from", "sheet", "--currency", "USD", "--to", str(out))
    assert done.returncode == 0, done.stderr
    assert "D4: 80 is the memory of one card, all of them have 640" in done.stdout
    assert sorted(path.name for path in out.iterdir()) == ["aspen.yaml", "list-fix-me.xlsx", "list.mapping"]
    assert planner("check", str(out / "aspen.yaml")).returncode == 0
    assert "aspen-a-8" in planner("offers", "--catalog", str(out)).stdout
    billed = planner(
        "bill", "aspen-a-8", "--catalog", str(out), "--from", "2026-11-01", "--to", "2026-11-02", "--json", "-"
    )
    assert json.loads(billed.stdout)["ways"][0]["total"] == "576.00"  # 24 h x 24.00


def test_what_the_sheet_leaves_open_is_asked_for_and_nothing_written(planner: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = planner("catalog", "import", sheet(tmp_path), "--from", "sheet", "--to", str(out))
    assert done.returncode == 2
    assert "say it with --currency" in done.stderr
    assert not out.exists()


def test_rows_that_are_corrected_are_imported_again(planner: Run, tmp_path: Path) -> None:
    """640 instead of 80, 1.70 instead of 3.40 a card, and the third row as it is."""
    out, again = tmp_path / "out", tmp_path / "again"
    options = ("--from", "sheet", "--currency", "USD")
    assert planner("catalog", "import", sheet(tmp_path), *options, "--to", str(out)).returncode == 0
    path = out / "list-fix-me.xlsx"
    book = load_workbook(path)
    fixes = book.active
    assert fixes is not None
    header = [cell.value for cell in fixes[1]]
    assert header[-2:] == ["problem", "row"]
    assert [row[header.index("row")].value for row in fixes.iter_rows(min_row=2)] == ["4", "5", "6", "7"]
    fixes.cell(2, header.index("GPU RAM") + 1).value = "640"
    fixes.cell(3, header.index("Per-GPU") + 1).value = "1.70"
    fixes.delete_rows(5)
    book.save(path)
    done = planner("catalog", "import", str(path), *options, "--to", str(again), "--json", "-")
    document = json.loads(done.stdout)
    assert [(one["gpu"], one["gpus_per_node"]) for one in document["offers"]] == [("A100 80G", 8), ("A100 80G", 2)]
    assert document["unread_rows"] == [4]


def test_a_mapping_is_written_and_repeats_the_import(planner: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = sheet(tmp_path)
    assert planner("catalog", "import", first, "--from", "sheet", "--currency", "USD", "--to", str(out)).returncode == 0
    mapping = out / "list.mapping"
    said = yaml.safe_load(mapping.read_text(encoding="utf-8"))["columns"]
    assert said["On-demand"] == "hour"
    said["Weird"] = said.pop("On-demand")
    mapping.write_text(yaml.safe_dump({"columns": said}), encoding="utf-8")
    renamed = sheet(tmp_path, sheets.NODE_AND_CARD.replace("On-demand", "Weird"), "december.csv")
    options = ("--from", "sheet", "--currency", "USD", "--to", str(tmp_path / "next"), "--json", "-")
    done = planner("catalog", "import", renamed, "--mapping", str(mapping), *options)
    assert json.loads(done.stdout)["offers"][0]["prices"]["hour"] == "24"


def test_a_meaning_that_is_none_is_a_fault_of_the_mapping(planner: Run, tmp_path: Path) -> None:
    mapping = tmp_path / "x.mapping"
    mapping.write_text("columns:\n  Rate: huor\n", encoding="utf-8")
    options = ("--from", "sheet", "--mapping", str(mapping), "--to", str(tmp_path / "out"))
    done = planner("catalog", "import", sheet(tmp_path), *options)
    assert done.returncode == 2
    assert "hour" in done.stderr
    assert f"{mapping}:2:9" in done.stderr


@pytest.mark.parametrize(
    ("option", "value"), [("--currency", "XXX1"), ("--observed", "30 Feb"), ("--bundle", "8 cards")]
)
def test_options_that_mean_nothing_are_faults(planner: Run, tmp_path: Path, option: str, value: str) -> None:
    done = planner("catalog", "import", sheet(tmp_path), "--from", "sheet", option, value, "--to", str(tmp_path / "o"))
    assert done.returncode == 2
    assert option in done.stderr
    assert "Traceback" not in done.stderr


def test_hostile_text_stays_text(planner: Run, tmp_path: Path) -> None:
    """A seller called like a path or a formula writes no file elsewhere and makes no formula."""
    evil = sheets.NODE_AND_CARD.replace("Aspen", "../../etc/x").replace("Beech", "=HYPERLINK(1)")
    out = tmp_path / "out"
    done = planner("catalog", "import", sheet(tmp_path, evil), "--from", "sheet", "--currency", "USD", "--to", str(out))
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["etc-x.yaml", "list-fix-me.xlsx", "list.mapping"]
    assert not (tmp_path.parent / "etc").exists()
    fixes = load_workbook(out / "list-fix-me.xlsx").active
    assert fixes is not None
    assert "f" not in {cell.data_type for row in fixes.iter_rows(min_row=2) for cell in row}
    assert fixes.cell(2, 1).value == "=HYPERLINK(1)"


def test_a_file_that_is_not_there_is_a_fault(planner: Run, tmp_path: Path) -> None:
    done = planner("catalog", "import", str(tmp_path / "no.csv"), "--from", "sheet", "--to", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "no.csv" in done.stderr


def test_many_thousand_offers_are_a_table_beside_the_file(planner: Run, tmp_path: Path) -> None:
    rows = "".join(f"t{n},H100,8,208,1800,{20 + n % 7}.50,region-{n},,\n" for n in range(3000))
    text = f"InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n{rows}"
    out = tmp_path / "out"
    options = ("--from", "skypilot", "--seller", "Big", "--to", str(out))
    assert planner("catalog", "import", sheet(tmp_path, text), *options).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == ["big.csv", "big.yaml"]
    assert planner("check", str(out / "big.yaml")).returncode == 0
    assert "3,000 offers" in planner("offers", "--catalog", str(out)).stdout.replace("3000", "3,000")
