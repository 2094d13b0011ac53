"""How a workload lies on the cards, in plain words."""

from planner.reporting.wording import counted, sentence, words
from planner.reporting.wording.parts import CHECKPOINTING, OFFLOAD
from planner.values.layout import Layout
from planner.values.report import LayoutReport


def layout_said(layout: LayoutReport | Layout, kind: str) -> str:
    """ZeRO-3 over 4 cards, micro-batch 1 x 16 accumulation, full checkpointing; ``kind`` is that of the phase."""
    return _trained(layout) if kind == "train" else _served(layout)


def _trained(layout: LayoutReport | Layout) -> str:
    cards = counted(layout.data * layout.context, "card")
    if layout.zero:
        data = sentence("zero", stage=layout.zero, cards=cards)
    else:
        data = sentence("replicas", cards=cards) if layout.data > 1 else sentence("one_card")
    batch = sentence("batch", micro=layout.micro_batch, accumulation=layout.accumulation)
    parts = (data, *_split(layout), batch, words(CHECKPOINTING, layout.checkpointing), _offload(layout))
    return ", ".join(part for part in parts if part)


def _served(layout: LayoutReport | Layout) -> str:
    """Copies of the model, each on a card or split over several."""
    degree = layout.tensor * layout.pipeline * layout.context
    key, how = ("copies_split" if degree > 1 else "copies"), ", ".join(_split(layout))
    return sentence(key, replicas=counted(layout.data, "replica"), cards=counted(degree, "card"), how=how)


def _split(layout: LayoutReport | Layout) -> tuple[str, ...]:
    """How the model itself is divided, where it is."""
    return tuple(
        sentence(key, cards=counted(degree, "card"), stages=counted(degree, "stage"))
        for key, degree in (
            ("tensor", layout.tensor),
            ("pipeline", layout.pipeline),
            ("context", layout.context),
        )
        if degree > 1
    )


def _offload(layout: LayoutReport | Layout) -> str:
    return OFFLOAD.get(layout.offload, layout.offload)
