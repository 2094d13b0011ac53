"""Why an offer does not comply, what it must confirm, and the values of requirements, in words."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from planner.reporting.wording import listed, sentence, words
from planner.reporting.wording.parts import LEVERS
from planner.reporting.wording.rules import (
    A_CARD,
    ANY,
    ANY_BUT,
    AT_LEAST,
    AT_MOST,
    CERTIFICATE,
    FIELDS,
    NEEDS_HAS,
    NOT_BEFORE,
    NOT_STATED,
    REASONS,
    RULES,
    VALUES,
)
from planner.values.matches import Rejection
from planner.values.report import Condition, ConflictLine, Relaxation

_UNKNOWN = "unknown: "


def rule_said(rule: str) -> str:
    """Several rules may stand together: "place + term"."""
    return listed(tuple(words(RULES, name) for name in rule.split(" + ")))


def field_said(field: str) -> str:
    """What to ask a seller for."""
    group, _, name = field.partition(".")
    if group == "certificates" and name:
        return CERTIFICATE.format(name=name)
    return FIELDS.get(field) or field.replace("_", " ").replace(".", " ")


def value_said(rule: str, value: str) -> str:
    """What is needed or had: ">= 200 Gb/s" is "at least 200 Gb/s"; words of ours are spelled out."""
    if value.startswith("not "):
        return ANY_BUT.format(value=value.removeprefix("not "))
    limit = re.fullmatch(r"(>=|<=) (.*)", value, re.DOTALL)
    if limit:
        pattern = {">=": NOT_BEFORE if rule == "quote_validity" else AT_LEAST, "<=": AT_MOST}[limit[1]]
        return pattern.format(value=limit[2])
    either = [", ".join(_word(rule, word) for word in choice.split(", ")) for choice in value.split(" | ")]
    return listed(tuple(either), ANY).replace(" >= ", f" {AT_LEAST.format(value='')}")


def _word(rule: str, word: str) -> str:
    return words(VALUES[rule], word) if rule in VALUES else word


def reason_said(line: Rejection) -> str:
    """Why an offer is out for a phase."""
    rule, needs = rule_said(line.rule), value_said(line.rule, line.needs)
    if line.reason == "unknown":
        return NOT_STATED.format(rule=rule, needs=needs, field=field_said(line.has))
    has = value_said(line.rule, line.has).removesuffix(A_CARD)
    said = REASONS.get(line.rule, NEEDS_HAS).format(rule=rule, needs=needs.removesuffix(A_CARD), has=has)
    levers = listed(tuple(words(LEVERS, lever) for lever in line.levers), ANY)
    return sentence("would_fit", reason=said, levers=levers) if levers else said


def conditions_said(conditions: Iterable[Condition]) -> list[str]:
    """One line for each seller and thing to confirm, with the offers that it is about."""

    def about(condition: Condition) -> tuple[str, str, str, str]:
        return condition.seller, condition.requirement, condition.field, condition.needs

    lines = []
    for (seller, rule, field, needs), group in groupby(sorted(conditions, key=about), key=about):
        offers = listed(tuple(dict.fromkeys(condition.offer for condition in group)))
        lines.append(
            sentence("confirm", seller=seller, field=field_said(field), offers=offers, needs=value_said(rule, needs))
        )
    return lines


def conditions_in_short(conditions: Iterable[Condition]) -> str:
    """What must be confirmed, without by whom."""
    return listed(tuple(dict.fromkeys(field_said(condition.field) for condition in conditions)))


def conflict_said(conflict: Sequence[ConflictLine], phases: int) -> tuple[str, ...]:
    """The rules of a conflict, each with the phases that it is asked of unless it is all of them."""
    by_rule: dict[str, list[str]] = {}
    for line in conflict:
        by_rule.setdefault(line.rule, []).append(line.phase)
    return tuple(
        rule_said(rule)
        if len(names) == phases or "" in names
        else sentence("asked_of", rule=rule_said(rule), phases=listed(tuple(names)))
        for rule, names in by_rule.items()
    )


def relaxation_said(relaxation: Relaxation, cost: str) -> str:
    """What waiving a rule would give, and what the rule would have to say."""
    rule = rule_said(relaxation.rule)
    change = _change(relaxation)
    text = sentence("without" if change else "without_plain", rule=rule, change=change, cost=cost)
    if relaxation.conditions:
        text += sentence("without_conditional", what=conditions_in_short(relaxation.conditions))
    return text


def _change(relaxation: Relaxation) -> str:
    """Empty where several rules go together: each has its own values, and they are in the document."""
    if " + " in relaxation.rule or not relaxation.to:
        return ""
    asked = value_said(relaxation.rule, relaxation.from_)
    if relaxation.to.startswith(_UNKNOWN):
        return sentence("change_unknown", asked=asked, field=field_said(relaxation.to.removeprefix(_UNKNOWN)))
    return sentence("change", asked=asked, has=value_said(relaxation.rule, relaxation.to))
