"""Offers from a CSV file: the same offers and the same faults as in YAML."""

from pathlib import Path

import pytest

from planner.reading import offer_table, read_catalog
from planner.values.catalog import Catalog
from planner.values.faults import Fault
from tests.reading.writing import faults_of, written

TERMS = 'currency: CNY, kind: list, source: "a, b", observed: 2026-10-27, place: {country: CN}'
HEADER = "id,gpu,gpus_per_node,prices.per,prices.hour"


def seller(folder: Path, table: str | bytes, terms: str = TERMS) -> Path:
    written(folder, "offers.csv", table)
    return written(folder, "seller.yaml", f"seller: S\nterms: {{{terms}}}\noffers_csv: offers.csv\n")


def read(folder: Path, table: str | bytes, terms: str = TERMS) -> Catalog:
    return read_catalog([seller(folder, table, terms)])


def faults(folder: Path, table: str | bytes, terms: str = TERMS) -> tuple[Fault, ...]:
    return faults_of(lambda: read(folder, table, terms))


def places(found: tuple[Fault, ...]) -> list[tuple[str, int, int, str]]:
    return [(Path(fault.file).name, fault.line, fault.column, fault.rule) for fault in found]


def test_the_same_offers_written_either_way_are_equal(tmp_path: Path) -> None:
    yaml = written(
        tmp_path,
        "yaml.yaml",
        f"""\
seller: S
terms: {{{TERMS}, billing: {{stopped: {{charge: 0 %}}}}}}
offers:
  - id: a
    gpu: H20
    gpus_per_node: [1, 2]
    stock: 3
    environment: [preinstalled, own_conda]
    place: {{city: 成都}}
    prices: {{per: gpu, hour: 12.30, month: {{amount: 900, before_discount: "1,000"}}}}
    certificates:
      - {{name: ISO 27001, scope: platform}}
      - {{name: 等保三级, scope: data_centre, expires: 2027-01-01}}
    evidence: {{place: said so}}
    inter_link: {{kind: InfiniBand, port: 400 Gb/s, ports: 8}}
  - id: b
    gpu: "4090"
    gpus_per_node: 8
    prices: {{per: node, day: 5}}
    billing: {{increment: 1 min}}
    kind: quote
    quote_number: "007"
    valid_until: 2026-12-31
    spot: yes
    commercial: {{sla: {{availability: 99.9 %}}}}
""",
    )
    table = """\
id,gpu,gpus_per_node,stock,environment,place.city,prices.per,prices.hour,prices.month,prices.month.before_discount,\
certificates.1.name,certificates.1.scope,certificates.2.name,certificates.2.scope,certificates.2.expires,\
evidence.place,prices.day,billing.increment,kind,quote_number,valid_until,inter_link.kind,inter_link.port,\
inter_link.ports,spot,commercial.sla.availability
a,H20,1; 2,3,preinstalled; own_conda,成都,gpu,12.30,900,"1,000",ISO 27001,platform,等保三级,data_centre,2027-01-01,\
said so,,,,,,InfiniBand,400 Gb/s,8,,

b,4090,8,,,,node,,,,,,,,,,5,1 min,quote,007,2026-12-31,,,,yes,99.9 %
"""
    from_csv = read(tmp_path, table, TERMS + ", billing: {stopped: {charge: 0 %}}").offers
    assert from_csv == read_catalog([yaml]).offers
    assert [offer.id for offer in from_csv] == ["a-x1", "a-x2", "b"]
    assert str(from_csv[0].prices.hour.amount if from_csv[0].prices.hour else "") == "12.30"


@pytest.mark.parametrize(
    "table",
    [
        f"\ufeff{HEADER}\nx,H20,8,gpu,6\n",
        f"{HEADER}\r\nx,H20,8,gpu,6\r\n",
        f"\n{HEADER}\n\n x , H20 ,8,gpu,6,,\n,,,,\n",
        'gpu,"id",prices.hour,"prices.per",gpus_per_node\n"H20",x,"6",gpu,8',
    ],
)
def test_marks_line_ends_blanks_and_the_order_of_columns_change_nothing(tmp_path: Path, table: str) -> None:
    (offer,) = read(tmp_path, table).offers
    assert (offer.id, offer.gpu, offer.gpus_per_node) == ("x", "H20", 8)


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    table = f'{HEADER},note,ownership\nx,H20,8,gpu,6,"=HYPERLINK(""http://x"")",no\n'
    (offer,) = read(tmp_path, table).offers
    assert (offer.note, offer.ownership) == ('=HYPERLINK("http://x")', "no")


ONE_MISTAKE = [
    (f"{HEADER},prize\nx,H20,8,gpu,6,7", (1, 6, "unknown_field")),
    (f"{HEADER},\nx,H20,8,gpu,6,", (1, 6, "empty")),
    (f"{HEADER},id\nx,H20,8,gpu,6,y", (1, 6, "duplicate_field")),
    (f"{HEADER},prices.hour.amount\nx,H20,8,gpu,6,6", (1, 6, "duplicate_field")),
    (f"{HEADER},place\nx,H20,8,gpu,6,CN", (1, 6, "unknown_field")),
    ("id,gpu,prices.per,prices.hour\nx,H20,gpu,6", (1, 1, "missing_field")),
    (f"{HEADER}\nx,H20,8,gpu,free", (2, 5, "quantity")),
    (f'{HEADER}\nx,H20,8,gpu,"6,20"', (2, 5, "quantity")),
    (f"{HEADER}\nx,H20,8,gpu,６", (2, 5, "quantity")),
    (f"{HEADER}\nx,H20,8,gpu,-6", (2, 5, "out_of_range")),
    (f"{HEADER}\nx,H20,8,gpu,", (2, 4, "no_price")),
    (f"{HEADER}\nx,H20,8,,6", (2, 4, "missing_field")),
    (f"{HEADER}\nx,H20,8,card,6", (2, 4, "wrong_word")),
    (f"{HEADER}\n,H20,8,gpu,6", (2, 1, "missing_field")),
    (f"{HEADER}\nx y,H20,8,gpu,6", (2, 1, "wrong_shape")),
    (f"{HEADER}\nx,H2O,8,gpu,6", (2, 2, "unknown_gpu")),
    (f"{HEADER}\nx,H20,eight,gpu,6", (2, 3, "not_a_number")),
    (f"{HEADER}\nx,H20,8,gpu,6\nx,H20,4,gpu,6", (3, 1, "duplicate_offer")),
    (f"{HEADER}\nx,H20,8;8,gpu,6", (2, 1, "duplicate_offer")),
    (f'{HEADER},note\nx,H20,8,gpu,6,"two\nlines"\ny,H20,8,gpu,x,', (4, 5, "quantity")),
    (f"{HEADER}\nx,H20,8,gpu,6,more", (2, 6, "cells")),
    (f'{HEADER}\nx,H20,8,gpu,"6', (2, 1, "csv_syntax")),
    (f"{HEADER},environment\nx,H20,8,gpu,6,own_conda; own", (2, 6, "wrong_word")),
    (f"{HEADER},prices.hour.low\nx,H20,8,gpu,6,5", (2, 5, "rate")),
    (f"{HEADER},kind\nx,H20,8,gpu,6,quote", (2, 1, "quote")),
    (f"{HEADER},certificates.1.name\nx,H20,8,gpu,6,ISO 27001", (2, 6, "missing_field")),
    (f"{HEADER}\nx,H20,8,gpu,6\x07", (2, 14, "control_character")),
    (f"{HEADER}\n价,H20,8,gpu,6".encode("gb18030"), (2, 1, "encoding")),
]


@pytest.mark.parametrize(("table", "expected"), ONE_MISTAKE)
def test_one_mistake_is_one_fault_at_its_row_and_cell(
    tmp_path: Path, table: str | bytes, expected: tuple[int, int, str]
) -> None:
    assert places(faults(tmp_path, table)) == [("offers.csv", *expected)]


def test_a_fault_in_the_terms_is_told_once_and_there(tmp_path: Path) -> None:
    table = f"{HEADER}\nx,H20,8,gpu,6\ny,H20,8,gpu,6\n"
    found = faults(tmp_path, table, TERMS.replace("CNY", "RMB"))
    assert places(found) == [("seller.yaml", 2, 19, "currency")]


def test_a_fault_shows_the_row_as_it_was_written(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, f'{HEADER}\nx,"H20", 8,gpu,free\n')
    assert (fault.text, fault.found) == ('x,"H20", 8,gpu,free', "free")


def test_every_row_with_a_fault_is_told(tmp_path: Path) -> None:
    table = f"{HEADER}\n" + "".join(f"x{n},H20,8,gpu,free\n" for n in range(5))
    assert [fault.line for fault in faults(tmp_path, table)] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("name", ["/etc/passwd", "../offers.csv", "a/../../x.csv", "C:\\x.csv", "..\\x.csv"])
def test_a_table_lies_beside_the_file_that_names_it(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, "seller.yaml", f"seller: S\nterms: {{{TERMS}}}\noffers_csv: '{name}'\n")
    (fault,) = faults_of(lambda: read_catalog([path]))
    assert (fault.file, fault.line, fault.column, fault.rule) == (str(path), 3, 13, "outside_folder")


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    written(tmp_path, "secret.csv", HEADER)
    path = written(inside, "seller.yaml", "seller: S\noffers_csv: offers.csv\n")
    (inside / "offers.csv").symlink_to(tmp_path / "secret.csv")
    (fault,) = faults_of(lambda: read_catalog([path]))
    assert fault.rule == "outside_folder"
    (inside / "offers.csv").unlink()
    (inside / "offers.csv").symlink_to(inside / "offers.csv")
    (fault,) = faults_of(lambda: read_catalog([path]))
    assert fault.rule == "unreadable"


def test_a_missing_table_is_told_where_it_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "seller.yaml", "seller: S\noffers_csv: ofers.csv\n")
    written(tmp_path, "offers.csv", HEADER)
    (fault,) = faults_of(lambda: read_catalog([path]))
    assert (fault.line, fault.column, fault.rule, fault.suggestion) == (2, 13, "no_file", "offers.csv")


def test_the_table_is_among_the_files_of_the_catalog(tmp_path: Path) -> None:
    catalog = read(tmp_path, f"{HEADER}\nx,H20,8,gpu,6\n")
    assert [file.name for file in catalog.files[-2:]] == ["seller.yaml", "offers.csv"]


def test_distinct_texts_are_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[object] = []
    whole = offer_table.validated

    def counted(model: type, node: object) -> object:
        judged.append(model)
        return whole(model, node)  # type: ignore[arg-type]

    monkeypatch.setattr(offer_table, "validated", counted)
    rows = "".join(f"x{n},H20,{2 ** (n % 4)},gpu,{6 + n % 3}.20\n" for n in range(600))
    assert len(read(tmp_path, f"{HEADER}\n{rows}").offers) == 600
    # 600 ids, 1 card, 4 counts, 3 prices; and seller, currency, kind, source, day and place once each
    assert len(judged) == 600 + 1 + 4 + 3 + 6


def test_how_a_seller_bills_is_written_either_way(tmp_path: Path) -> None:
    """Counts that are sold, what three months take off, a fee, and months of the calendar."""
    yaml = written(
        tmp_path,
        "yaml.yaml",
        f"""\
seller: S
terms: {{{TERMS}}}
offers:
  - id: x
    gpu: H20
    gpus_per_node: 8
    prices: {{per: gpu, month: {{amount: 100, allowed_counts: "1-3, 6", discounts: [{{from: 3, off: 20 %}}]}}}}
    fees: [{{name: set-up, amount: 4, per: once}}]
    billing: {{month: calendar}}
""",
    )
    names = "id,gpu,gpus_per_node,prices.per,prices.month,prices.month.allowed_counts,prices.month.discounts.1.from"
    names += ",prices.month.discounts.1.off,fees.1.name,fees.1.amount,fees.1.per,billing.month"
    table = f'{names}\nx,H20,8,gpu,100,"1-3, 6",3,20 %,set-up,4,once,calendar\n'
    (expected,) = read_catalog([yaml]).offers
    assert read(tmp_path, table).offers == (expected,)
    assert expected.prices.month is not None
    assert expected.prices.month.counts == (1, 2, 3, 6)
