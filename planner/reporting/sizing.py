"""What a model takes on cards: which cards and counts hold it, and where the memory goes."""

from collections.abc import Iterable, Iterator

from planner.reporting import figures
from planner.reporting.layouts import layout_said
from planner.reporting.paper import Paper
from planner.reporting.wording import listed, sentence, words
from planner.reporting.wording.parts import (
    LEVERS,
    MEMORY_LETTERS,
    MEMORY_PARTS,
    METHODS,
    OTHER_LETTER,
    REGIMES,
    VERDICTS,
)
from planner.values.estimate import MemoryEstimate
from planner.values.sizing import Pulled, SizeRow, Sizing, Verdict
from planner.values.workload import Method

BYTES_PER_GIB = 2**30
_BAR_CELLS = 30


def sizing_text(sizing: Sizing, width: int = 100) -> str:
    """What `planner size` prints."""
    paper = Paper(width)
    paper.say(_what(sizing))
    paper.say(_states(sizing))
    cards = _by_card(sizing.rows)
    if cards:
        paper.heading(sentence("title_holds"))
        _write_counts(paper, sizing, cards)
        _write_bars(paper, cards)
    if sizing.pulled is not None and sizing.pulled.levers:
        _write_levers(paper, sizing.pulled)
    if sizing.regimes:
        _write_regimes(paper, sizing)
    return paper.text


def _what(sizing: Sizing) -> str:
    model = sizing.model
    return sentence(
        "size",
        model=model.name,
        parameters=figures.parameters(model.parameters),
        typical=sentence("typical") if model.is_typical else "",
        method=words(METHODS, sizing.method),
        sequence=figures.whole(sizing.sequence_tokens),
        batch=figures.whole(sizing.batch_sequences),
    )


def _states(sizing: Sizing) -> str:
    key = "size_states" if sizing.method == Method.FULL else "size_states_adapters"
    return sentence(key, states=figures.gib(sizing.states_gib), folk=figures.gib(sizing.folk_gib))


def _by_card(rows: Iterable[SizeRow]) -> dict[str, list[SizeRow]]:
    cards: dict[str, list[SizeRow]] = {}
    for row in rows:
        cards.setdefault(row.gpu, []).append(row)
    return cards


def _write_counts(paper: Paper, sizing: Sizing, cards: dict[str, list[SizeRow]]) -> None:
    """A row for each card, a column for each count: the verdict and what it needs."""
    counts = sorted({row.gpu_count for rows in cards.values() for row in rows})
    titles = (sentence("title_gpu"), sentence("title_usable"), *(f"x {count}" for count in counts))
    rows = []
    for gpu, mine in cards.items():
        by_count = {row.gpu_count: row for row in mine}
        verdicts = (_verdict(by_count.get(count)) for count in counts)
        rows.append((gpu, _usable(mine), *verdicts, _folk(sizing, mine)))
    paper.table((*titles, sentence("title_folk")), rows, figures=range(1, len(counts) + 3))


def _verdict(row: SizeRow | None) -> str:
    if row is None or row.memory is None:
        return figures.UNKNOWN
    return f"{words(VERDICTS, row.verdict)} {row.memory.high_gib:,.1f}"


def _usable(rows: list[SizeRow]) -> str:
    return next((figures.gib(row.memory.capacity_gib) for row in rows if row.memory is not None), figures.UNKNOWN)


def _folk(sizing: Sizing, rows: list[SizeRow]) -> str:
    """The fewest cards whose memory together holds what the rule of thumb says."""
    capacity = next((row.memory.capacity_gib for row in rows if row.memory is not None), 0.0)
    return f"x {-int(-sizing.folk_gib // capacity)}" if capacity else figures.UNKNOWN


def _write_bars(paper: Paper, cards: dict[str, list[SizeRow]]) -> None:
    shown = [row for rows in cards.values() if (row := _fewest(rows)) is not None]
    if not shown:
        return
    paper.heading(sentence("title_bars"))
    if all(row.verdict is Verdict.DOES_NOT_FIT for row in shown):
        paper.say(sentence("nothing_holds"))
    paper.pairs(_bar_lines(shown))
    used = dict.fromkeys(name for row in shown if row.memory is not None for name, _ in row.memory.parts)
    legend = listed(tuple(f"{_letter(name)} {words(MEMORY_PARTS, name)}" for name in used))
    paper.say(sentence("legend", parts=legend))


def _fewest(rows: list[SizeRow]) -> SizeRow | None:
    """The fewest cards that hold it; else the fewest that hold it tightly, else the most that were tried."""
    for verdict in (Verdict.FITS, Verdict.TIGHT):
        for row in rows:
            if row.verdict is verdict:
                return row
    return next((row for row in reversed(rows) if row.memory is not None), None)


def _bar_lines(rows: Iterable[SizeRow]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if row.memory is None:
            continue
        layout = layout_said(row.layout, "train") if row.layout is not None else ""
        said = sentence(
            "bar_said",
            verdict=words(VERDICTS, row.verdict),
            peak=f"{row.memory.peak_gib:,.1f}",
            high=f"{row.memory.high_gib:,.1f}",
            capacity=figures.gib(row.memory.capacity_gib),
            layout=layout,
        )
        yield sentence("bar", count=row.gpu_count, gpu=row.gpu), bar(row.memory)
        yield "", said


def bar(memory: MemoryEstimate) -> str:
    """A letter for every part's share of the card, dots for what is free, | where the card is full."""
    whole = max(memory.capacity_gib, memory.peak_gib)
    if whole <= 0:
        return ""
    letters, before = "", 0.0
    for name, gib in memory.parts:
        before += gib
        letters += _letter(name) * (round(_BAR_CELLS * before / whole) - len(letters))
    full = round(_BAR_CELLS * memory.capacity_gib / whole)
    cells = letters.ljust(_BAR_CELLS, ".")
    return f"{cells[:full]}|{cells[full:]}"


def _letter(part: str) -> str:
    return MEMORY_LETTERS.get(part, OTHER_LETTER)


def _write_levers(paper: Paper, pulled: Pulled) -> None:
    peak, layout = figures.gib(pulled.peak_gib), layout_said(pulled.layout, "train")
    paper.heading(sentence("title_levers", count=pulled.gpu_count, gpu=pulled.gpu, peak=peak, layout=layout))
    rows = [
        (
            words(LEVERS, lever.name),
            figures.gib(lever.saves_gib),
            figures.gib(lever.peak_gib),
            figures.more_percent(lever.time_percent),
            figures.gib(lever.host_gib) if lever.host_gib else figures.UNKNOWN,
        )
        for lever in pulled.levers
    ]
    titles = ("title_lever", "title_saves", "title_left_over", "title_time", "title_host")
    paper.table([sentence(title) for title in titles], rows, figures=(1, 2, 3, 4))


def _write_regimes(paper: Paper, sizing: Sizing) -> None:
    paper.heading(sentence("title_regimes"))
    rows = [
        (
            words(REGIMES, regime.name),
            f"{regime.bytes_per_parameter:g}",
            figures.gb(regime.states_gb),
            figures.gib(regime.memory.peak_gib),
            figures.gib(regime.memory.high_gib),
        )
        for regime in sizing.regimes
    ]
    titles = ("title_regime", "title_bytes", "title_states", "title_peak", "title_high")
    paper.table([sentence(title) for title in titles], rows, figures=(1, 2, 3, 4))
