from pathlib import Path

import pytest

from planner.reading import read_catalog
from planner.values.catalog import Catalog, Offer

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shipped() -> Catalog:
    return read_catalog([REPOSITORY / "catalogs"])


@pytest.fixture(scope="session")
def offers(shipped: Catalog) -> dict[str, Offer]:
    return {offer.id: offer for offer in shipped.offers}
