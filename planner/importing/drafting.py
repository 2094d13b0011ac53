"""The fields of an offer, by the names that a catalog file has for them."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from planner.values.imports import Asked

PERIOD_TERMS = {"hour": "hour", "day": "day", "week": "week", "month": "month", "year": "year"}
UNSEEN_DAY = "1970-01-01"


def slug(*texts: str) -> str:
    """An id of letters, digits and dashes; Chinese names are spelled by their code points' last digits."""
    joined = "-".join(text for text in texts if text)
    ascii_only = "".join(char if char.isascii() else f"{ord(char):x}"[-4:] for char in joined)
    return re.sub(r"[^A-Za-z0-9.]+", "-", ascii_only).strip("-.").lower()[:90] or "offer"


def offer_fields(
    *,
    name: str,
    gpu: str,
    count: int,
    per: str,
    prices: Mapping[str, Any],
    currency: str,
    source: str,
    asked: Asked,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """``prices``: term to amount or map. ``source``: the file and cell that the price stands in."""
    fields: dict[str, Any] = {
        "id": name,
        "gpu": gpu,
        "gpus_per_node": count,
        "prices": {"per": per, **prices},
        "currency": currency,
        "kind": "list",
        "source": source,
        "observed": asked.observed or UNSEEN_DAY,
    }
    return fields | dict(more or {})


def day_of(text: str) -> date | None:
    """2026年11月12日, 2026-11-12, 01.11.2026."""
    match = re.search(r"(\d{4})\s*[年\-/.]\s*(\d{1,2})\s*[月\-/.]\s*(\d{1,2})", text)
    parts = match.groups() if match else None
    if parts is None and (match := re.search(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", text)):
        parts = match.groups()[::-1]
    try:
        return date(*(int(part) for part in parts)) if parts else None
    except ValueError:
        return None


def valid_until(above: str, start: date | None) -> date | None:
    """有效期:15天 after the day of the quote."""
    match = re.search(r"(?:有效期|valid(?:ity)?)\D{0,6}(\d{1,3})\s*(?:天|日|days?)", above, re.IGNORECASE)
    return start + timedelta(days=int(match.group(1))) if match and start else None


def tax_of(text: str) -> dict[str, Any] | None:
    """The tax that a text says: zzgl. MwSt. (19 %), 不含税, 含税 with a rate; None where no rate is said."""
    rate = re.search(r"(\d{1,2}(?:[.,]\d+)?)\s*%", text)
    excluded = re.search(r"zzgl|不含税|excl|plus vat|ex vat|before tax", text, re.IGNORECASE)
    included = re.search(r"inkl|含税|incl", text, re.IGNORECASE)
    if rate is None or not (excluded or included):
        return None
    return {"rate": f"{rate.group(1).replace(',', '.')} %", "included": not excluded}


def network_of(text: str) -> dict[str, Any]:
    """8×400G IB, RoCE 200G, 无NVLink: what a configuration says of links."""
    found: dict[str, Any] = {}
    match = re.search(r"(?:(\d+)\s*[x×]\s*)?(\d{2,4})\s*G\w*\s*(IB|InfiniBand|RoCE)", text, re.IGNORECASE) or re.search(
        r"()(?:IB|InfiniBand|RoCE)\s*(\d{2,4})\s*G\b()", text, re.IGNORECASE
    )
    if match:
        kind = "RoCE" if "roce" in text.casefold() else "InfiniBand"
        found["inter_link"] = {"kind": kind, "port": f"{match.group(2)} Gb/s"} | (
            {"ports": int(match.group(1))} if match.group(1) else {}
        )
    if (line := re.search(r"(独享)?带宽\s*(\d+)\s*M", text)) is not None:
        found["bandwidth"] = {"public": f"{line.group(2)} Mb/s"} | ({"dedicated": True} if line.group(1) else {})
    if re.search(r"无\s*NVLink|no NVLink|without NVLink", text, re.IGNORECASE):
        found["intra_link"] = {"kind": "PCIe"}
    elif re.search(r"NVLink", text, re.IGNORECASE):
        found["intra_link"] = {"kind": "NVLink"}
    return found


def with_terms(fields: Mapping[str, Any], note: str) -> dict[str, Any]:
    """An offer with what a note says of all of them: 关机按50%收取, 可用性99.5%."""
    more = dict(fields)
    if (stopped := re.search(r"关机\D{0,6}(\d{1,3})\s*%", note)) is not None:
        more["billing"] = {**more.get("billing", {}), "stopped": {"charge": f"{stopped.group(1)} %"}}
    if (sla := re.search(r"(?:可用性|SLA)\D{0,4}(\d{2}(?:\.\d+)?)\s*%", note)) is not None:
        more["commercial"] = {**more.get("commercial", {}), "sla": {"availability": f"{sla.group(1)} %"}}
    return more


def shown(amount: Decimal) -> str:
    """Without a tail of zeros: 70000.00 is 70000."""
    plain = amount.normalize()
    return f"{plain:f}"
