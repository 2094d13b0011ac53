"""Which card a text names, and how many of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from planner.importing.cells import plain
from planner.values.hardware import Gpu

MIB_PER_GB = 1024
_COUNT = re.compile(r"(?<![\d.])(\d{1,3})\s*[x×*]\s*(?=\D)|(?<![\d./])(\d{1,3})\s*(?:卡|颗|张|块)")
_CHINESE = {"单": 1, "双": 2, "两": 2, "四": 4, "八": 8, "十六": 16}
_MEMORY = re.compile(r"(?<![\d.])(\d{2,3})\s*(?:GB?|G)\b", re.IGNORECASE)
_NOISE = re.compile(
    r"NVIDIA|GeForce|Tesla|HGX|显卡|GPU|整机|八卡|四卡|双卡|单卡|服务器|Generation|Server|\bGen\b|（.*?）|\(.*?\)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the catalog by its name there, with the memory that the text gives it (GB), if any."""

    name: str
    memory_gb: int | None


class Names:
    """The cards of a catalog by every name, without blanks and signs."""

    def __init__(self, gpus: Mapping[str, Gpu]) -> None:
        self._by_name = {_squeezed(name): gpu for name, gpu in gpus.items()}

    def card(self, text: str) -> Card | None:
        """The card that a text names; None where it names none that is known."""
        memory = _MEMORY.search(text)
        memory_gb = int(memory.group(1)) if memory else None
        found = self.gpu(text)
        return Card(found.name, memory_gb) if found else None

    def gpu(self, text: str) -> Gpu | None:
        written = plain(text)
        flat = written.replace("(", " ").replace(")", " ")
        counted = _COUNT.sub(" ", flat)
        tries = (written, flat, counted, _NOISE.sub(" ", written), _NOISE.sub(" ", counted))
        for tried in tries:
            if (gpu := self._by_name.get(_squeezed(tried))) is not None:
                return gpu
        bare = _squeezed(_NOISE.sub(" ", counted))
        shortened = re.sub(r"\d{2,3}GB?$|SXM\d?|PCIE|NVLINK", "", bare)
        return self._by_name.get(shortened) or self._longest(bare)

    def _longest(self, text: str) -> Gpu | None:
        """The longest known name that the text begins with, so long as a memory size follows at most."""
        names = [name for name in self._by_name if len(name) > 1 and text.startswith(name)]
        best = max(names, key=len, default=None)
        rest = text[len(best) :] if best else ""
        return self._by_name[best] if best and re.fullmatch(r"(\d{2,3}GB?)?(SXM\d?|PCIE|NVLINK)?", rest) else None

    def sizes_gb(self, text: str) -> set[int]:
        """Memory sizes of all cards whose name begins like this one, in GB as sellers count."""
        family = re.match(r"[A-Z]*\d+[A-Z]?", _squeezed(_NOISE.sub(" ", text)))
        if family is None:
            return set()
        gpus = {gpu.name: gpu for name, gpu in self._by_name.items() if name.startswith(family.group())}
        return {round(gpu.usable_mib / MIB_PER_GB) for gpu in gpus.values()}


def _squeezed(text: str) -> str:
    return re.sub(r"[^A-Z0-9一-鿿]", "", plain(text).upper())


def count_of(text: str) -> int | None:
    """8×H20 96G, 6 x Tesla T4, 八卡整机: how many cards a text says; None where it does not."""
    match = _COUNT.search(plain(text))
    if match:
        return int(match.group(1) or match.group(2))
    return next((count for word, count in _CHINESE.items() if f"{word}卡" in text), None)


def memory_gb_of(text: str) -> int | None:
    match = _MEMORY.search(plain(text))
    return int(match.group(1)) if match else None
