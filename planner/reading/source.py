"""A file, from its bytes to text with lines. Whatever lies on the disk, it is text or `Faulty`."""

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from planner.reading.nearest import nearest
from planner.values.catalog import SourceFile
from planner.values.faults import Fault, Faulty

LARGEST_BYTES = 32 * 2**20
_LONGEST_SHOWN = 1000
# What YAML counts as the end of a line; CSV and JSON are shown by the same lines.
_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
# Whatever YAML does not count as printable, and a byte order mark that is not at the start.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A file by the name that a person gave it, and its lines as written."""

    path: Path
    text: str
    lines: tuple[str, ...]
    record: SourceFile

    def fault(
        self,
        line: int,
        column: int,
        rule: str,
        found: str = "",
        expected: tuple[str, ...] = (),
        *,
        suggestion: str = "",
    ) -> Fault:
        """A fault of this file, with its line as written. Line 0 is the file as a whole."""
        text = self.lines[line - 1][:_LONGEST_SHOWN] if 0 < line <= len(self.lines) else ""
        return Fault(str(self.path), line, column, rule, found[:_LONGEST_SHOWN], expected, suggestion, text)

    def is_control_free(self, text: str) -> bool:
        return _UNPRINTABLE.search(text) is None


def read_source(path: Path) -> Source:
    """The file's text. UTF-8, with or without a byte order mark."""
    raw = _read_bytes(path)
    record = SourceFile(path.name, hashlib.sha256(raw).hexdigest())
    text, is_clean = _decode(raw)
    source = Source(path, text, tuple(_LINE_END.split(text)), record)
    if not is_clean:
        raise Faulty((source.fault(*_place(text), "encoding"),))
    if not text.strip():
        raise Faulty((source.fault(0, 0, "empty_file"),))
    stray = _UNPRINTABLE.search(text)
    if stray:
        raise Faulty((source.fault(*_place(text[: stray.start()]), "control_character", f"U+{ord(stray[0]):04X}"),))
    return source


def real(path: Path) -> Path:
    """The file that a path leads to; the path itself where that cannot be told."""
    try:
        return Path(os.path.realpath(path))  # Path.resolve raises where links run in a ring
    except (OSError, ValueError):
        return path


def _read_bytes(path: Path) -> bytes:
    def refuse(rule: str, found: str = "", expected: tuple[str, ...] = ()) -> Faulty:
        return Faulty(
            (
                Fault(
                    str(path),
                    0,
                    0,
                    rule,
                    found,
                    expected,
                    expected[0] if rule == "no_file" and expected else "",
                ),
            )
        )

    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise refuse("is_folder")
        if not stat.S_ISREG(status.st_mode):  # a pipe would be waited for
            raise refuse("unreadable", "not a regular file")
        if status.st_size > LARGEST_BYTES:
            raise refuse("too_large", f"{status.st_size} B", (f"{LARGEST_BYTES} B",))
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise refuse("no_file", path.name, _named_alike(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise refuse("unreadable", getattr(error, "strerror", None) or "not a file name") from None


def _named_alike(path: Path) -> tuple[str, ...]:
    try:
        beside = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file())
    except (OSError, ValueError):
        return ()
    alike = nearest(path.name, beside)
    return (alike,) if alike else ()


def _decode(raw: bytes) -> tuple[str, bool]:
    """The text, up to the first byte that is not UTF-8, and whether that was all."""
    try:
        return raw.decode("utf-8-sig"), True
    except UnicodeDecodeError as error:
        return raw[: error.start].decode("utf-8-sig", errors="ignore"), False


def _place(before: str) -> tuple[int, int]:
    """Line and column of the character after ``before``."""
    lines = _LINE_END.split(before)
    return len(lines), len(lines[-1]) + 1
