"""Why nothing fits: a smallest set of rules that together rule every offer out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.values.matches import Rejection


@dataclass(frozen=True, slots=True)
class Need:
    """A rule of a conflict, and the phase it is asked of ("" for the plan as a whole)."""

    rule: str
    phase: str


def _rules_out_all(rules: set[str], rejections: Iterable[Rejection]) -> bool:
    return all(rules & set(rejection.rules) for rejection in rejections)


def conflict_of(phase: str, rejections: Sequence[Rejection]) -> tuple[Need, ...]:
    """A smallest set of rules that rules out every offer for the phase: leave any one out and an offer is left.

    ``rejections`` are those of a phase without candidates. Empty where the catalog has no offer at all.
    """
    mine = [rejection for rejection in rejections if rejection.phase == phase]
    kept = {rule for rejection in mine for rule in rejection.rules}
    for rule in sorted(kept):
        if _rules_out_all(kept - {rule}, mine):
            kept.remove(rule)
    return tuple(Need(rule, phase) for rule in sorted(kept)) or (Need("offers", phase),)
