"""Stable identifiers of rules, with what each means in one line. `reporting` has a sentence for each."""

from collections.abc import Mapping

ALL_RULES = "all"
"""In ``accept_unknown``: every requirement."""

REQUIREMENT_RULES: Mapping[str, str] = {
    "price_kind": "the price is an offer, not a range of the market",
    "currency": "the price is in the scenario's currency",
    "seller": "the seller is allowed",
    "ownership": "the seller's owner is of an allowed kind",
    "place": "the machine stands in the place",
    "data_place": "the data stays in the place",
    "certification": "the platform or data centre has the certificates",
    "gpu": "the card is allowed",
    "stack": "the card runs the software stack",
    "condition": "the card's condition is allowed",
    "form_factor": "the card has the form factor",
    "intra_link": "the cards of a node are linked fast enough",
    "inter_link": "the nodes are linked fast enough",
    "dataset_storage": "the disk holds the dataset",
    "checkpoint_storage": "storage that outlives the node holds the checkpoints",
    "nvme": "the disk is NVMe",
    "read_speed": "the disk reads fast enough",
    "public_bandwidth": "the public network is fast enough",
    "dedicated_bandwidth": "the public network is not shared",
    "environment": "the software environment is one that will do",
    "spot": "the machine cannot be taken back",
    "term": "the billing term may be bought",
    "invoice": "the seller writes the kind of invoice",
    "prepayment": "no more than so much is paid in advance",
    "deposit": "the deposit is no larger than allowed",
    "payment_days": "the bill may be paid so many days later",
    "minimum_term": "the shortest rental is no longer than allowed",
    "availability": "the machine is promised to be up for so large a share of the time",
    "fault_response": "the seller answers a fault in time",
    "replacement": "the seller replaces a broken machine in time",
    "quote_validity": "the price is valid on the day of signing and for so long after it",
    "deletion_proof": "the seller proves that the data was deleted",
    "lead_time": "the machine can be there when the phase must start",
}
"""What an offer can be asked for: the words of ``accept_unknown``."""

FAULT_RULES: Mapping[str, str] = {
    # The file as a whole
    "no_file": "there is no such file; expected: files beside it that are named alike",
    "is_folder": "a folder stands where a file must be",
    "empty_folder": "the folder holds no YAML file",
    "unreadable": "the file cannot be read; found: why, as the system names it",
    "too_large": "more than a file may hold; expected: the limit",
    "encoding": "bytes that are not UTF-8",
    "control_character": "a character that cannot be printed",
    "empty_file": "nothing is written in the file",
    "outside_folder": "a file is named that is not beside or below the one that names it",
    "unknown_schema": "the file does not say what it is; expected: the schemas",
    # YAML, JSON and CSV
    "yaml_syntax": "not YAML; found: what the parser met",
    "json_syntax": "not JSON",
    "csv_syntax": "not CSV; found: what the parser met",
    "two_documents": "a second document in one file",
    "alias": "an anchor or alias; write the value out",
    "tag": "a YAML tag; write the plain value",
    "too_deep": "nested deeper than anything that is read; expected: the limit",
    "complex_key": "a key that is not plain text",
    "cells": "a row with more cells than there are columns; expected: their number",
    # Fields
    "duplicate_field": "the field is written twice",
    "unknown_field": "no field of this name; expected: the fields of this place",
    "missing_field": "a field is missing; expected: its name",
    "empty": "nothing is written where a value must be",
    "wrong_word": "not one of the words; expected: the words",
    "wrong_shape": "a list, map or text where another must be; expected: list, map, text, or an example",
    "not_a_number": "not a number; expected: whole number or number",
    "quantity": "not a quantity; expected: its kind, and an example",
    "out_of_range": "too small, too large, too few or too many; expected: the limit",
    "too_long": "longer than may be; expected: the most characters",
    "currency": "not a currency of ISO 4217",
    # What fields say together
    "work": "work is said in no way or in several; expected: the ways",
    "load": "the load is said in no way or in several, or does not fit its context; expected: the ways",
    "rate": "neither one price above 0, nor a range from low to high; expected: what would do",
    "no_price": "no term has a price; expected: the terms",
    "quote": "a quote without number or validity; expected: the fields",
    "deadline_without_train": "a scenario's deadline holds for a train phase, and there is none",
    "measurement": "a measurement is of no train phase; expected: the train phases",
    "deadline_before_start": "the deadline is not after the start; expected: the start",
    "end_before_start": "a rental does not end after the day on which it begins; expected: that day",
    # Names
    "duplicate_name": "the name is taken; expected: where from",
    "duplicate_offer": "the id is taken; expected: where from",
    "unknown_phase": "no other phase of this name; expected: the names",
    "cycle": "phases wait for each other; found: their names in a ring",
    "unknown_gpu": "no card of this name in the catalog",
    "unknown_offer": "no offer of this id in the catalog",
    "unknown_model": "no model of this name in the catalog, no size such as 14B, and no config.json",
    "indivisible": "one number must divide another; found: the number, expected: the other",
}
"""What can be wrong with a file; behind the ``;``, what `Fault.found` and `Fault.expected` hold."""
