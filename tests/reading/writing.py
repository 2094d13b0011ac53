"""Files for the tests of reading, and what is wrong with them in short."""

from collections.abc import Callable
from pathlib import Path

from planner.values.faults import Fault, Faulty

SCENARIO = """\
schema: planner.scenario/1
name: tune
currency: CNY
start: 2026-11-02
phases:
  - name: train
    kind: train
    model: 14B
    method: full
    work: {tokens: 1.0 billion}
"""

SELLER = """\
schema: planner.catalog/1
seller: 极智算
terms: {currency: CNY, kind: list, source: a page, observed: 2026-10-27}
offers:
  - {id: h20, gpu: H20, gpus_per_node: 8, prices: {per: gpu, hour: 6.20}}
"""


def faults_of(read: Callable[[], object]) -> tuple[Fault, ...]:
    """The faults that a call raises; none where it gives a value."""
    try:
        read()
    except Faulty as faulty:
        return faulty.faults
    return ()


def places(faults: tuple[Fault, ...]) -> list[tuple[int, int, str]]:
    return [(fault.line, fault.column, fault.rule) for fault in faults]


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
