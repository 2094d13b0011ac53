"""A seller's file as offers: each line merged with the seller's terms, a list of card counts expanded."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from planner.reading.line import Line
from planner.reading.offer_csv import read_offers_csv
from planner.reading.source import Source, read_source, real
from planner.reading.tree import Node, merged
from planner.reading.validating import validated
from planner.values.catalog import Offer, SellerFile, SourceFile
from planner.values.faults import Fault, Faulty


@dataclass(frozen=True)
class ReadSeller:
    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]
    files: tuple[SourceFile, ...]


def read_seller(root: Node) -> ReadSeller:
    """The offers of a seller's file and of the CSV file that it names, and every fault in both."""
    _, faults = validated(SellerFile, root)
    terms = root.fields.get("terms")
    lines = []
    offers = root.fields.get("offers")
    for node in offers.items if offers else ():
        for written in expanded(node):
            offer, found = _offer(written, terms, root)
            lines.append(Line(offer, written.fields.get("id"), written.fields.get("gpu")))
            faults += found
    files = [root.source.record]
    csv = _csv_source(root)
    if isinstance(csv, Fault):
        faults.append(csv)
    elif csv:
        table, found = read_offers_csv(csv, root)
        lines += table
        faults += found
        files.append(csv.record)
    return ReadSeller(tuple(lines), tuple(without_echoes(faults)), tuple(files))


def expanded(line: Node) -> Iterator[Node]:
    """One node for each number of cards: ID-x1, ID-x2 and so on where there is a list of them."""
    counts, name = line.fields.get("gpus_per_node"), line.fields.get("id")
    if counts is None or not counts.items:
        yield _without_empty_list(line)
        return
    for count in counts.items:
        fields = {**line.fields, "gpus_per_node": count}
        if name and name.text and count.text:
            fields["id"] = replace(name, content=f"{name.text}-x{count.text.strip()}")
        yield replace(line, content=fields)


def _without_empty_list(line: Node) -> Node:
    """An empty list of card counts is as good as nothing written."""
    counts = line.fields.get("gpus_per_node")
    if counts is None or counts.content != ():
        return line
    return replace(line, content={**line.fields, "gpus_per_node": replace(counts, content=None)})


def _offer(line: Node, terms: Node | None, root: Node) -> tuple[Offer | None, list[Fault]]:
    whole = merged(terms, line)
    if isinstance(whole.content, dict):
        nobody = Node(root.source, root.line, root.column, "-")  # told once, of the file, and not for each offer
        whole = replace(whole, content={**whole.content, "seller": root.fields.get("seller", nobody)})
    return validated(Offer, whole)


def without_echoes(faults: list[Fault]) -> list[Fault]:
    """Faults in the order of the file. A line is judged alone and with the terms: one of two echoes goes."""
    told: dict[tuple[object, ...], Fault] = {}
    for fault in faults:
        name = fault.expected if fault.rule == "missing_field" else ()
        told.setdefault((fault.file, fault.line, fault.column, fault.rule, fault.found, name), fault)
    return sorted(told.values())


def _csv_source(root: Node) -> Source | Fault | None:
    node = root.fields.get("offers_csv")
    if node is None or not node.text:
        return None
    name = PurePosixPath(node.text)
    folder = root.source.path.parent
    path = folder / Path(*name.parts)
    is_inside = not name.is_absolute() and ".." not in name.parts and "\\" not in node.text and ":" not in node.text
    if not is_inside or not real(path).is_relative_to(real(folder)):
        return node.fault("outside_folder")
    try:
        return read_source(path)
    except Faulty as faulty:
        fault = faulty.faults[0]
        return node.fault(fault.rule, None, fault.expected, fault.suggestion) if not fault.line else fault
