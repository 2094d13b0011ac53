"""Writes a file whole or not at all."""

import os
import secrets
import shutil
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Puts ``text`` at ``path`` in one move, in UTF-8; a link stays one, and a device is written to as it is.

    Raises OSError, and then leaves what was there before and nothing else.
    """
    write_bytes_whole(path, text.encode())


def write_bytes_whole(path: Path, content: bytes) -> None:
    """The same of bytes."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    target = Path(os.path.realpath(path))
    beside = target.parent / f".planner-{secrets.token_hex(8)}.tmp"
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
