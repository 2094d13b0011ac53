"""The catalog as a table: what each offer costs per GPU-hour and per node, by each term."""

from collections.abc import Iterable
from decimal import Decimal
from itertools import groupby

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.prices import Priced, priced_offers
from planner.reporting.wording import counted, sentence, words
from planner.reporting.wording.parts import PRICES_OF_KIND
from planner.values.catalog import Catalog

TITLES = ("title_offer", "title_gpu", "title_cards_of_node", "title_hour", "title_day", "title_month")


def offers_text(catalog: Catalog, width: int = 100) -> str:
    """A table for each seller, kind of price, day and place."""
    paper = Paper(width)
    offers = priced_offers(catalog)
    if not offers:
        paper.say(sentence("offers_none"))
        return paper.text
    paper.say(sentence("offers_note"))
    titles = [sentence(title) for title in TITLES]
    for (seller, common), group in groupby(offers, key=_common):
        paper.heading(seller)
        paper.say(common)
        paper.blank()
        paper.table(titles, (_row(priced) for priced in group), figures=(2,))
    sellers = counted(len({priced.offer.seller for priced in offers}), "seller")
    paper.blank()
    paper.say(sentence("offers_count", offers=counted(len(offers), "offer"), sellers=sellers))
    return paper.text


def _common(priced: Priced) -> tuple[str, str]:
    """The seller, and what its offers have in common."""
    offer = priced.offer
    said = sentence(
        "offers_of",
        kind=words(PRICES_OF_KIND, offer.kind),
        currency=offer.currency,
        observed=figures.day(offer.observed),
        place=place_of(priced) or sentence("place_unknown"),
    )
    if offer.prices.month is None:
        return offer.seller, f"{said}."
    month = "month_assumed" if priced.month_is_assumed else "month_stated"
    return offer.seller, f"{said}; {sentence(month, hours=figures.hours(priced.month_hours))}."


def place_of(priced: Priced) -> str:
    """As far as it is known, widest first."""
    place = priced.offer.place
    levels: Iterable[str | None] = () if place is None else (place.country, place.province, place.city, place.site)
    return " / ".join(level for level in levels if level)


def _row(priced: Priced) -> tuple[str, ...]:
    offer = priced.offer
    return (offer.id, offer.gpu, str(offer.gpus_per_node), *(_prices(priced, term) for term in priced.terms))


def _prices(priced: Priced, term: str) -> str:
    """6.20 / 24.80: per GPU-hour, and for the node and the term."""
    per_gpu, per_node = priced.per_gpu_hour(term), priced.per_node(term)
    if per_gpu is None or per_node is None:
        return figures.UNKNOWN
    return f"{_range(per_gpu, priced)} / {_range(per_node, priced)}"


def _range(prices: tuple[Decimal, Decimal], priced: Priced) -> str:
    return " to ".join(dict.fromkeys(figures.derived_price(price, priced.offer.currency) for price in prices))
