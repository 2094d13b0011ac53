"""A CSV file of jobs to size: a column is an option of `planner size`, a row a job; an empty cell is the default."""

from collections.abc import Mapping
from pathlib import Path

from planner.reading.columns import Column
from planner.reading.csv_rows import Row, rows_of
from planner.reading.models import resolve_model
from planner.reading.nearest import nearest
from planner.reading.source import Source, read_source
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
        if request is not None:
            rows += _known(row, columns, request, models, gpus, faults)
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


def _known(
    row: Row,
    columns: tuple[Column, ...],
    request: SizeRequest,
    models: Mapping[str, Model],
    gpus: Mapping[str, Gpu],
    faults: list[Fault],
) -> list[tuple[tuple[str, ...], SizeRequest, Model, Gpu]]:
    places = {str(column.path[0]): column.index + 1 for column in columns}
    gpu = gpus.get(request.gpu.casefold())
    if gpu is None:
        near = nearest(request.gpu, gpus)
        meant = gpus[near].name if near else ""
        faults.append(row.source.fault(row.line, places["gpu"], "unknown_gpu", request.gpu, suggestion=meant))
    try:
        model = resolve_model(request.model, models, row.source.path.parent)
    except Faulty as faulty:
        faults += (
            row.source.fault(
                row.line, places["model"], fault.rule, fault.found, fault.expected, suggestion=fault.suggestion
            )
            for fault in faulty.faults
        )
        return []
    return [] if gpu is None else [(tuple(row.cells), request, model, gpu)]
