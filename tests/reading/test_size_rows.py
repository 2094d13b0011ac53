"""A table of jobs to size."""

from pathlib import Path

import pytest

from planner.reading import read_catalog, read_size_rows, shipped_folder
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
