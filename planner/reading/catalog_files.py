"""Files and folders as one catalog."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from planner.reading.composing import read_tree
from planner.reading.facts_file import read_gpus, read_models, read_rates, replaced, taken_names
from planner.reading.kinds import Kind, kind_of
from planner.reading.line import Line
from planner.reading.scenario_checks import gpu_fault
from planner.reading.seller_file import read_seller
from planner.reading.shipped import is_shipped, shipped_folder
from planner.reading.source import read_source, real
from planner.reading.tree import Node
from planner.values.catalog import Catalog
from planner.values.faults import Fault, Faulty
from planner.values.hardware import Gpu
from planner.values.model import Model

CATALOG_KINDS = (Kind.CATALOG, Kind.GPUS, Kind.MODELS, Kind.RATES)
T = TypeVar("T", Gpu, Model)
_FACTS = ("gpus.yaml", "models.yaml")


def read_catalog(paths: Sequence[Path]) -> Catalog:
    """The offers of files and folders; `Faulty` with every fault of all of them.

    A folder stands for its YAML files, sorted by name. Cards and models are the shipped ones; files of facts
    among the paths add to them and replace them.
    """
    roots, unread = read_roots(paths, CATALOG_KINDS)
    catalog, faults = catalog_of(roots)
    if unread or faults:
        raise Faulty((*unread, *faults))
    return catalog


def read_roots(paths: Sequence[Path], kinds: Iterable[Kind]) -> tuple[list[tuple[Kind, Node]], list[Fault]]:
    """Trees of files with their kinds, each file once, and the faults of files that give no such tree."""
    roots: list[tuple[Kind, Node]] = []
    faults: list[Fault] = []
    seen: set[Path] = set()
    for path in (file for given in paths for file in _files(given, faults)):
        if real(path) in seen:
            continue
        seen.add(real(path))
        try:
            root = read_tree(read_source(path))
            roots.append((kind_of(root, kinds), root))
        except Faulty as faulty:
            faults += faulty.faults
    return roots, faults


def catalog_of(roots: list[tuple[Kind, Node]]) -> tuple[Catalog, list[Fault]]:
    """The catalog that trees of sellers and facts make, as far as they are without fault, and every fault."""
    roots = [*_shipped_facts(roots), *roots]
    gpus, gpu_faults = _facts(roots, Kind.GPUS, read_gpus)
    models, model_faults = _facts(roots, Kind.MODELS, read_models)
    sellers = [read_seller(root) for kind, root in roots if kind is Kind.CATALOG]
    lines = [line for seller in sellers for line in seller.lines]
    tables = [read_rates(root) for kind, root in roots if kind is Kind.RATES]
    faults = [*gpu_faults, *model_faults, *(fault for _, found in tables for fault in found), *_ids_twice(lines)]
    faults += (fault for seller in sellers for fault in seller.faults)
    if not gpu_faults:  # a card whose entry has a fault is not an unknown one
        faults += (fault for line in lines for fault in gpu_fault(line.gpu, gpus))
    offers = sorted((line.offer for line in lines if line.offer), key=lambda offer: (offer.seller, offer.id))
    facts = [root.source.record for kind, root in roots if kind is not Kind.CATALOG]
    files = (*facts, *(record for seller in sellers for record in seller.files))
    rates = tuple(rate for table, _ in tables for rate in table)
    return Catalog(tuple(offers), gpus, models, files, rates), sorted({*faults}, key=_reading_order(roots))


def _files(path: Path, faults: list[Fault]) -> Iterator[Path]:
    """The file itself, or the YAML files of a folder, by name."""
    try:
        if not path.is_dir():
            yield path
            return
        names = sorted(entry.name for entry in path.iterdir() if entry.suffix in (".yaml", ".yml"))
    except (OSError, ValueError) as error:
        faults.append(Fault(str(path), 0, 0, "unreadable", getattr(error, "strerror", None) or "not a file name"))
        return
    if not names:
        faults.append(Fault(str(path), 0, 0, "empty_folder"))
    yield from (path / name for name in names)


def _shipped_facts(roots: list[tuple[Kind, Node]]) -> list[tuple[Kind, Node]]:
    """The shipped files of facts, save those that are among the trees already."""
    present = {real(root.source.path) for _, root in roots}
    paths = [shipped_folder("catalogs") / name for name in _FACTS]
    shipped, faults = read_roots([path for path in paths if real(path) not in present], CATALOG_KINDS)
    if faults:
        raise Faulty(tuple(faults))
    return shipped


def _facts(
    roots: list[tuple[Kind, Node]], kind: Kind, read: Callable[[Node], tuple[dict[str, T], list[Fault]]]
) -> tuple[dict[str, T], list[Fault]]:
    """Cards or models by name, a person's own before the shipped ones."""
    entries: dict[bool, dict[str, T]] = {True: {}, False: {}}
    taken: dict[bool, dict[str, Node]] = {True: {}, False: {}}
    faults: list[Fault] = []
    for root in (root for each, root in roots if each is kind):
        ours = is_shipped(root.source.path)
        found, new_faults = read(root)
        entries[ours] |= found
        faults += new_faults
        faults += taken_names(root.fields.get(kind.entries), taken[ours])
    return replaced(entries[True], entries[False]), faults


def _ids_twice(lines: Iterable[Line]) -> Iterator[Fault]:
    first: dict[str, Node] = {}
    for line in lines:
        node = line.id
        if node and node.text and first.setdefault(node.text, node) is not node:
            yield node.fault("duplicate_offer", expected=(first[node.text].where,))


def _reading_order(roots: list[tuple[Kind, Node]]) -> Callable[[Fault], tuple[int, Fault]]:
    order = {str(root.source.path): place for place, (_, root) in enumerate(roots)}
    return lambda fault: (order.get(fault.file, len(order)), fault)
