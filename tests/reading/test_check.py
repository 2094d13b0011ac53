"""All mistakes of all files at once, without solving."""

import subprocess
import sys
from pathlib import Path

import pytest

from planner.reading import check_files, shipped_folder
from planner.values.faults import Fault
from planner.values.rules import FAULT_RULES
from tests.reading.writing import SCENARIO, SELLER, written


def short(found: tuple[Fault, ...]) -> list[tuple[str, int, str]]:
    return [(Path(fault.file).name, fault.line, fault.rule) for fault in found]


def test_what_ships_has_no_fault() -> None:
    assert check_files([shipped_folder("catalogs"), shipped_folder("scenarios")]) == ()


def test_scenarios_and_catalogs_are_told_apart_by_their_schema_or_fields(tmp_path: Path) -> None:
    scenario = written(tmp_path, "tune.yaml", SCENARIO.replace("schema: planner.scenario/1\n", "").replace("14B", "x9"))
    seller = written(tmp_path, "seller.yaml", SELLER.replace("6.20", "free"))
    assert short(check_files([scenario, seller])) == [("seller.yaml", 5, "quantity"), ("tune.yaml", 7, "unknown_model")]
    assert short(check_files([tmp_path])) == short(check_files([scenario, seller]))


def test_a_scenario_may_name_the_cards_of_the_catalog_beside_it(tmp_path: Path) -> None:
    text = SCENARIO.replace("phases:", "requirements: {hardware: {gpus_allowed: [my card]}}\nphases:")
    scenario = written(tmp_path, "tune.yaml", text)
    cards = written(
        tmp_path,
        "cards.yaml",
        "schema: planner.gpus/1\ngpus:\n  - {name: My Card, maker: M, stack: cuda, usable_mib: 1000, "
        "memory_gb_per_s: 1, bf16_tflops: 1, source: s}\n",
    )
    assert short(check_files([scenario])) == [("tune.yaml", 5, "unknown_gpu")]
    assert short(check_files([scenario, cards])) == []


@pytest.mark.parametrize("text", ["a: 1", "schema: planner.report/1", "schema:", "schema: [planner.scenario/1]"])
def test_a_file_that_does_not_say_what_it_is_is_told(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "x.yaml", text)
    assert short(check_files([path])) == [("x.yaml", 1, "unknown_schema")]


def test_nothing_to_check_has_no_fault() -> None:
    assert check_files([]) == ()


def test_the_same_files_give_the_same_faults(tmp_path: Path) -> None:
    written(tmp_path, "a.yaml", SELLER.replace("H20", "H2O").replace("CNY", "XYZ").replace("list", "lits"))
    written(tmp_path, "b.yaml", SCENARIO.replace("method: full", "method: half").replace("CNY", "XYZ"))
    program = (
        "import sys; from pathlib import Path; from planner.reading import check_files; "
        "print(check_files([Path(sys.argv[1])]))"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            check=True,
            capture_output=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(answers) == 1


def test_the_room_is_light_until_it_is_used() -> None:
    program = (
        "import sys, planner.reading; print(sorted({'yaml', 'pydantic', 'pandas', 'rapidfuzz'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_reading_needs_neither_pandas_nor_a_solver(tmp_path: Path) -> None:
    path = written(tmp_path, "seller.yaml", SELLER)
    program = (
        "import sys; from pathlib import Path; from planner.reading import check_files; "
        f"check_files([Path({str(path)!r})]); print(sorted({{'pandas', 'numpy', 'ortools'}} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_every_rule_that_reading_names_is_listed() -> None:
    """Reporting has a sentence for each rule of the list, so a rule that is not in it would have none."""
    import re

    folder = Path(sys.modules["planner.reading"].__file__ or "").parent
    named = set()
    for path in folder.glob("*.py"):
        named |= set(
            re.findall(r'(?:fault|_stopped|refuse|unknown_word|_fault)\([^()"\[]*"([a-z_]+)"', path.read_text())
        )
    assert named
    assert named <= {*FAULT_RULES}
