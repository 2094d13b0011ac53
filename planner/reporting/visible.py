"""Text from outside, made harmless."""

import unicodedata

_INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")


def visible(text: str) -> str:
    """Control characters, line ends and marks that turn the direction of writing, as escapes that can be read."""
    return "".join(_shown(mark) if unicodedata.category(mark) in _INVISIBLE else mark for mark in text)


def _shown(mark: str) -> str:
    return mark.encode("unicode_escape").decode("ascii")
