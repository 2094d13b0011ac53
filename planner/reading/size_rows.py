"""A CSV file of jobs to size: a column is an option of `planner size`, a row a job; an empty cell is the default."""

from collections.abc import Mapping
from pathlib import Path

from planner.reading.columns import Column
from planner.reading.csv_rows import Row, rows_of
from planner.reading.models import resolve_model
from planner.reading.nearest import nearest
from planner.reading.scenario_checks import gpu_fault
from planner.reading.source import Source, read_source
from planner.reading.tree import Node
from planner.reading.validating import validated
from planner.values.faults import Fault, Faulty
from planner.values.hardware import Gpu
from planner.values.model import Model
from planner.values.sizing import SizeRequest, SizeRequests

_NAMES = tuple(SizeRequest.model_fields)


def read_size_rows(path: Path, models: Mapping[str, Model], gpus: Mapping[str, Gpu]) -> SizeRequests:
    """Every row with its model and card; `Faulty` with every fault."""
    source = read_source(path)
    faults: list[Fault] = []
    written = list(rows_of(source, faults))
    header = written[0].cells if written else []
    columns = _columns(source, header, faults)
    rows = []
    for row in written[1:]:
        if len(row.cells) != len(header):
            faults.append(source.fault(row.line, 1, "cells", str(len(row.cells)), (str(len(header)),)))
            continue
        request, found = validated(SizeRequest, row.node(columns))
        faults += found
        told = {fault.column for fault in found if fault.rule != "missing_field"}
        left = tuple(column for column in columns if column.index + 1 not in told)
        model, gpu = _model(row, left, models, faults), _gpu(row, left, gpus, faults)
        if request is not None and model is not None and gpu is not None:
            rows.append((tuple(row.cells), request, model, gpu))
    if faults:
        raise Faulty(tuple(sorted(faults)))
    return SizeRequests(tuple(header), tuple(rows))


def _columns(source: Source, header: list[str], faults: list[Fault]) -> tuple[Column, ...]:
    columns: dict[str, Column] = {}
    for index, name in enumerate(header):
        if name not in _NAMES:
            meant = nearest(name, _NAMES) if name else ""
            faults.append(source.fault(1, index + 1, "unknown_field", name, _NAMES, suggestion=meant))
        elif name in columns:
            faults.append(source.fault(1, index + 1, "duplicate_field", name))
        else:
            columns[name] = Column(index, (name,), is_list=False)
    faults += (source.fault(1, 1, "missing_field", "", (name,)) for name in ("model", "gpu") if name not in columns)
    return tuple(columns.values())


def _written(row: Row, columns: tuple[Column, ...], name: str) -> Node | None:
    """The cell of a column; None where it is not among the columns or nothing is written."""
    cell = row.cell(next((column for column in columns if column.path == (name,)), None))
    return cell if cell is not None and cell.text else None


def _gpu(row: Row, columns: tuple[Column, ...], gpus: Mapping[str, Gpu], faults: list[Fault]) -> Gpu | None:
    cell = _written(row, columns, "gpu")
    faults += gpu_fault(cell, gpus)
    return gpus.get((cell.text or "").casefold()) if cell is not None else None


def _model(row: Row, columns: tuple[Column, ...], models: Mapping[str, Model], faults: list[Fault]) -> Model | None:
    cell = _written(row, columns, "model")
    if cell is None:
        return None
    try:
        return resolve_model(cell.text or "", models, row.source.path.parent)
    except Faulty as faulty:
        faults += (cell.fault(one.rule, one.found, one.expected, one.suggestion) for one in faulty.faults)
        return None
