"""Sentences for what is wrong with a file. ``{found}`` is what stands there, ``{expected}`` what would do."""

from collections.abc import Mapping

FAULTS: Mapping[str, str] = {
    # The file as a whole
    "no_file": "there is no such file",
    "is_folder": "this is a folder, where a file must be named",
    "empty_folder": "the folder holds no YAML file",
    "unreadable": "the file cannot be read: {found}",
    "not_writable": "the file cannot be written: {found}",
    "too_large": "the file is larger than anything that is read; the limit is {expected}",
    "encoding": "here stands a byte that is not UTF-8; save the file as UTF-8",
    "control_character": "here stands a character that cannot be printed: {found}",
    "empty_file": "nothing is written in the file",
    "outside_folder": "{found} does not lie beside or below the file that names it",
    "unknown_schema": "the file does not say what it is; begin it with a line such as schema: {expected}",
    # YAML, JSON and CSV
    "yaml_syntax": "this is not YAML: {found}",
    "json_syntax": "this is not JSON",
    "csv_syntax": "this is not CSV: {found}",
    "no_such_link": "the offer names {found}, which no {expected} has",
    "spot_above_on_demand": "the interruptible price, {found} an hour and card, is above the one on demand, {expected}",
    "unit_mismatch": "{found} an hour and card, where the seller's other nodes of this card cost {expected}: is one of"
    " them the price of a whole node?",
    "not_in_sheet": "the sheet does not say {expected}: say it with {found}",
    "not_installed": "the package {found} is not installed",
    "two_documents": "a second document begins here; a file holds one",
    "alias": "{found} is an anchor or alias; write the value out",
    "tag": "{found} is a YAML tag; write the plain value",
    "too_deep": "this is nested deeper than the {expected} levels that are read",
    "complex_key": "a key must be plain text",
    "cells": "this row has more cells than the {expected} columns",
    # Fields
    "duplicate_field": "the field {found} is written twice",
    "unknown_field": "there is no field {found} here",
    "missing_field": "the field {expected} is missing here",
    "empty": "a value is missing here",
    "wrong_word": "{found} is not a word that may stand here",
    "wrong_shape": "here must stand {expected}",
    "not_a_number": "{found} is not a {expected}",
    "quantity": "{found} is not understood as a {expected}",
    "out_of_range": "{found} is out of range: it must be {expected}",
    "too_long": "this is longer than {expected} characters",
    "currency": "{found} is not a currency of ISO 4217, such as {expected}",
    # What fields say together
    "work": "say the work in exactly one way: {expected}",
    "load": "say the load in exactly one way, with requests that fit their context: {expected}",
    "rate": "this is not a price: it must be {expected}",
    "no_price": "no term has a price; give one for {expected}",
    "quote": "a quote must state {expected}",
    "measurement": "a measurement must name a train phase: {expected}",
    "deadline_without_train": "a scenario's deadline holds for its last train phase, and there is none; write the"
    " deadline on a phase",
    "deadline_before_start": "the deadline {found} is not after the start, {expected}",
    "gap_at_most_below_gap": "the longest gap, {found}, is shorter than the least gap, {expected}",
    "blackout_ends_before_start": "these days end on {found}, before they begin on {expected}",
    "end_before_start": "the rental ends at the beginning of {found}, which is not after {expected}, where it begins",
    # Names
    "duplicate_name": "the name {found} is taken; it stands at {expected} already",
    "duplicate_offer": "the id {found} is taken; it stands at {expected} already",
    "unknown_phase": "there is no other phase of the name {found}",
    "taken_from_nothing": "{found} is no training or evaluation that has ended before this phase",
    "cycle": "these phases wait for each other: {found}",
    "unknown_gpu": "no card of the name {found} is known",
    "unknown_offer": "no offer of the id {found} is known",
    "unknown_seller": "no seller of the name {found} is known",
    "unknown_offer_of_seller": "the seller has no offer of the id {found}",
    "unknown_gpu_of_seller": "the seller offers no {found}",
    "unknown_model": "no model {found} is known; name a size such as 14B, a model of the catalog, or a config.json",
    "indivisible": "{found} cannot be divided evenly: by {expected}",
}
UNKNOWN_FAULT = "{rule}: {found}"
"""For a rule without a sentence."""

# Rules whose sentence does not name what would do: the words are added where nothing is suggested.
LISTS_WORDS = frozenset(
    {
        "unknown_field",
        "wrong_word",
        "empty",
        "unknown_phase",
        "taken_from_nothing",
        "unknown_offer_of_seller",
        "unknown_gpu_of_seller",
    }
)
QUOTED = frozenset(
    {
        "outside_folder",
        "alias",
        "tag",
        "duplicate_field",
        "unknown_field",
        "wrong_word",
        "not_a_number",
        "quantity",
        "currency",
        "duplicate_name",
        "duplicate_offer",
        "unknown_phase",
        "taken_from_nothing",
        "unknown_gpu",
        "unknown_offer",
        "unknown_model",
        "unknown_seller",
        "unknown_offer_of_seller",
        "unknown_gpu_of_seller",
    }
)
"""Rules that say what stands there in quotation marks."""

SHAPES: Mapping[str, str] = {"list": "a list", "map": "fields with values", "text": "text"}
LIKE = "something like {example}"
THIS = "this"
LIMITS: Mapping[str, str] = {
    ">=": "at least {value}",
    "<=": "at most {value}",
    ">": "more than {value}",
    "<": "less than {value}",
    "digits <=": "of at most {value} digits",
    "fewer digits": "of fewer digits",
}
BETWEEN = "from {low} to {high}"
SUCH_AS = "{kind}, such as {example}"
