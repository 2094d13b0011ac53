"""A table of jobs to size."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.planning import size_each
from planner.reading import read_catalog, read_size_rows, shipped_folder
from planner.reporting import faults_text, sized_rows_csv
from planner.values.sizing import SizeRequests
from tests.reading.writing import faults_of, places, written

CATALOG = read_catalog([shipped_folder("catalogs")])


def read(folder: Path, text: str) -> SizeRequests:
    return read_size_rows(written(folder, "jobs.csv", text), CATALOG.models, CATALOG.gpus)


def test_a_row_is_a_job_with_its_model_and_card(tmp_path: Path) -> None:
    found = read(tmp_path, "model,gpu,method\r\n14B,H20,full\r\n\r\nQwen2.5-7B,4090,lora\r\n")
    assert [(model.name, gpu.name) for _, _, model, gpu in found.rows] == [
        ("14B", "H20 96G"),
        ("Qwen2.5-7B", "RTX 4090"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model,gpu\n14B,H2O", (2, 2, "unknown_gpu")),
        ("model,gpu\n14x,H20", (2, 1, "unknown_model")),
        ("model,gpu\n14B", (2, 1, "cells")),
        ("model,gpu,methd\n14B,H20,full", (1, 3, "unknown_field")),
        ("model,gpu,gpu\n14B,H20,H20", (1, 3, "duplicate_field")),
        ("model,gpu,method\n14B,H20,ful", (2, 3, "wrong_word")),
        ('model,gpu,method\n"14B\n",H20,full\n14B,H2O,full', (4, 2, "unknown_gpu")),
        ('model,gpu\n"14B,H20', (2, 1, "csv_syntax")),
    ],
)
def test_one_mistake_is_one_fault_at_its_row_and_cell(
    tmp_path: Path, text: str, expected: tuple[int, int, str]
) -> None:
    assert places(faults_of(lambda: read(tmp_path, text))) == [expected]


def test_all_mistakes_are_told_at_once_with_line_and_cell(tmp_path: Path) -> None:
    text = """\
model,gpu,gpus,method,sequence,batch
14B,H20,8,full,4096,64
14x,H2O,0,ful,4096,64
14B,H20,8,full,4096
7B,4090,two,lora,4k,-1
"""
    assert places(faults_of(lambda: read(tmp_path, text))) == [
        (3, 1, "unknown_model"),
        (3, 2, "unknown_gpu"),
        (3, 3, "out_of_range"),
        (3, 4, "wrong_word"),
        (4, 1, "cells"),
        (5, 3, "not_a_number"),
        (5, 6, "out_of_range"),
    ]
    names = "model,gpu\n14x,H2O\n14B,H20\n7y,T1000\n"
    assert places(faults_of(lambda: read(tmp_path, names))) == [
        (2, 1, "unknown_model"),
        (2, 2, "unknown_gpu"),
        (4, 1, "unknown_model"),
        (4, 2, "unknown_gpu"),
    ]


@pytest.mark.parametrize("text", ["gpu\nH20", "model\n14B", "method\nfull", ""])
def test_model_and_card_are_needed(tmp_path: Path, text: str) -> None:
    header = text.split("\n", maxsplit=1)[0]
    rules = {fault.rule: fault.expected for fault in faults_of(lambda: read(tmp_path, text))}
    assert rules
    if header:
        assert set(rules) == {"missing_field"}


def test_an_empty_cell_is_the_default(tmp_path: Path) -> None:
    (_, bare, _, _), (_, empty, _, _) = (
        *read(tmp_path, "model,gpu\n14B,H20\n").rows,
        *read(tmp_path, "model,gpu,gpus,method,sequence,checkpointing\n14B,H20,,,,\n").rows,
    )
    assert bare == empty


def test_the_order_of_columns_says_nothing(tmp_path: Path) -> None:
    ((_, one, *_),) = read(tmp_path, "model,gpu,gpus,method\n14B,H20,8,lora\n").rows
    ((_, other, *_),) = read(tmp_path, "method,gpus,gpu,model\nlora,8,H20,14B\n").rows
    assert one == other


# What comes out


def sized(folder: Path, text: str) -> list[dict[str, str]]:
    """The rows of the table that `planner size --rows` writes."""
    requests = read(folder, text)
    return list(csv.DictReader(StringIO(sized_rows_csv(requests, size_each(requests)))))


def test_results_come_in_the_order_of_the_rows(tmp_path: Path) -> None:
    jobs = [("70B", "H20", "8"), ("7B", "H200", "8"), ("14B", "H20", "8"), ("7B", "4090", "1"), ("14B", "H20", "8")]
    rows = sized(tmp_path, "model,gpu,gpus\n" + "".join(",".join(job) + "\n" for job in jobs))
    assert [(row["model"], row["gpu"], row["gpus"]) for row in rows] == jobs
    assert [row["verdict"] == "fits" for row in rows] == [False, True, True, False, True]
    assert rows[2] == rows[4]


def test_a_row_is_sized_as_if_it_stood_alone(tmp_path: Path) -> None:
    lines = ["7B,H20,2,full,adamw", "7B,H20,2,lora,", "14B,H200,8,full,adamw_8bit"]
    header = "model,gpu,gpus,method,optimizer\n"
    together = sized(tmp_path, header + "\n".join(lines))
    assert together == [row for line in lines for row in sized(tmp_path, header + line)]


def test_the_numbers_of_a_row_agree_with_each_other(tmp_path: Path) -> None:
    for row in sized(tmp_path, "model,gpu,gpus\n7B,H20,4\n70B,H20,1\n"):
        parts = [float(part.rsplit(" ", 1)[1]) for part in row["parts"].split("; ")]
        assert sum(parts) == pytest.approx(float(row["peak_gib"]), abs=0.01)
        assert float(row["low_gib"]) <= float(row["peak_gib"]) <= float(row["high_gib"])
        assert (row["verdict"] == "fits") == (float(row["high_gib"]) <= float(row["capacity_gib"]))


def test_more_cards_than_sequences_have_a_verdict_and_no_numbers(tmp_path: Path) -> None:
    (row,) = sized(tmp_path, "model,gpu,gpus,batch\n7B,H200,8,4\n")
    assert row["verdict"] == "does_not_fit"
    assert row["peak_gib"] == row["zero"] == row["parts"] == ""


FORMULA = '=HYPERLINK("http://x","y")'


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_cell_that_is_handed_out_begins_like_a_formula(tmp_path: Path, start: str) -> None:
    row = ["14B", "H20", start + "cmd|' /C calc'!A0"]
    (out,) = sized(tmp_path, "model,gpu,framework\n" + ",".join(row))
    assert out["framework"] == "'" + row[2]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in out.values())


def test_a_formula_stays_text_and_a_line_break_stays_in_its_cell(tmp_path: Path) -> None:
    quoted = FORMULA.replace('"', '""')
    text = f'model,gpu,framework\n14B,H20,"{quoted}"\n14B,H20,"two\nlines"\n14B,H20,"a,b;""c"""\n7B,H20,trl\n'
    rows = sized(tmp_path, text)
    assert [row["framework"] for row in rows] == [f"'{FORMULA}", "two\nlines", 'a,b;"c"', "trl"]
    assert [row["model"] for row in rows] == ["14B", "14B", "14B", "7B"]


@pytest.mark.parametrize(
    ("cell", "rule"),
    [('"=HYPERLINK(""http://x"")"', "unknown_model"), ('"a\nb"', "unknown_model"), ("x" * 300, "too_long")],
)
def test_a_hostile_name_is_a_fault_of_one_cell(tmp_path: Path, cell: str, rule: str) -> None:
    (fault,) = faults_of(lambda: read(tmp_path, f"model,gpu\n{cell},H20\n"))
    assert (fault.line, fault.column, fault.rule) == (2, 1, rule)
    said = faults_text((fault,))
    assert len(said) < 2000
    assert all(character.isprintable() or character == "\n" for character in said)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_whatever_a_cell_holds_is_handed_back_or_refused(tmp_path: Path, framework: str) -> None:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows([["model", "gpu", "framework"], ["14B", "H20", framework]])
    faults = faults_of(lambda: read(tmp_path, out.getvalue()))
    if not faults:
        (row,) = sized(tmp_path, out.getvalue())
        assert row["verdict"]
        assert not row["framework"].startswith(("=", "+", "-", "@", "\t", "\r"))
        assert row["framework"].removeprefix("'") in {framework.strip(), framework.strip().removeprefix("'")}
