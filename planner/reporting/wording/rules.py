"""Words for what is asked of an offer or a plan, and for the values that are asked."""

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "price_kind": "price that can be ordered",
    "currency": "price in the scenario's currency",
    "quote_validity": "price valid on the day of signing",
    "seller": "sellers allowed",
    "ownership": "kind of owner",
    "place": "place of the machine",
    "data_place": "place that the data must not leave",
    "certification": "certificates of the platform or data centre",
    "gpu": "cards allowed",
    "stack": "software stack of the card",
    "condition": "condition of the card",
    "form_factor": "form factor of the card",
    "intra_link": "link between the cards of a node",
    "inter_link": "link between nodes",
    "dataset_storage": "disk for the dataset",
    "checkpoint_storage": "storage that outlives the node, for checkpoints",
    "nvme": "NVMe disk",
    "read_speed": "read speed of the disk",
    "public_bandwidth": "public bandwidth",
    "dedicated_bandwidth": "public bandwidth that is not shared",
    "environment": "software environment",
    "spot": "machine that cannot be taken back",
    "term": "billing terms allowed",
    "invoice": "kind of invoice",
    "prepayment": "largest prepayment",
    "deposit": "largest deposit",
    "payment_days": "days until payment",
    "minimum_term": "shortest rental",
    "availability": "availability promised",
    "fault_response": "time to answer a fault",
    "replacement": "time to replace a broken machine",
    "deletion_proof": "proof that data was deleted",
    "lead_time": "delivery in time",
    "stock": "nodes in stock",
    "node_count": "number of nodes that may be rented",
    "batch": "enough sequences a step for all cards",
    "memory": "memory of the card",
    "load": "the load to be served",
    "latency": "the latency of a request",
    "data_there": "when data has been moved",
    "moves_paid": "what moving data costs",
    "deadline": "the deadline",
    "budget": "the budget",
    "project_budget": "the budget of a project",
    "sellers_at_least": "how many sellers at least",
    "mix": "what a mix must carry",
    "places_at_least": "in how many cities nodes run",
    "sellers_at_most": "how many sellers at most",
    "release": "the earliest start of a phase",
    "gap_at_most": "the longest gap between phases",
    "blackout": "the days on which no phase may run",
    "offers": "offers in the catalog",
    "once": "each phase in one lease",
    "order": "phases in their order",
    "lease_span": "leases that span their phases",
    "lease_paid": "leases that are paid for throughout",
}

# Values that are words of ours, by the rule that they belong to; a seller's own words are never looked up.
VALUES: Mapping[str, Mapping[str, str]] = {
    "price_kind": {"orderable": "one that can be ordered", "market_range": "a range of the market"},
    "stack": {"cuda": "CUDA", "rocm": "ROCm", "cann": "CANN", "other": "another"},
    "condition": {"cut_down": "cut down", "modified": "memory-modified"},
    "environment": {
        "preinstalled": "preinstalled",
        "custom_image": "custom image",
        "own_conda": "own conda environment over SSH",
    },
    "invoice": {"special_vat": "special VAT invoice", "plain_vat": "plain VAT invoice", "overseas": "overseas invoice"},
    "term": {
        "hour": "by the hour",
        "day": "by the day",
        "week": "by the week",
        "month": "by the month",
        "quarter": "by the quarter",
        "year": "by the year",
    },
    "ownership": {"state_owned": "state-owned"},
}

FIELDS: Mapping[str, str] = {
    "kind": "the kind of price",
    "valid_until": "how long the price is valid",
    "ownership": "who owns the seller",
    "place.country": "the country",
    "place.province": "the province",
    "place.city": "the city",
    "place.site": "the data centre",
    "certificates": "the certificates",
    "gpu": "the card",
    "condition": "the condition of the cards",
    "form_factor": "the form factor (SXM, PCIe or OAM)",
    "intra_link": "the link between the cards of a node",
    "inter_link": "the network between nodes",
    "storage.disk": "the size of the disk",
    "storage.persistent": "the storage that outlives the node",
    "storage.persistent_price": "the price of storage that outlives the node",
    "storage.nvme": "whether the disk is NVMe",
    "storage.read": "the read speed of the disk",
    "bandwidth.public": "the public bandwidth",
    "bandwidth.dedicated": "whether the public bandwidth is shared",
    "environment": "the software environments offered",
    "spot": "whether the machine can be taken back",
    "prices": "the billing terms",
    "commercial.invoices": "the kinds of invoice",
    "commercial.prepayment": "the prepayment",
    "commercial.deposit": "the deposit",
    "commercial.payment_days": "the days until payment",
    "commercial.minimum_term": "the shortest rental",
    "commercial.sla.availability": "the availability promised",
    "commercial.sla.fault_response": "the time to answer a fault",
    "commercial.sla.replacement": "the time to replace a broken machine",
    "commercial.deletion_proof": "proof that data is deleted",
    "stock": "the nodes in stock",
    "lead_time": "the time to deliver",
}
"""What to ask a seller for, by the field of the offer."""

CERTIFICATE = "the certificate {name}"
ANY = "or"
A_CARD = " a card"
AT_LEAST = "at least {value}"
AT_MOST = "at most {value}"
ANY_BUT = "any but {value}"
NOT_BEFORE = "{value} or later"

REASONS: Mapping[str, str] = {
    "price_kind": "the price is {has}: nobody can order it",
    "currency": "priced in {has}, not in {needs}",
    "quote_validity": "the price is valid until {has}; asked is {needs}",
    "seller": "the seller is not allowed; asked is {needs}",
    "gpu": "the card is not allowed; asked is {needs}",
    "stack": "the card runs {has}; asked is {needs}",
    "condition": "the card is {has}; asked is {needs}",
    "form_factor": "the card is {has}; asked is {needs}",
    "place": "stands in {has}; asked is {needs}",
    "data_place": "stands in {has}; the data must stay in {needs}",
    "spot": "the machine can be taken back",
    "memory": "a card needs {needs}, has {has}",
    "batch": "more cards than sequences a step",
    "latency": "slower than each request asks",
    "load": "serves {has}; needed are {needs}",
    "node_count": "rented from {has}; asked is {needs}",
    "deadline": "done {has} after the start; asked is {needs}",
    "term": "sold {has}; asked is {needs}",
}
"""Why an offer does not do, by the rule that it breaks; other rules say what is needed and what the offer has."""
NEEDS_HAS = "{rule}: asked is {needs}, it has {has}"
NOT_STATED = "{rule} not stated (asked: {needs}); ask for {field}"
