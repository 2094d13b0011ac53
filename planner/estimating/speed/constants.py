"""The type of the fitted constants: a flat table, so that a refit can vary it and a page can list it."""

from collections.abc import Mapping

Constants = Mapping[str, float]
