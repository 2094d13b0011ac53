"""`planner catalog`: somebody's prices into a catalog, and what to think of a catalog."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.app import CatalogPaths, JsonTarget, app, catalogs_of
from planner.cli.output import EXIT_FAULTS, EXIT_PLANNED, deliver, faults_told, write
from planner.values.faults import Fault, Faulty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from planner.values.imports import Asked, Imported

catalog_app = typer.Typer(
    help="Import price sheets and catalogs, check them, and see what has changed.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(catalog_app, name="catalog")


class ImportKind(StrEnum):
    SKYPILOT = "skypilot"
    GPUHUNT = "gpuhunt"
    SHEET = "sheet"


class Period(StrEnum):
    HOUR = "hour"
    DAY = "day"
    MONTH = "month"


class Per(StrEnum):
    GPU = "gpu"
    NODE = "node"


@catalog_app.command("import")
def import_file(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A CSV file or an Excel workbook; api for gpuhunt's own.")
    ],
    kind: Annotated[ImportKind, typer.Option("--from", help="What the file is.")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The folder that the catalog files go to.")],
    seller: Annotated[str | None, typer.Option("--seller", help="Whose prices they are.")] = None,
    currency: Annotated[str | None, typer.Option("--currency", help="ISO 4217, where the file does not say.")] = None,
    per: Annotated[Per | None, typer.Option("--per", help="What a price is for, where the file does not say.")] = None,
    period: Annotated[Period | None, typer.Option("--period", help="Of prices whose columns name none.")] = None,
    observed: Annotated[
        str | None, typer.Option("--observed", metavar="DATE", help="When the prices were seen.")
    ] = None,
    bundle: Annotated[
        str | None, typer.Option("--bundle", metavar="CARDS,CORES,GB", help="A node of prices by component.")
    ] = None,
    mapping: Annotated[Path | None, typer.Option("--mapping", help="A file that says what the columns mean.")] = None,
    catalog: CatalogPaths = None,
    json: JsonTarget = None,
) -> None:
    """Import offers into catalog files, a file a seller, and tell everything to know of every row.

    What the file leaves open and a price cannot be without is asked for, never guessed. Rows that give no offer go
    into a workbook with what is wrong of each, to be corrected and imported again. What the columns mean is written
    beside it (NAME.mapping), for the next sheet of this kind. Exit status: 0 imported, 2 faults or open questions.
    """
    with faults_told(json):
        said = _asked(seller, currency, per, observed, bundle, mapping)
        asked = replace(said, period=None if period is None else period.value)
        from planner.reading import read_catalog

        gpus = read_catalog(catalogs_of(catalog)).gpus
        from planner.planning.importing import imported

        found = imported(file, kind.value, gpus, asked)
        from planner.reporting import questions_asked

        questions = questions_asked(found, str(file))
    from planner.reporting import faults_text, import_document, import_text

    files: list[str] = []
    if not questions:
        with _writable(to):
            to.mkdir(parents=True, exist_ok=True)
        files = _written(found, file, to)
    deliver(lambda: import_text(found, files), lambda: import_document(found, files), json)
    if questions:
        typer.echo(faults_text(questions), err=True, nl=False)
    raise typer.Exit(EXIT_FAULTS if questions or not found.drafts else EXIT_PLANNED)


def _asked(
    seller: str | None,
    currency: str | None,
    per: Per | None,
    observed: str | None,
    bundle: str | None,
    mapping: Path | None,
) -> Asked:
    """Faulty with everything that is no currency, date or bundle."""
    from planner.reading.mapping_file import read_mapping
    from planner.values.currencies import CURRENCIES
    from planner.values.imports import Asked

    faults = []
    if currency is not None and currency not in CURRENCIES:
        faults.append(Fault("--currency", 0, 0, "currency", currency, ("CNY",)))
    if observed is not None and not _is_day(observed):
        faults.append(Fault("--observed", 0, 0, "quantity", observed, ("date", "2026-11-02")))
    counts = _bundle(bundle)
    if bundle is not None and counts is None:
        faults.append(Fault("--bundle", 0, 0, "quantity", bundle, ("bundle", "8,128,1024")))
    if faults:
        raise Faulty(tuple(faults))
    columns = {} if mapping is None else read_mapping(mapping)
    return Asked(seller, currency, None if per is None else per.value, None, observed, counts, columns)


def _bundle(text: str | None) -> tuple[int, int, int] | None:
    """Cards, cores and GB of memory."""
    match = re.fullmatch(r"(\d{1,4}),(\d{1,5}),(\d{1,6})", text or "")
    return (int(match.group(1)), int(match.group(2)), int(match.group(3))) if match else None


def _is_day(text: str) -> bool:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    """What cannot be written is told, and ends the program with status 2."""
    from planner.reporting import faults_text

    try:
        yield
    except OSError as error:
        typer.echo(faults_text((Fault(str(path), 0, 0, "not_writable", error.strerror or ""),)), err=True, nl=False)
        raise typer.Exit(EXIT_FAULTS) from None


def _written(found: Imported, file: Path, to: Path) -> list[str]:
    """Names of the files that were written; each appears whole or not at all."""
    from planner.importing import catalog_files, fix_me, mapping_text
    from planner.reporting import problems_of, write_bytes_whole

    names = []
    for name, text in catalog_files(found).items():
        write(text, str(to / name))
        names.append(str(to / name))
    if found.columns:
        write(mapping_text(found.columns), str(to / f"{file.stem}.mapping"))
        names.append(str(to / f"{file.stem}.mapping"))
    if found.unread:
        path = to / f"{file.stem}-fix-me.xlsx"
        with _writable(path):
            write_bytes_whole(path, fix_me(found, problems_of(found)))
        names.append(str(path))
    return names
