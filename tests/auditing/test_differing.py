"""What changed between two catalogs."""

from decimal import Decimal

from planner.auditing import diff, history
from planner.values.catalog import Catalog
from tests.auditing.test_doubts import GPUS, offer


def test_prices_in_money_and_percent() -> None:
    """6.60 is 0.40 more than 6.20, 6.5 %."""
    (change,) = diff(Catalog((offer("a", "6.20"),), GPUS), Catalog((offer("a", "6.60"),), GPUS)).changed
    assert (change.offer, change.term, change.more, change.more_percent) == (
        "a", "hour", Decimal("0.40"), Decimal("6.5"),
    )  # fmt: skip


def test_offers_that_came_and_went_and_other_fields() -> None:
    old = Catalog((offer("a", "1"), offer("b", "1"), offer("c", "1", observed="2026-10-01")), GPUS)
    new = Catalog((offer("b", "1", stock=3), offer("c", "1"), offer("d", "1")), GPUS)
    found = diff(old, new)
    assert (found.new, found.gone, found.other, found.changed) == (("d",), ("a",), (("b", "stock"),), ())


def test_a_term_that_is_no_longer_sold_and_another_currency() -> None:
    both = {"per": "gpu", "hour": "1", "month": "700"}
    (change,) = diff(Catalog((offer("a", "1", prices=both),), GPUS), Catalog((offer("a", "1"),), GPUS)).changed
    assert (change.term, change.old, change.new, change.more) == ("month", Decimal(700), None, None)
    changed = diff(Catalog((offer("a", "1"),), GPUS), Catalog((offer("a", "1", currency="EUR"),), GPUS)).changed
    assert [(one.old, one.new, one.currency) for one in changed] == [
        (Decimal(1), None, "USD"), (None, Decimal(1), "EUR"),
    ]  # fmt: skip


def test_a_catalog_does_not_differ_from_itself() -> None:
    same = Catalog((offer("a", "1"), offer("b", "2")), GPUS)
    found = diff(same, same)
    assert (found.changed, found.new, found.gone, found.other) == ((), (), (), ())


def test_the_history_of_an_offer() -> None:
    catalogs = {"1": Catalog((offer("a", "1"),), GPUS), "2": Catalog((), GPUS), "3": Catalog((offer("a", "2"),), GPUS)}
    assert [one.prices for one in history("a", catalogs)] == [(("hour", Decimal(1)),), (), (("hour", Decimal(2)),)]
