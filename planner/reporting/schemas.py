"""The JSON Schemas of what is read and written, so that editors complete and check a file while it is typed."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from planner.reporting.documents import document
from planner.values.catalog import CATALOG_SCHEMA, SellerFile
from planner.values.facts import GpuFile, ModelFile
from planner.values.overlay import OVERLAY_SCHEMA, Overlay
from planner.values.report import REPORT_SCHEMA, Report
from planner.values.scenario import SCENARIO_SCHEMA, Scenario

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_document(kind: Literal["scenario", "catalog", "overlay", "report"]) -> str:
    """The schema of a file that is read, as a person writes it, or of the report, as it is written."""
    schemas = {"scenario": _scenario, "catalog": _catalog, "overlay": _overlay, "report": _report}
    title, schema = schemas[kind]()
    return document({"$schema": SCHEMA_DIALECT, **schema, "title": title})


def _scenario() -> tuple[str, dict[str, Any]]:
    return SCENARIO_SCHEMA, Scenario.model_json_schema(by_alias=True, mode="validation")


def _catalog() -> tuple[str, dict[str, Any]]:
    """A catalog's folder holds three kinds of file; the field ``schema`` says which one a file is."""
    files = Annotated[SellerFile | GpuFile | ModelFile, Field(discriminator="schema_name")]
    adapter: TypeAdapter[Any] = TypeAdapter(files)
    schema = adapter.json_schema(by_alias=True, mode="validation")
    # A price is mostly written as a plain number, which the validator of `Rate` takes and no schema can see.
    price = {"type": ["number", "string"], "description": "an amount of money, such as 9,900 or 13.94"}
    schema["$defs"]["Rate"] = {"anyOf": [price, schema["$defs"]["Rate"]]}
    return CATALOG_SCHEMA, schema


def _overlay() -> tuple[str, dict[str, Any]]:
    return OVERLAY_SCHEMA, Overlay.model_json_schema(by_alias=True, mode="validation")


def _report() -> tuple[str, dict[str, Any]]:
    return REPORT_SCHEMA, TypeAdapter(Report).json_schema(by_alias=True, mode="serialization")
