"""gpuhunt's catalogs (CSV, version 2) and its Python interface: an instance in a location a row, USD an hour."""

import csv
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from importlib import import_module
from pathlib import Path
from typing import Any

from planner.importing.cards import Names
from planner.importing.drafting import offer_fields, shown, slug
from planner.values.faults import Fault, Faulty
from planner.values.hardware import Gpu
from planner.values.imports import Asked, Draft, Finding, Imported, Unread

NEEDED = ("instance_name", "location", "price", "gpu_count", "gpu_name")
FIELDS = (*NEEDED, "cpu", "memory", "gpu_memory", "spot", "provider", "gpu_vendor", "disk_size")
API = "api"


def import_gpuhunt(path: Path, gpus: Mapping[str, Gpu], asked: Asked) -> Imported:
    """Offers of a gpuhunt file; where the path is "api" and no file, of what the installed package answers.

    Raises Faulty where the file is no such catalog, or the package is not there.
    """
    if str(path) == API and not path.exists():
        return _imported(API, FIELDS, _queried(), gpus, asked)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            header, rows = tuple(reader.fieldnames or ()), list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Faulty((Fault(str(path), 0, 0, "unreadable", str(error)),)) from None
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise Faulty(tuple(Fault(str(path), 1, 1, "missing_field", expected=(name,)) for name in missing))
    return _imported(path.name, header, rows, gpus, asked)


def _queried() -> list[dict[str, str]]:
    """What the package finds by itself; it asks sellers over the network."""
    try:
        items: Iterable[Any] = import_module("gpuhunt").query()
    except ImportError:
        raise Faulty((Fault(API, 0, 0, "not_installed", "gpuhunt"),)) from None
    return [{name: str(getattr(item, name, "") or "") for name in FIELDS} for item in items]


def _imported(
    source: str, header: tuple[str, ...], rows: list[dict[str, str]], gpus: Mapping[str, Gpu], asked: Asked
) -> Imported:
    names, taken = Names(gpus), set[str]()
    drafts: list[Draft] = []
    findings = [Finding(0, "", "usd_by_convention")]
    unread: list[Unread] = []
    skipped = 0
    for number, row in enumerate(rows, start=2):
        count, price = _whole(row.get("gpu_count")), _amount(row.get("price"))
        if not row.get("gpu_name") or not count:
            skipped += 1
            continue
        memory = _amount(row.get("gpu_memory"))
        name = row["gpu_name"]
        gpu = (names.gpu(f"{name} {shown(memory)}G") if memory else None) or names.gpu(name)
        if gpu is None or price is None:
            rule, found = ("unknown_gpu", name) if gpu is None else ("no_price", row.get("price", ""))
            findings.append(Finding(number, "", rule, found, stops=True))
            unread.append(Unread(number, tuple(row.get(title) or "" for title in header)))
            continue
        drafts.append(_draft(source, number, row, gpu.name, count, price, asked, taken))
    return Imported(source, "utf-8", tuple(drafts), tuple(findings), header, tuple(unread), skipped)


def _amount(text: str | None) -> Decimal | None:
    try:
        amount = Decimal((text or "").strip())
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and amount > 0 else None


def _whole(text: str | None) -> int:
    amount = _amount(text)
    return int(amount) if amount is not None and amount == amount.to_integral_value() else 0


def _draft(
    source: str,
    number: int,
    row: Mapping[str, str],
    gpu: str,
    count: int,
    price: Decimal,
    asked: Asked,
    taken: set[str],
) -> Draft:
    seller = asked.seller or row.get("provider") or Path(source).stem
    is_spot = (row.get("spot") or "").casefold() == "true"
    name = slug(seller, row["instance_name"], row["location"]) + ("-spot" if is_spot else "")
    name = f"{name}-r{number}" if name in taken else name
    taken.add(name)
    more: dict[str, Any] = {"place": {"city": row["location"]}} if row["location"] else {}
    fields = offer_fields(
        name=name, gpu=gpu, count=count, per="node", prices={"hour": shown(price)}, currency=asked.currency or "USD",
        source=f"{source}: row {number}", asked=asked, more=more | ({"spot": True} if is_spot else {}),
    )  # fmt: skip
    return Draft(seller, number, fields)
