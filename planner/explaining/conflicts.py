"""Why nothing fits: a smallest set of rules that together rule every offer out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from planner.values.matches import Rejection

MOST_TRIED = 3


@dataclass(frozen=True, slots=True)
class Need:
    """A rule of a conflict, and the phase it is asked of ("" for the plan as a whole)."""

    rule: str
    phase: str


def _rules_out_all(rules: set[str], rejections: Iterable[Rejection]) -> bool:
    return all(rules & set(rejection.rules) for rejection in rejections)


def conflict_of(phase: str, rejections: Sequence[Rejection]) -> tuple[Need, ...]:
    """The fewest rules that rule out every offer for the phase: leave any one out and an offer is left.

    ``rejections`` are those of a phase without candidates. Where more than `MOST_TRIED` rules are needed, a set
    that cannot be reduced. "offers" where the catalog has no offer at all.
    """
    mine = [rejection for rejection in rejections if rejection.phase == phase]
    if not mine:
        return (Need("offers", phase),)
    rules = sorted({rule for rejection in mine for rule in rejection.rules})
    for size in range(1, MOST_TRIED + 1):
        for tried in combinations(rules, size):
            if _rules_out_all(set(tried), mine):
                return tuple(Need(rule, phase) for rule in tried)
    kept = set(rules)
    for rule in rules:
        if _rules_out_all(kept - {rule}, mine):
            kept.remove(rule)
    return tuple(Need(rule, phase) for rule in sorted(kept))
