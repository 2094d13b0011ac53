"""Sentences for what is doubtful in a catalog, and for what has changed. ``{found}`` stands there."""

from collections.abc import Mapping

DOUBTS: Mapping[str, str] = {
    "no_such_link": "names {found}, which no {expected} has",
    "spot_above_on_demand": "the interruptible price, {found} an hour and card, is above the one on demand, {expected}",
    "unit_mismatch": "{found} an hour and card, where the seller's other nodes of this card cost {expected}: a price of"
    " a whole node among prices of cards, or the reverse?",
    "offer_twice": "the same as {found} in all that is known",
    "price_out_of_band": "{found} of the median of its card, {expected} an hour: refurbished, shared or a typo?",
    "price_old": "seen {found} days before, more than {expected}: ask again before signing",
    "quote_expired": "was valid until {found}, before {expected}: no plan uses it unless told to",
}
AUDIT_SENTENCES: Mapping[str, str] = {
    "audited": "{offers} of {sellers}, judged on {day}: {errors}, {warnings}.",
    "title_audit_errors": "Errors: no plan is made before they are settled",
    "title_audit_warnings": "Warnings: they travel into the report beside the offer",
    "doubt": "{offer}: {said}",
    "many_more_doubts": "{count} more: {said}",
    "diffed": "{changed}, {new} new, {gone} gone, {other} changed otherwise.",
    "title_price_changes": "Prices",
    "title_new_offers": "New",
    "title_gone_offers": "Gone",
    "title_other_changes": "Changed otherwise",
    "head_offer": "Offer",
    "head_term": "For",
    "head_old": "Old",
    "head_new": "New",
    "head_more": "More",
    "head_percent": "Percent",
    "not_sold_then": "not sold",
    "field_changed": "{offer}: {field}",
    "history_of": "{offer} over {snapshots}.",
    "head_snapshot": "Snapshot",
    "head_observed": "Seen on",
    "not_in_it": "not in it",
}
