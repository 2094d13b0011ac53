"""Faults as a person likes to be told: the place, what is wrong, the line, and what was probably meant."""

import re
from collections.abc import Sequence

from rich.cells import cell_len

from planner.reporting.visible import visible
from planner.reporting.wording import counted, listed, sentence, words
from planner.reporting.wording.faults import (
    BETWEEN,
    FAULTS,
    LIKE,
    LIMITS,
    LISTS_WORDS,
    QUOTED,
    SHAPES,
    SUCH_AS,
    THIS,
    UNKNOWN_FAULT,
)
from planner.values.faults import Fault

_WIDEST_LINE = 120
_LONGEST_FOUND = 60
_MOST_WORDS = 40


def faults_text(faults: Sequence[Fault]) -> str:
    """Every fault with its place, then how many there are; nothing was planned."""
    blocks = ["\n".join(_told(fault)) for fault in faults]
    if any(fault.rule != "not_writable" for fault in faults):
        files = listed(tuple(dict.fromkeys(visible(fault.file) for fault in faults if fault.file)))
        blocks.append(sentence("mistakes", mistakes=counted(len(faults), "mistake"), files=files))
    elif faults:
        blocks.append(sentence("not_written"))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def checked_text(file_count: int) -> str:
    """What is said where a check found nothing."""
    return sentence("no_mistakes", files=counted(file_count, "file")) + "\n"


def _told(fault: Fault) -> list[str]:
    meant = sentence("did_you_mean", word=visible(fault.suggestion)) if fault.suggestion else ""
    place = {"file": visible(fault.file), "line": fault.line, "column": fault.column}
    if not fault.line:
        told = sentence("whole_file", **place, sentence=fault_said(fault))
        return [told, f"  {meant}"] if meant else [told]
    told = sentence("here", **place, sentence=fault_said(fault))
    return [told, *_shown(fault, meant)]


def _shown(fault: Fault, meant: str) -> list[str]:
    """The line as it was written, and marks under what is wrong in it."""
    number = f"{fault.line:>4}"
    text, column = _window(fault.text, max(0, fault.column - 1), fault.found)
    before = cell_len(visible(text[:column]))
    marks = "^" * _marked_cells(text[column:], fault.found)
    return [
        f"{number} | {visible(text)}".rstrip(),
        f"{' ' * len(number)} | {' ' * before}{marks} {meant}".rstrip(),
    ]


def _window(text: str, column: int, found: str) -> tuple[str, int]:
    """A line that is too long, cut to what lies around the column."""
    if cell_len(visible(text)) <= _WIDEST_LINE:
        return text, column
    first = max(0, column - _WIDEST_LINE // 3)
    last = column + max(_WIDEST_LINE // 3, min(len(found), _WIDEST_LINE // 2))
    head = "..." if first else ""
    tail = "..." if last < len(text) else ""
    return f"{head}{text[first:last]}{tail}", column - first + len(head)


def _marked_cells(rest: str, found: str) -> int:
    """As many cells as what stands there takes; one where it is not written so."""
    quote = rest[:1] if rest[:1] in ("'", '"') else ""
    written = f"{quote}{found}{quote}"
    return max(1, cell_len(visible(written))) if found and rest.startswith(written) else 1


def fault_said(fault: Fault) -> str:
    """What is wrong, without where."""
    found = fault.found if len(fault.found) <= _LONGEST_FOUND else f"{fault.found[:_LONGEST_FOUND]}..."
    if fault.rule in QUOTED:
        found = f'"{found}"'
    pattern = FAULTS.get(fault.rule, UNKNOWN_FAULT)
    said = pattern.format(rule=words({}, fault.rule), found=found or THIS, expected=_expected(fault))
    if fault.rule in LISTS_WORDS and not fault.suggestion and 0 < len(fault.expected) <= _MOST_WORDS:
        said = sentence("one_of", sentence=said, words=listed(fault.expected, "or"))
    return visible(said)


def _expected(fault: Fault) -> str:
    first = fault.expected[0] if fault.expected else ""
    match fault.rule:
        case "out_of_range":
            return _limit(first)
        case "rate":
            return listed(tuple(_limit(way) for way in fault.expected), "or")
        case "wrong_shape":
            return listed(tuple(SHAPES.get(w) or LIKE.format(example=w) for w in fault.expected), "or")
        case "quantity" if len(fault.expected) > 1:
            return SUCH_AS.format(kind=first, example=listed(fault.expected[1:], "or"))
        case "work" | "load":
            return "; or ".join(fault.expected)
    return listed(fault.expected, "or")


def _limit(written: str) -> str:
    """A limit such as "> 0" as "more than 0", and "1 ... 9" as "from 1 to 9"."""
    between = re.fullmatch(r"(\S+) \.\.\. (\S+)", written)
    if between:
        return BETWEEN.format(low=between[1], high=between[2])
    for sign, pattern in LIMITS.items():
        if written == sign or written.startswith(f"{sign} "):
            return pattern.format(value=written.removeprefix(sign).strip())
    return written
