"""`planner solve | check | offers | size | schema`; `bill` has a module of its own. Heavy rooms are imported where they
are used, so that `planner --help` and faults in a file answer at once.
"""

import sys
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.inputs import read_both, refuse_unknown_gpus
from planner.cli.output import EXIT_PLANNED, EXIT_STATUS, deliver, faults_told, write
from planner.cli.watching import watched
from planner.values.distinct import Distinct
from planner.values.faults import Fault, Faulty
from planner.values.layout import Checkpointing
from planner.values.workload import Method, Optimizer, Precision

if TYPE_CHECKING:
    from planner.values.catalog import Catalog

app = typer.Typer(
    name="planner",
    help="The cheapest compliant way to rent GPUs for a model, with the proof.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # half the start-up time, and plain text reads everywhere
    context_settings={"help_option_names": ["-h", "--help"]},
)

CatalogPaths = Annotated[
    list[Path] | None,
    typer.Option("--catalog", metavar="PATH", help="A file or folder; repeatable. 'shipped' names the shipped ones."),
]
JsonTarget = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE|-", help="Write the JSON document; - prints it instead of text."),
]
OrderBy = Annotated[
    datetime | None,
    typer.Option("--order-by", metavar="DATE", formats=["%Y-%m-%d"], help="The day of signing, YYYY-MM-DD."),
]


class SchemaKind(StrEnum):
    SCENARIO = "scenario"
    CATALOG = "catalog"
    OVERLAY = "overlay"
    REPORT = "report"


def catalogs_of(paths: list[Path] | None) -> list[Path]:
    from planner.reading import shipped_folder

    shipped = shipped_folder("catalogs")
    return [shipped if str(path) == "shipped" else path for path in paths or [shipped]]


def _scenario(path: Path) -> Path:
    """The file as given, or the shipped scenario of that name."""
    from planner.reading import shipped_folder

    shipped = shipped_folder("scenarios") / path.with_suffix(".yaml").name
    is_name = path.parent in {Path(), Path("scenarios")}
    return shipped if is_name and not path.exists() and shipped.exists() else path


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


@app.command()
def solve(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="A scenario file, or a shipped one's name.")],
    catalog: CatalogPaths = None,
    json: JsonTarget = None,
    order_by: OrderBy = None,
    runners_up: Annotated[int, typer.Option("--runners-up", min=0, max=50, help="How many next best plans.")] = 3,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0.001, metavar="SECONDS", help="To solve.")] = 60.0,
    workers: Annotated[int, typer.Option("--workers", min=1, max=64, help="Threads of the solver.")] = 1,
    distinct: Annotated[Distinct, typer.Option("--distinct", help="What runners-up differ in.")] = Distinct.PLAN,
    *,
    accept_expired: Annotated[
        bool, typer.Option("--accept-expired", help="Plan with quotes whose validity has ended.")
    ] = False,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", metavar="FILE", help="Your own terms with sellers, over the catalog.")
    ] = None,
) -> None:
    """Find the cheapest compliant plan, its runners-up, and why the others lost.

    Exit status: 0 planned, 1 impossible, 2 faults in the input, 3 unfinished within the time limit or at Ctrl-C.
    """
    from planner.reading import read_overlay

    with watched() as watch:
        with faults_told(json):
            catalog_read, read = read_both(_scenario(scenario), catalogs_of(catalog))
            own = read_overlay(overlay, catalog_read) if overlay is not None else None
            from planner.planning import Options, plan, refuse_doubtful

            refuse_doubtful(catalog_read, catalog_read.newest_observation)
        from planner.reporting import report_document, report_text

        options = Options(_day(order_by), runners_up, time_limit, workers, distinct, watch, accept_expired, own)
        report = plan(read.scenario, read.models, catalog_read, options)
    deliver(lambda: report_text(report), lambda: report_document(report), json)
    raise typer.Exit(EXIT_STATUS[report.status])


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario, catalog and overlay files.")],
    catalog: CatalogPaths = None,
    json: JsonTarget = None,
    order_by: OrderBy = None,
) -> None:
    """Find every fault in scenario, catalog and overlay files, without solving. Exit status: 0 none, 2 faults."""
    from planner.reading import check_files
    from planner.reporting import checked_text, faults_document

    del order_by  # nothing is judged against it here
    with faults_told(json):
        faults = check_files([*map(_scenario, files), *(catalogs_of(catalog) if catalog else ())])
        if faults:
            raise Faulty(faults)
    deliver(lambda: checked_text(len(files)), lambda: faults_document(()), json)
    raise typer.Exit(EXIT_PLANNED)


@app.command()
def offers(catalog: CatalogPaths = None, json: JsonTarget = None, order_by: OrderBy = None) -> None:
    """Show the catalog as a table, with the price per GPU-hour."""
    from planner.reading import read_catalog

    with faults_told(json):
        read = read_catalog(catalogs_of(catalog))
    from planner.reporting import offers_document, offers_text

    del order_by  # nothing is judged against it here
    deliver(lambda: offers_text(read), lambda: offers_document(read), json)


@app.command()
def size(
    model: Annotated[
        str | None, typer.Argument(metavar="MODEL", help="14B, Qwen2.5-14B, or a path to a config.json.")
    ] = None,
    method: Annotated[Method, typer.Option("--method")] = Method.FULL,
    gpu: Annotated[list[str] | None, typer.Option("--gpu", help="Only this card; repeatable.")] = None,
    sequence: Annotated[int, typer.Option("--sequence", min=1, help="Tokens per sequence.")] = 4096,
    batch: Annotated[int, typer.Option("--batch", min=1, help="Sequences per optimizer step.")] = 64,
    optimizer: Annotated[Optimizer, typer.Option("--optimizer")] = Optimizer.ADAMW,
    precision: Annotated[Precision, typer.Option("--precision")] = Precision.MIXED,
    rank: Annotated[int, typer.Option("--rank", min=1, help="Rank of the adapters.")] = 16,
    checkpointing: Annotated[Checkpointing | None, typer.Option("--checkpointing", help="Default: either.")] = None,
    rows: Annotated[Path | None, typer.Option("--rows", metavar="FILE.csv", help="Size every row of a table.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.csv", help="Where the sized rows go.")] = None,
    catalog: CatalogPaths = None,
    json: JsonTarget = None,
    order_by: OrderBy = None,
) -> None:
    """Show the memory per card by part, and which GPUs and counts hold the model.

    With --rows, a CSV file with the columns model, gpu, gpus, method, sequence, batch, optimizer, precision, rank,
    checkpointing, attention, loss, framework (model and gpu are needed) is sized row by row.
    """
    from planner.reading import read_catalog, resolve_model
    from planner.values.workload import Training

    del order_by  # nothing is judged against it here
    with faults_told(json):
        if rows is not None and model is not None:
            raise Faulty((Fault("MODEL", 0, 0, "unknown_field", model, ("--rows FILE.csv",)),))
        if rows is None and out is not None:
            raise Faulty((Fault("--out", 0, 0, "missing_field", expected=("--rows FILE.csv",)),))
        read = read_catalog(catalogs_of(catalog))
        if rows is not None:
            _size_rows(rows, out, read)
            return
        if model is None:
            raise Faulty((Fault("MODEL", 0, 0, "missing_field", expected=("MODEL", "--rows FILE.csv")),))
        refuse_unknown_gpus(gpu or [], read)
        resolved = resolve_model(model, read.models, Path())
    from planner.planning import size as size_up
    from planner.reporting import sizing_document, sizing_text

    training = Training(
        resolved,
        method,
        sequence,
        batch,
        precision,
        optimizer,
        lora_rank=0 if method is Method.FULL else rank,
    )
    sizing = size_up(training, read, gpu or (), checkpointing)
    deliver(lambda: sizing_text(sizing), lambda: sizing_document(sizing), json)


def _size_rows(rows: Path, out: Path | None, catalog: "Catalog") -> None:
    from planner.planning import size_each
    from planner.reading import read_size_rows
    from planner.reporting import sized_rows_csv

    requests = read_size_rows(rows, catalog.models, catalog.gpus)
    written = sized_rows_csv(requests, size_each(requests))
    write(written, "-" if out is None else str(out))


@app.command()
def schema(kind: Annotated[SchemaKind, typer.Argument(metavar="scenario|catalog|overlay|report")]) -> None:
    """Print the JSON Schema of a scenario, a catalog file, an overlay or a report."""
    from planner.reporting import schema_document

    sys.stdout.write(schema_document(kind.value))


def main() -> None:
    """The console script."""
    app()
