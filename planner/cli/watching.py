"""While a search runs: a line of progress for who sits at a terminal, and Ctrl-C for the best plan so far."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from planner.values.watch import Progress, Watch

# A guess: who waits longer wants to know what for.
QUIET_SECONDS = 2.0
# What a shell reports of a program that Ctrl-C ended.
EXIT_INTERRUPTED = 130


class ProgressLine:
    """One line on a terminal's stderr, written over and over."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.shown = ""

    def tell(self, progress: Progress) -> None:
        from planner.reporting import progress_text

        if time.monotonic() - self.begun >= QUIET_SECONDS:
            self._show(progress_text(progress))

    def erase(self) -> None:
        if self.shown:
            self._show("")
            sys.stderr.write("\r")

    def _show(self, text: str) -> None:
        if text != self.shown:
            sys.stderr.write("\r" + text.ljust(len(self.shown)))
            sys.stderr.flush()
            self.shown = text


@contextmanager
def watched() -> Iterator[Watch]:
    """The first Ctrl-C ends the search, as soon as there is one; a second one the program."""
    line = ProgressLine()
    watch = Watch(line.tell) if sys.stderr.isatty() else Watch()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        if watch.is_stopped:
            raise typer.Exit(EXIT_INTERRUPTED)
        watch.is_stopped = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield watch
    finally:
        signal.signal(signal.SIGINT, before)
        line.erase()
