"""Words for why something was assumed, and for what a reader should know before signing."""

from collections.abc import Mapping

ASSUMPTIONS: Mapping[str, str] = {
    "guess_context": "a guess; say how many tokens prompt and answer have together",
    "usual_optimizer": "the usual optimizer",
    "usual_precision": "the usual precision: 16-bit arithmetic beside a 32-bit copy of the weights",
    "guess_sequence": "a guess; longer sequences take more memory",
    "guess_batch": "a guess; more sequences a step let more cards work",
    "usual_lora_rank": "the usual rank",
    "usual_lora_targets": "the usual choice: adapters on all linear layers",
    "offload_forbidden": "main memory of the host is not known to suffice, and offloading is slow",
    "usual_attention": "the usual attention kernel",
    "usual_loss": "what frameworks do by themselves: the logits are held whole",
    "evaluation_compares_base": "the base model is evaluated beside the tuned one: twice the work",
    "guess_evaluation_prompt": "a guess; say how many tokens a prompt has",
    "guess_evaluation_output": "a guess; say how many tokens an answer has",
    "usual_dtype": "the usual way to hold weights in inference",
    "utc": "no time zone was said",
    "no_market_prices": "nobody can order at a range of the market",
    "no_memory_margin": "nothing is kept free beyond the interval of the estimate",
    "tight_memory_refused": "a card must hold the upper end of the interval, not the expected peak alone",
    "guess_nodes_at_most": "a guess; no plan with more nodes in one lease was tried",
    "month_rule": "the seller does not say how long a month is",
    "metering_increment": "the seller does not say how hours are rounded; begun hours are paid",
    "stopped_not_said": "the seller does not say what a stopped machine costs; it is paid like a running one",
    "lead_time_not_said": "the seller does not say when the machine can be there",
    "stock_not_said": "the seller does not say how many there are",
    "start_from_catalog": "no start was said: the newest price in the catalog",
    "order_by_start": "no day of signing was said: the start",
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
    "extrapolated": "The time of {subject} on {value} is extrapolated: no measurement of such cards is behind it.",
    "tight_memory": "{subject} is tight in memory on {value}: the expected peak fits, the upper end of its interval"
    " does not. Test before renting for long.",
    "low_scaling": "{subject} gains little from its last cards ({value}): fewer may be cheaper per token.",
}
UNKNOWN_WARNING = "{rule}: {subject} {value}"

VALUES: Mapping[str, str] = {"forbidden": "forbidden", "allowed": "allowed", "yes": "yes", "no": "no"}
