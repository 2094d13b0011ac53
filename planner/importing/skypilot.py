"""SkyPilot's catalogs (v5 to v8): a machine type in a region a row, columns by name in any order."""

import ast
import csv
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from planner.importing.cards import Names
from planner.importing.drafting import offer_fields, shown, slug
from planner.values.faults import Fault, Faulty
from planner.values.hardware import Gpu
from planner.values.imports import Asked, Draft, Finding, Imported, Unread

NEEDED = ("AcceleratorName", "AcceleratorCount", "Price")
# More cards than any board holds; a name such as ND96 is not a count.
MOST_CARDS = 8
RACK_NAMES = ("GB200", "GB300")
MOST_IN_RACK = 72
MIB_PER_GB = 1024
# Which cards Google's machine types hold (https://cloud.google.com/compute/docs/gpus, GPU machine types).
CARD_OF_FAMILY = {
    "a2-highgpu": "A100",
    "a2-megagpu": "A100",
    "a2-ultragpu": "A100-80GB",
    "a3-highgpu": "H100",
    "a3-megagpu": "H100-MEGA",
    "a3-ultragpu": "H200",
    "a4-highgpu": "B200",
}
L4_OF_CORES = {"24": "2", "48": "4", "96": "8"}


@dataclass(slots=True)
class _Found:
    drafts: list[Draft]
    findings: list[Finding]
    unread: list[Unread]
    taken: set[str]
    skipped: int = 0


def import_skypilot(path: Path, gpus: Mapping[str, Gpu], asked: Asked) -> Imported:
    """Offers of a SkyPilot catalog; its prices are USD a node and hour by SkyPilot's convention, which is told.

    Raises Faulty where the file is no such catalog.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Faulty((Fault(str(path), 0, 0, "unreadable", str(error)),)) from None
    header = tuple(rows[0]) if rows else ()
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise Faulty(tuple(Fault(str(path), 1, 1, "missing_field", expected=(name,)) for name in missing))
    found = _Found([], [Finding(0, "", "usd_by_convention")] if "Currency" not in header else [], [], set())
    names = Names(gpus)
    hosts = _hosts(rows[1:], header)
    cards: dict[str, str | None] = {}
    for number, cells in enumerate(rows[1:], start=2):
        row = dict(zip(header, cells, strict=False))
        _read_row(path, number, row, tuple(cells), names, cards, hosts, asked, found)
    return Imported(
        path.name, "utf-8", tuple(found.drafts), tuple(found.findings), header, tuple(found.unread), found.skipped
    )


def _hosts(rows: list[list[str]], header: tuple[str, ...]) -> dict[tuple[str, str, str], dict[str, str]]:
    """Machine rows of GCP, whose cards have rows of their own: by card, count and zone; the cheapest that fits."""
    hosts: dict[tuple[str, str, str], dict[str, str]] = {}
    for cells in rows:
        row = dict(zip(header, cells, strict=False))
        held = _held(row.get("InstanceType", ""))
        if held is None or row.get("AcceleratorName"):
            continue
        key = (*held, row.get("AvailabilityZone", ""))
        if key not in hosts or (_price(row.get("Price")) or 0) < (_price(hosts[key].get("Price")) or 0):
            hosts[key] = row
    return hosts


def _held(machine: str) -> tuple[str, str] | None:
    """The cards that a machine type of Google's holds; None for any other."""
    if machine.startswith("g2-standard-"):
        return "L4", L4_OF_CORES.get(machine.removeprefix("g2-standard-"), "1")
    family, _, size = machine.rpartition("-")
    card = CARD_OF_FAMILY.get(family)
    return (card, size.removesuffix("g")) if card and size.endswith("g") else None


def _text_count(row: Mapping[str, str]) -> str:
    amount = _decimal(row.get("AcceleratorCount", ""))
    return "" if amount is None else shown(amount)


def _decimal(text: str) -> Decimal | None:
    try:
        amount = Decimal(text.strip())
    except (InvalidOperation, ValueError):
        return None
    return amount if amount.is_finite() else None


def _price(text: str | None) -> Decimal | None:
    """0.00 means that the seller's interface gave no price."""
    amount = _decimal(text or "")
    return amount if amount is not None and amount > 0 else None


def _read_row(
    path: Path,
    number: int,
    row: Mapping[str, str],
    cells: tuple[str, ...],
    names: Names,
    cards: dict[str, str | None],
    hosts: Mapping[tuple[str, str, str], Mapping[str, str]],
    asked: Asked,
    found: _Found,
) -> None:
    accelerator, count = row.get("AcceleratorName", ""), _decimal(row.get("AcceleratorCount", ""))
    if not accelerator or count is None:
        found.skipped += 1
        if _held(row.get("InstanceType", "")) is None:
            found.findings.append(Finding(number, "", "no_gpu", row.get("InstanceType", "")))
        return
    rule = _why_not(row, accelerator, count, names, cards)
    if rule is not None:
        text, expected = rule[1], rule[2]
        found.findings.append(Finding(number, "", rule[0], text, expected, stops=True))
        found.unread.append(Unread(number, cells))
        return
    parts = _with_host(row, hosts)
    if parts is None:
        found.findings.append(
            Finding(number, "", "host_missing", accelerator, row.get("AvailabilityZone", ""), stops=True)
        )
        found.unread.append(Unread(number, cells))
        return
    _memory(number, row, int(count), found)
    gpu = cards[_key(row, accelerator)] or accelerator
    prices = {"hour": _sum(parts, "Price"), "spot": _sum(parts, "SpotPrice")}
    if prices["hour"] is None and prices["spot"] is None:
        found.findings.append(Finding(number, "", "no_price", row.get("Price", ""), stops=True))
        found.unread.append(Unread(number, cells))
        return
    if prices["hour"] is None:
        found.findings.append(Finding(number, "", "only_spot", row.get("SpotPrice", "")))
    if prices["hour"] and prices["spot"] and prices["spot"] > prices["hour"]:
        found.findings.append(Finding(number, "", "spot_above_on_demand", shown(prices["spot"]), shown(prices["hour"])))
        prices["spot"] = None
    for kind, amount in prices.items():
        if amount is not None:
            _add(path, number, row, gpu, int(count), kind, amount, asked, found)


def _why_not(
    row: Mapping[str, str], accelerator: str, count: Decimal, names: Names, cards: dict[str, str | None]
) -> tuple[str, str, str] | None:
    key = _key(row, accelerator)
    if key not in cards:
        gpu = names.gpu(key) or names.gpu(accelerator)
        cards[key] = gpu.name if gpu else None
    if accelerator.casefold().startswith("tpu"):
        return "not_a_gpu", accelerator, ""
    if cards[key] is None:
        return "unknown_gpu", accelerator, ""
    if count != count.to_integral_value() or count < 1:
        return "fractional_gpu", shown(count), ""
    most = MOST_IN_RACK if accelerator.startswith(RACK_NAMES) else MOST_CARDS
    if count > most and count % most:
        return "count_implausible", shown(count), f"<= {most}"
    return None


def _key(row: Mapping[str, str], accelerator: str) -> str:
    """The card's name with the memory of one card, where the row says it."""
    size = _one_card_gb(row)
    return f"{accelerator} {size}G" if size and not accelerator.upper().endswith(("GB", "G")) else accelerator


def _one_card_gb(row: Mapping[str, str]) -> int | None:
    if (plain := _decimal(row.get("GpuMemoryGiB", ""))) is not None:
        return int(plain)
    info = _info(row.get("GpuInfo", ""))
    for gpu in info.get("Gpus", ()) if isinstance(info, dict) else ():
        size = gpu.get("MemoryInfo", {}).get("SizeInMiB") if isinstance(gpu, dict) else None
        if isinstance(size, (int, float)) and size > 0:
            return round(size / MIB_PER_GB)
    return None


def _info(text: str) -> Any:
    """A Python literal, read as data; anything else is nothing."""
    if not text.startswith("{") or len(text) > 10_000:
        return {}
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return {}


def _memory(number: int, row: Mapping[str, str], count: int, found: _Found) -> None:
    """TotalGpuMemoryInMiB holds one card's memory in catalogs that were written by hand."""
    info = _info(row.get("GpuInfo", ""))
    total = info.get("TotalGpuMemoryInMiB") if isinstance(info, dict) else None
    one = _one_card_gb(row)
    if count > 1 and one and isinstance(total, (int, float)) and round(total / MIB_PER_GB) == one:
        found.findings.append(Finding(number, "", "memory_of_one_card", str(int(total)), str(int(total) * count)))


def _with_host(
    row: Mapping[str, str], hosts: Mapping[tuple[str, str, str], Mapping[str, str]]
) -> list[Mapping[str, str]] | None:
    """The row, and the machine it needs where its cards are priced apart (GCP); None where that is not there."""
    if row.get("InstanceType") or "AvailabilityZone" not in row:
        return [row]
    host = hosts.get((row["AcceleratorName"], _text_count(row), row["AvailabilityZone"]))
    return None if host is None else [row, host]


def _sum(parts: list[Mapping[str, str]], column: str) -> Decimal | None:
    prices = [_price(part.get(column)) for part in parts]
    return None if any(price is None for price in prices) else sum((p for p in prices if p is not None), Decimal(0))


def _add(
    path: Path, number: int, row: Mapping[str, str], gpu: str, count: int, kind: str, amount: Decimal,
    asked: Asked, found: _Found,
) -> None:  # fmt: skip
    seller = asked.seller or path.stem.split("_")[0]
    zone = row.get("AvailabilityZone") or row.get("Region", "")
    name = slug(seller, row.get("InstanceType") or f"{gpu}-x{count}", zone) + ("-spot" if kind == "spot" else "")
    if name in found.taken:
        name = f"{name}-r{number}"
    found.taken.add(name)
    more: dict[str, Any] = {"spot": True} if kind == "spot" else {}
    if region := row.get("Region", "").strip(", "):
        more["place"] = {"city": region}
    fields = offer_fields(
        name=name, gpu=gpu, count=count, per="node", prices={"hour": shown(amount)},
        currency=asked.currency or row.get("Currency") or "USD", source=f"{path.name}: row {number}", asked=asked,
        more=more | ({"observed": row["Generated"]} if row.get("Generated") and not asked.observed else {}),
    )  # fmt: skip
    found.drafts.append(Draft(seller, number, fields))
