"""What is wrong with something that a person handed over."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One mistake and its place. ``line`` and ``column`` count from 1; 0: the file as a whole.

    ``rule`` is a stable identifier; ``found`` is what stands there; ``expected`` are the words, names or an
    example that would do; ``suggestion`` is the nearest valid word, or "". ``text`` is the line as written.
    """

    file: str
    line: int
    column: int
    rule: str
    found: str = ""
    expected: tuple[str, ...] = ()
    suggestion: str = ""
    text: str = ""


class Faulty(Exception):
    """Raised with every fault found; nothing was planned."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(f"{len(faults)} faults")
        self.faults = faults
