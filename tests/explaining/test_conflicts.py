"""Why nothing fits: a smallest set of rules."""

from hypothesis import given
from hypothesis import strategies as st

from planner.explaining import Need, conflict_of
from planner.values.matches import Rejection

RULES = st.sampled_from(["place", "memory", "deadline", "seller", "nvme"])
BROKEN = st.lists(st.sets(RULES, min_size=1), min_size=1, max_size=6)


def rejection(number: int, rules: set[str], phase: str = "train") -> Rejection:
    first, *others = sorted(rules)
    return Rejection(phase, f"o{number}", "s", 0, first, first, "much", "little", (first, *others))


def rejections(broken: list[set[str]]) -> list[Rejection]:
    return [rejection(number, rules) for number, rules in enumerate(broken)]


@given(BROKEN)
def test_the_rules_of_a_conflict_rule_out_every_offer_and_without_any_one_of_them_an_offer_is_left(
    broken: list[set[str]],
) -> None:
    conflict = {need.rule for need in conflict_of("train", rejections(broken))}
    assert all(rules & conflict for rules in broken)
    for left_out in conflict:
        rest = conflict - {left_out}
        assert any(not rules & rest for rules in broken)


@given(BROKEN, st.randoms())
def test_a_conflict_does_not_depend_on_the_order_of_the_offers(broken: list[set[str]], random: st.DataObject) -> None:
    shuffled = list(broken)
    random.shuffle(shuffled)
    assert conflict_of("train", rejections(broken)) == conflict_of("train", rejections(shuffled))


def test_what_is_refused_for_another_phase_does_not_count() -> None:
    others = [rejection(1, {"load"}, "serve"), rejection(2, {"memory"})]
    assert conflict_of("train", others) == (Need("memory", "train"),)


def test_a_catalog_without_offers_is_its_own_conflict() -> None:
    assert conflict_of("train", []) == (Need("offers", "train"),)
