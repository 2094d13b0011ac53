"""Cells of a table of measurements: an empty or unreadable one is unknown, never an error."""

Row = dict[str, str]


def text(row: Row, column: str, default: str = "") -> str:
    value = (row.get(column) or "").strip()
    return default if value in ("", "?", "nan") else value


def number(row: Row, column: str, default: float = 0.0) -> float:
    try:
        return float(text(row, column) or default)
    except ValueError:
        return default


def count(row: Row, column: str, default: int = 0) -> int:
    return int(number(row, column, default))
