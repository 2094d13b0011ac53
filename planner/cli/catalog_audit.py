"""`planner catalog check | diff | history`: what to think of a catalog, and what has changed in it."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.app import JsonTarget, catalogs_of
from planner.cli.catalog import catalog_app
from planner.cli.output import EXIT_FAULTS, EXIT_PLANNED, deliver, faults_told
from planner.values.faults import Fault, Faulty

MOST_DAYS = 100_000
On = Annotated[
    datetime | None,
    typer.Option("--on", metavar="DATE", formats=["%Y-%m-%d"], help="The day to judge on; else the newest price's."),
]


def _day(moment: datetime | None, newest: date) -> date:
    return newest if moment is None else moment.date()


@catalog_app.command("check")
def check_catalog(
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[DIR...]", help="Files and folders.")] = None,
    on: On = None,
    old_days: Annotated[int, typer.Option("--old-days", min=1, max=MOST_DAYS, help="Prices older are told.")] = 90,
    json: JsonTarget = None,
) -> None:
    """Find what cannot be right in a catalog, and what to ask its sellers. Exit status: 0 no errors, 2 errors."""
    from planner.reading import read_catalog

    with faults_told(json):
        catalog = read_catalog(catalogs_of(paths))
    from planner.auditing import doubts_of
    from planner.reporting import audit_document, audit_text

    day = _day(on, catalog.newest_observation)
    doubts = doubts_of(catalog, day, old_days)
    deliver(lambda: audit_text(catalog, doubts, day), lambda: audit_document(catalog, doubts, day), json)
    raise typer.Exit(EXIT_FAULTS if any(doubt.is_error for doubt in doubts) else EXIT_PLANNED)


@catalog_app.command("diff")
def diff_catalogs(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A file or folder.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="A file or folder.")],
    json: JsonTarget = None,
) -> None:
    """Show what has changed from one catalog to another: prices in money and percent, offers new and gone."""
    from planner.reading import read_catalog

    with faults_told(json):
        before, after = read_catalog([old]), read_catalog([new])
    from planner.auditing import diff
    from planner.reporting import diff_document, diff_text

    found = diff(before, after)
    deliver(lambda: diff_text(found), lambda: diff_document(found), json)


@catalog_app.command("history")
def show_history(
    offer: Annotated[str, typer.Argument(metavar="OFFER", help="The id of an offer.")],
    folder: Annotated[Path, typer.Option("--in", metavar="DIR", help="A folder of dated snapshots, each a folder.")],
    json: JsonTarget = None,
) -> None:
    """Show what an offer cost in each snapshot of a catalog, in the order of their names, such as 2026-11-01."""
    from planner.reading import read_catalog

    with faults_told(json):
        names = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        if not names:
            raise Faulty((Fault(str(folder), 0, 0, "empty_folder"),))
        catalogs = {name: read_catalog([folder / name]) for name in names}
        if not any(one.id == offer for catalog in catalogs.values() for one in catalog.offers):
            from planner.reading.nearest import nearest

            known = {one.id for catalog in catalogs.values() for one in catalog.offers}
            raise Faulty((Fault("OFFER", 0, 0, "unknown_offer", offer, suggestion=nearest(offer, sorted(known))),))
    from planner.auditing import history
    from planner.reporting import history_document, history_text

    found = history(offer, catalogs)
    deliver(lambda: history_text(offer, found), lambda: history_document(offer, found), json)
