"""Codes of ISO 4217."""

from collections.abc import Iterator

from planner.reading.nearest import nearest
from planner.reading.tree import Node
from planner.values.faults import Fault

_CODES = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD
HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL
LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP
PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT
TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
"""
CURRENCIES = frozenset(_CODES.split())
# What people write instead of a code.
_OTHER_WORDS = {"RMB": "CNY", "CNH": "CNY", "YUAN": "CNY", "元": "CNY", "人民币": "CNY", "￥": "CNY", "$": "USD", "€": "EUR"}


def currency_fault(node: Node | None) -> Iterator[Fault]:
    """A fault where three letters are no code; anything else is the schema's to judge."""
    text = (node.text or "") if node else ""
    if node and len(text) == 3 and text.isascii() and text.isupper() and text not in CURRENCIES:
        yield node.fault("currency", expected=("CNY", "USD"), suggestion=meant_currency(text))


def meant_currency(text: str) -> str:
    """The code that was probably meant, or ""."""
    word = text.strip().upper()
    return _OTHER_WORDS.get(word) or (word if word in CURRENCIES else nearest(word, CURRENCIES))
