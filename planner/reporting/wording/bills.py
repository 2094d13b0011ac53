"""Words and sentences of `planner bill`."""

from collections.abc import Mapping

BILL_SENTENCES: Mapping[str, str] = {
    "bill_of": "{offer}: {nodes} of {gpus} from {seller}, {kind} seen on {observed}.",
    "bill_span": "From the beginning of {start} to the beginning of {end}, {end} itself not included: {days} of 24 h by"
    " the seller's calendar, without daylight saving. {run} running ({per_day} a day), {gpu_hours}.",
    "bill_cheapest": "Cheapest: {way}, {total}.",
    "bill_no_way": "There is no way of paying for this.",
    "bill_ask": "Ask for {what}.",
    "title_ways": "Ways of paying, cheapest first",
    "title_bills": "The bill of each",
    "title_way": "Way",
    "title_total": "Total",
    "title_per_gpu_hour": "Per used GPU-hour",
    "title_paid_until": "Paid until",
    "title_impossible": "Not possible",
    "title_break_even": "Break-even against the hour",
    "title_bill_notices": "To know before paying",
    "way_numbered": "{number}. {way}",
    "way_hour": "by the hour",
    "way_hour_stopped": "by the hour, stopped outside the {per_day} of each day",
    "way_hour_idle": "by the hour, idle hours paid like running ones",
    "way_hour_running": "by the hour, kept running all day",
    "way_term": "{terms}, prepaid",
    "way_mix": "{terms}, prepaid",
    "way_mix_hours": "{terms}, prepaid, then by the hour",
    "way_converted": "by the hour first, then changed into {terms}, prepaid",
    "way_renewed": "{terms}, prepaid one after the other, each when the one before ends",
    "way_release": "{terms}, prepaid, given back after {days}",
    "way_anew": "{leases} one after the other, each of {terms} at the first price",
    "label_per_gpu_hour": "per used GPU-hour",
    "label_paid_until": "paid until",
    "label_unused": "not used",
    "label_tax": "tax",
    "label_withheld": "beside the bill",
    "label_know": "to know",
    "label_upfront": "at the start",
    "upfront": "{upfront}; the rest in equal parts, month by month",
    "unused": "paid for {days} that are not used ({share} of the time paid for)",
    "tax_of": "net {net} + {rate}% tax {tax} = gross {gross}; {included}",
    "tax_included": "the prices hold it",
    "tax_excluded": "it comes on top of the prices",
    "tax_not_said": "Tax: not said. Every total is as the seller writes its prices.",
    "pay_withheld": "pay {withheld} beside the bill: {rate}% withholding or reverse-charge tax on the net",
    "withheld_not_said": "whether tax is to be withheld: not said",
    "deposit": "A deposit of {deposit} is asked for, as written in the offer: cash that comes back, in no total here.",
    "offer_note": "The catalog notes: {note}",
    "not_possible": "{way}: {reason}",
    "pays_beyond": "{term} pays beyond {hours} of its {all} hours",
    "pays_beyond_stopped": "{term} pays beyond {hours} running hours of its {all}, stopped ones being charged too;"
    " it costs as much as {equal} running hours",
    "pays_beyond_rented": "{term} pays beyond {hours} of its {all} hours, running or not: stopping saves nothing",
    "saves_nothing": "{term} saves nothing here: it costs as much as {hours} hours, and has {all}",
    "several": "a lease of {terms}",
}

ONE_TERM: Mapping[str, str] = {
    "day": "a day",
    "week": "a week",
    "month": "a month",
    "quarter": "a quarter",
    "year": "a year",
}
ONE_RENEWED: Mapping[str, str] = {
    "day": "a renewed day",
    "week": "a renewed week",
    "month": "a renewed month",
    "quarter": "a renewed quarter",
    "year": "a renewed year",
}

WAY_NOTES: Mapping[str, str] = {
    "stopping_not_said": "the seller does not say that stopping is possible, or what it costs",
    "no_stopping": "the machine cannot be stopped, only given back",
    "cards_may_be_lost": "stopping gives the cards back: they may be lost, and starting again may fail",
    "cards_not_said": "the seller does not say whether it keeps the cards while stopped: they may be lost, and starting"
    " again may fail",
    "seller_must_agree": "the seller must agree to the first price again, and the data has to be moved each time",
    "stop_ends_term": "stopping the machine ends the term, and what is left of it is lost: let it run",
    "discount_each": "a renewal has the discount of its own count",
    "discount_in_all": "a renewal has the discount of all terms in the row",
    "refund_once": "all of it comes back so early, but once per buyer",
    "refund_capped": "the seller limits what it refunds in 12 months: counted as if nothing had been refunded before",
    "refund_to_not_said": "whether money or credit comes back is not said",
    "refund_as_credit": "what comes back is credit that only this seller takes, no money",
}

NO_WAYS: Mapping[str, str] = {
    "not_sold": "not sold, there is no price",
    "part_not_sold": "not sold, a component has no such price",
    "counts": "sold in counts {found}",
    "refund_not_said": "what comes back is not said",
    "refund_unclear": "what comes back cannot be reckoned from what the offer states",
    "nothing_back": "nothing comes back",
}
"""Why a way is impossible, by its reason."""
IMPOSSIBLE_WAYS: Mapping[str, str] = {
    "hour": "{term}",
    "term": "{term}",
    "release": "giving {term} back early",
    "anew": "leases one after the other, {term}",
}

BILL_NOTICES: Mapping[str, str] = {
    "not_orderable": "The price is a range of the market, taken at its high end: nobody can order it.",
    "valid_until": "The quote is valid until {value}, before the rental begins: ask for it again.",
    "stock": "The seller has {value} of these nodes, fewer than are billed here.",
    "minimum_term": "The seller's shortest rental is {value} days, longer than this: ask before signing.",
    "spot": "The machine can be taken back at any time.",
    "renewal_may_rise": "Renewing may cost up to {value} times the first month: settle it in the contract.",
    "available_from": "A lease begins on {value} at the earliest, after the rental begins.",
    "balance": "The machine starts only while the account holds {value}: cash that stays yours, in no total here.",
    "renewal_auto": "A term renews by itself: cancel it before it ends.",
    "renewal_notify": "The end of a term is announced; it does not renew by itself.",
    "renewal_manual": "A term ends unless you renew it.",
    "renewal_charged": "A renewal takes its price {value} before the term ends.",
    "after_term_off": "{value} after a term has ended the machine is switched off.",
    "after_term_reclaimed": "{value} after a term has ended the machine and its data are gone.",
    "arrears_off": "{value} after the balance is used up the machine is switched off.",
    "arrears_reclaimed": "{value} after the balance is used up the machine and its data are gone.",
    "month_assumed": "A month counts {value} h, an assumption: the seller does not state it.",
    "increment_assumed": "Metered time is rounded up to {value} h, an assumption: the seller does not state it.",
}
BILL_ACTIONS: Mapping[str, str] = {
    "ask_for_daily_rate": "a daily rate",
    "ask_for_refund": "what comes back of a term that is given back early",
}
