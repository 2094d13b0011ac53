"""Where the catalogs, scenarios and schemas are that come with the program."""

from pathlib import Path

from planner.reading.source import real

_KINDS = ("catalogs", "scenarios", "schemas")
_PACKAGE = Path(__file__).resolve().parents[1]


def shipped_folder(kind: str) -> Path:
    """The folder of catalogs, scenarios or schemas: in an installed package, or beside it in a checkout."""
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is none of {', '.join(_KINDS)}")
    installed = _PACKAGE / "shipped" / kind
    return installed if installed.is_dir() else _PACKAGE.parent / kind


def is_shipped(path: Path) -> bool:
    """Whether a file lies in the shipped catalogs."""
    return real(path).parent == real(shipped_folder("catalogs"))
