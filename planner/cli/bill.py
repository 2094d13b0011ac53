"""`planner bill`: one offer, from day to day, by every way of paying."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.app import CatalogPaths, JsonTarget, app, catalogs_of
from planner.cli.inputs import offer_named
from planner.cli.output import deliver, faults_told
from planner.values.faults import Fault, Faulty

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2999, 12, 31)
FromDay = Annotated[
    datetime,
    typer.Option("--from", metavar="DATE", formats=["%Y-%m-%d"], help="The first day, YYYY-MM-DD, from its beginning."),
]
ToDay = Annotated[
    datetime,
    typer.Option(
        "--to", metavar="DATE", formats=["%Y-%m-%d"], help="Until the beginning of this day: it is not included."
    ),
]


@app.command()
def bill(
    offer: Annotated[str, typer.Argument(metavar="OFFER", help="The id of an offer, as planner offers shows it.")],
    first: FromDay,
    end: ToDay,
    hours_per_day: Annotated[
        str, typer.Option("--hours-per-day", metavar="HOURS", help="How long it runs in each day, more than 0.")
    ] = "24",
    nodes: Annotated[int, typer.Option("--nodes", min=1, max=10_000, help="How many nodes are rented together.")] = 1,
    catalog: CatalogPaths = None,
    json: JsonTarget = None,
) -> None:
    """Bill an offer from day to day by every way of paying, cheapest first, and say where each term breaks even.

    From the beginning of --from to the beginning of --to, which is not included. Days are the seller's calendar days
    without daylight saving, 24 h each; the machine runs --hours-per-day from the beginning of each. At most 3 years.
    Exit status: 0 billed, 2 faults.
    """
    from planner.reading import read_catalog

    with faults_told(json):
        minutes_per_day = _minutes_per_day(hours_per_day)
        faults = list(_faults_of_days(first.date(), end.date()))
        if isinstance(minutes_per_day, Fault):
            raise Faulty((*faults, minutes_per_day))
        if faults:
            raise Faulty(tuple(faults))
        found = offer_named(offer, read_catalog(catalogs_of(catalog)))
    from planner.planning import invoice
    from planner.reporting import bill_document, bill_text
    from planner.values.invoice import Rental

    billed = invoice(Rental(found, first.date(), end.date(), minutes_per_day, nodes))
    deliver(lambda: bill_text(billed), lambda: bill_document(billed), json)


def _faults_of_days(first: date, end: date) -> Iterator[Fault]:
    from planner.values.invoice import MOST_DAYS

    for option, day in (("--from", first), ("--to", end)):
        if not FIRST_DAY <= day <= LAST_DAY:
            yield Fault(option, 0, 0, "out_of_range", day.isoformat(), (f"{FIRST_DAY} ... {LAST_DAY}",))
    if end <= first:
        yield Fault("--to", 0, 0, "end_before_start", end.isoformat(), (first.isoformat(),))
    elif (end - first).days > MOST_DAYS:
        yield Fault("--to", 0, 0, "out_of_range", end.isoformat(), (f"<= {MOST_DAYS} days after --from",))


def _minutes_per_day(hours: str) -> int | Fault:
    """Whole minutes, rounded up, as in a scenario; or what is wrong."""
    from pydantic import TypeAdapter, ValidationError

    from planner.values.quantities import MinutesPerDay

    try:
        return TypeAdapter[int](MinutesPerDay).validate_python(hours)
    except ValidationError as error:
        kind = error.errors(include_url=False)[0]["type"]
    limits = {"greater_than": ("> 0",), "less_than_equal": ("<= 24",)}
    rule, expected = ("out_of_range", limits[kind]) if kind in limits else ("quantity", ("number of hours", "10"))
    return Fault("--hours-per-day", 0, 0, rule, hours, expected)
