"""Words for why something was assumed, and for what a reader should know before signing."""

from collections.abc import Mapping

ASSUMPTIONS: Mapping[str, str] = {
    "guess_context": "tokens of prompt and answer together, a guess",
    "usual_optimizer": "the usual optimizer",
    "usual_precision": "the usual precision: 16-bit arithmetic beside a 32-bit copy of the weights",
    "guess_sequence": "tokens a sequence, a guess; longer ones take more memory",
    "guess_batch": "sequences an optimizer step over all cards, a guess; more let more cards work",
    "usual_lora_rank": "the usual rank of adapters",
    "usual_lora_targets": "the usual choice: adapters on all linear layers",
    "offload_forbidden": "offloading to main memory is slow, and is tried only where it is allowed",
    "usual_attention": "the usual attention kernel",
    "usual_loss": "what frameworks do by themselves: the logits are held whole",
    "evaluation_compares_base": "the base model is evaluated beside the tuned one: twice the work",
    "guess_evaluation_prompt": "tokens of a prompt, a guess",
    "guess_evaluation_output": "tokens of an answer, a guess",
    "usual_dtype": "how weights are held in inference, as usual",
    "utc": "no time zone was said",
    "no_market_prices": "market ranges stay out: nobody can order at one",
    "no_memory_margin": "memory kept free beyond the interval of the estimate: none",
    "tight_memory_refused": "a card must hold the upper end of the interval, not just the expected peak",
    "guess_nodes_at_most": "a guess; no lease of more nodes was tried",
    "month_rule": "the length of a month is not stated",
    "metering_increment": "rounding of hours is not stated: what is begun is paid",
    "stopped_not_said": "the price of a stopped machine is not stated: it is paid like a running one",
    "lead_time_not_said": "delivery is not stated: the machine is there at once",
    "stock_not_said": "how many there are is not stated",
    "tax_not_said": "whether prices hold tax is not stated: they count as they are written",
    "vat_not_deducted": "whether the buyer gets VAT back was not said: the cost holds it",
    "traffic_not_said": "the price of moving data is not stated: it counts as included",
    "dearest_announced": "the dearest of the prices announced: the first day is not fixed",
    "shortest_month": "a month of the calendar counts as short as one can be: the first day is not fixed",
    "one_shape": "offers with fees, minimums, caps or discounts by length: phases share a lease of theirs one directly"
    " after another, or not at all; the proof is among such plans",
    "start_from_catalog": "no start was said: the newest price in the catalog",
    "order_by_start": "no day of signing was said: the start",
    "usual_confidence": "how sure each phase ends in the time that is booked for it",
    "modified_forbidden": "memory-modified cards only where they are allowed by name",
    "usual_stack": "the software stack that most code needs",
    "spot_forbidden": "machines that may be taken away only where they are allowed",
    "usual_inter_link": "the least that training over several nodes should have; asked only of several nodes",
    "quarter_of_context": "a quarter of the context, a guess; say how many tokens an answer has",
    "guess_bandwidth": "public network over which weights and data come in, a guess",
    "guess_setup": "until a machine with a prepared image is ready, a guess",
    "bare_metal_setup": "drivers and CUDA by hand on bare metal, a guess",
    "guess_read": "bytes that the disk reads for each token of training: a token's number, where no dataset is told",
    "guess_disk": "how fast the disk reads and writes checkpoints, a guess",
    "failures_of_large_runs": "node-hours between failures that stop a run, as published of large runs",
    "guess_fault_response": "until the seller answers a fault, a guess",
    "guess_spot_interruptions": "hours between interruptions of a spot node, a guess",
    "model_typical": "an architecture that is typical of the size",
    "model_from_phase_before": "no model was said: that of the phase before",
}

WARNINGS: Mapping[str, str] = {
    "price_age_days": "The price of {subject} is {value} days old on the day of signing: ask for it again.",
    "price_from_future": "The price of {subject} was seen on {value}, after the day of signing.",
    "not_orderable": "The price of {subject} is a range of the market, taken at its high end: nobody can order it.",
    "example_offer": "{subject} is an example ({value}), not an offer: no seller wrote it.",
    "lead_time_unknown": "The seller of {subject} does not say when the machine can be there: ask before signing.",
    "renewal_may_rise": "Renewing {subject} may cost up to {value} times the first month: settle it in the contract.",
    "deposit": "{subject} asks for a deposit of {value}: cash that comes back, not part of the cost.",
    "balance": "{subject} starts only while the account holds {value}: cash that stays yours, not part of the cost.",
    "withholding_unknown": "{subject} is invoiced from overseas, and no withholding tax is known: ask finance.",
    "retention": "{subject} keeps a stopped machine for {value} days only, and the plan stops it longer: copy"
    " everything out before.",
    "extrapolated": "The time of {subject} on {value} is extrapolated: no measurement of such cards is behind it."
    " Try a few hundred steps on an hourly lease before signing.",
    "traffic_unknown": "What a GB over the public network costs at {subject} is not stated: {value} that are moved are"
    " not in the cost.",
    "slow_disk": "The disk of {subject} reads {value}: below 1 GB/s it may keep the cards waiting for data.",
    "tight_memory": "{subject} is tight in memory on {value}: the expected peak fits, the upper end of its interval"
    " does not. Test before renting for long.",
    "low_scaling": "{subject} over several nodes reaches {value} of what as many cards in one node would:"
    " the network between the nodes holds it back.",
    "price_out_of_band": "The price of {subject} is {value} of the median of its card: refurbished, shared or a typo?"
    " Ask.",
    "unit_mismatch": "{subject} costs {value} an hour and card, unlike the seller's other nodes of this card: ask what"
    " the price is for.",
    "offer_twice": "{subject} is the same as {value} in all that is known.",
    "quote_expired": "The price of {subject} was valid until {value}: it is planned with because you said so.",
    "network_test": "Before you accept the nodes of {subject}, run nccl-tests over two of them: all_reduce_perf should"
    " come near {value}. A log that says NET/Socket means that InfiniBand or RoCE is paid for and not in use.",
    "unmixed": "Serving from one offer alone, the cheapest plan costs {value}.",
    "measured": "The time of {subject} rests on your own measurement: {value}.",
}
UNKNOWN_WARNING = "{rule}: {subject} {value}"
