"""Where answers go: text or JSON, to the terminal or a file, whole or not at all; and the exit status."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from planner.values.faults import Fault, Faulty

EXIT_PLANNED = 0
EXIT_IMPOSSIBLE = 1
EXIT_FAULTS = 2
EXIT_UNFINISHED = 3
EXIT_STATUS = {"chosen": EXIT_PLANNED, "impossible": EXIT_IMPOSSIBLE, "unfinished": EXIT_UNFINISHED}


@contextmanager
def faults_told(json: str | None) -> Iterator[None]:
    """Faults raised inside are told, and end the program with status 2."""
    try:
        yield
    except Faulty as faulty:
        from planner.reporting import faults_document, faults_text

        if json is not None:
            write(faults_document(faulty.faults), json)
        sys.stderr.write(faults_text(faulty.faults))
        raise typer.Exit(EXIT_FAULTS) from None


def deliver(text: Callable[[], str], document: Callable[[], str], json: str | None) -> None:
    """Text to the terminal, and the document where it was asked for; with ``-`` the document alone."""
    if json is not None:
        write(document(), json)
    if json != "-":
        sys.stdout.write(text())


def write(text: str, target: str) -> None:
    """To a file, whole or not at all, or with ``-`` to the terminal."""
    from planner.reporting import faults_text, write_whole

    if target == "-":
        sys.stdout.write(text)
        return
    try:
        write_whole(Path(target), text)
    except OSError as error:
        sys.stderr.write(faults_text((Fault(target, 0, 0, "not_writable", found=error.strerror or ""),)))
        raise typer.Exit(EXIT_FAULTS) from None
