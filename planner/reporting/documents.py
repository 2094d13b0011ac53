"""JSON documents: the same values without a sentence, indented by two, ending with a newline."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter

from planner.reporting.prices import Priced, priced_offers
from planner.values.catalog import Catalog
from planner.values.faults import Fault
from planner.values.invoice import BILL_SCHEMA, Invoice
from planner.values.report import Report
from planner.values.sizing import Sizing

FAULTS_SCHEMA = "planner.faults/1"
OFFERS_SCHEMA = "planner.offers/1"
SIZING_SCHEMA = "planner.sizing/1"
_SURROGATE = re.compile("[\ud800-\udfff]")


def document(value: Any) -> str:
    """The text of a document. Half a character, as in a file name that is not UTF-8, is written as its escape."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def report_document(report: Report) -> str:
    return document(TypeAdapter(Report).dump_python(report, mode="json", by_alias=True))


def faults_document(faults: Sequence[Fault]) -> str:
    return document({"schema": FAULTS_SCHEMA, "faults": [asdict(fault) for fault in faults]})


def offers_document(catalog: Catalog) -> str:
    """Each offer with its whole record, and its prices per GPU-hour and per node, for every term."""
    offers = [_offer(priced) for priced in priced_offers(catalog)]
    files = [asdict(file) for file in catalog.files]
    return document({"schema": OFFERS_SCHEMA, "offers": offers, "files": files})


def _offer(priced: Priced) -> dict[str, Any]:
    offer = priced.offer
    return {
        "id": offer.id,
        "seller": offer.seller,
        "gpu": offer.gpu,
        "gpus_per_node": offer.gpus_per_node,
        "currency": offer.currency,
        "kind": offer.kind.value,
        "observed": offer.observed.isoformat(),
        "month_hours": priced.month_hours,
        "month_is_assumed": priced.month_is_assumed,
        "price_per_gpu_hour": {term: _range(priced.per_gpu_hour(term)) for term in priced.terms},
        "price_per_node": {term: _range(priced.per_node(term)) for term in priced.terms},
        "record": offer.model_dump(mode="json", by_alias=True, exclude_none=True),
    }


def _range(prices: tuple[Decimal, Decimal] | None) -> dict[str, str] | None:
    return None if prices is None else {"low": f"{prices[0]:f}", "high": f"{prices[1]:f}"}


def bill_document(invoice: Invoice) -> str:
    """Every way of paying for a rental; money is decimal text."""
    values = TypeAdapter(Invoice).dump_python(invoice, mode="json", by_alias=True)
    return document({"schema": BILL_SCHEMA, **values})


def sizing_document(sizing: Sizing) -> str:
    values = TypeAdapter(Sizing).dump_python(sizing, mode="json", by_alias=True)
    return document({"schema": SIZING_SCHEMA, **values})
