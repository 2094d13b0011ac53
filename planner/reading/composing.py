"""YAML as a tree. It gives no scalar a type: `no` stays "no", and 12.30 stays "12.30".

The tree is built from the parser's events, so that a file that would expand without end (aliases), or exhaust
the stack (depth), is refused on the way.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from planner.reading.source import Source
from planner.reading.tree import Node
from planner.values.faults import Fault, Faulty

Event = Any  # the parser's events; its stubs know little of them

DEEPEST = 40
MOST_EVENTS = 200_000
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))


def read_tree(source: Source) -> Node:
    """The one document of a YAML file."""
    if not yaml.__with_libyaml__:  # the parser in plain Python takes minutes over 100,000 brackets
        raise RuntimeError("PyYAML was built without libyaml; install a wheel of PyYAML")
    return _Composer(source).document()


@dataclass
class _Composer:
    source: Source
    faults: list[Fault] = field(default_factory=list)

    def document(self) -> Node:
        events = self._events()
        root = None
        try:
            for event in events:
                match event:
                    case yaml.DocumentStartEvent() if root is None:
                        root = self._node(next(events), events, 0)
                    case yaml.DocumentStartEvent():
                        raise self._stopped(event, "two_documents")
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = (mark.line + 1, mark.column + 1) if mark else (0, 0)
            self.faults.append(self.source.fault(*place, "yaml_syntax", error.problem or ""))
        except yaml.YAMLError as error:
            self.faults.append(self.source.fault(0, 0, "yaml_syntax", getattr(error, "reason", "")))
        if self.faults:
            raise Faulty(tuple(self.faults))
        if root is None or root.content is None:
            raise Faulty((self.source.fault(0, 0, "empty_file"),))
        return root

    def _events(self) -> Iterator[Event]:
        events: Iterator[Event] = yaml.parse(self.source.text, Loader=yaml.CBaseLoader)
        for count, event in enumerate(events):
            if count > MOST_EVENTS:
                raise self._stopped(event, "too_large", f"{MOST_EVENTS} values and keys")
            if getattr(event, "anchor", None) is not None:
                is_alias = isinstance(event, yaml.AliasEvent)
                self.faults.append(self._fault(event, "alias", ("*" if is_alias else "&") + event.anchor))
            elif getattr(event, "tag", None) is not None:
                self.faults.append(self._fault(event, "tag", event.tag))
            yield event

    def _fault(self, event: Event, rule: str, found: str = "", expected: tuple[str, ...] = ()) -> Fault:
        mark = event.start_mark
        return self.source.fault(mark.line + 1, mark.column + 1, rule, found, expected)

    def _stopped(self, event: Event, rule: str, *expected: str) -> Faulty:
        """What was found until here, and why nothing further is read."""
        return Faulty((*self.faults, self._fault(event, rule, expected=expected)))

    def _node(self, event: Event, events: Iterator[Event], depth: int) -> Node:
        if depth > DEEPEST:
            raise self._stopped(event, "too_deep", str(DEEPEST))
        content: Any = None
        match event:
            case yaml.ScalarEvent():
                is_null = not event.style and event.value in _NULLS
                content = None if is_null else self._printable(event)
            case yaml.SequenceStartEvent():
                content = tuple(self._items(events, depth))
            case yaml.MappingStartEvent():
                content = self._fields(events, depth)
        return Node(self.source, event.start_mark.line + 1, event.start_mark.column + 1, content)

    def _printable(self, event: Event) -> str:
        """The text of a scalar; an escape may not bring in a character that the file itself may not hold."""
        text = str(event.value)
        if not self.source.is_control_free(text):
            self.faults.append(self._fault(event, "control_character"))
        return text

    def _items(self, events: Iterator[Event], depth: int) -> Iterator[Node]:
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            yield self._node(event, events, depth + 1)

    def _fields(self, events: Iterator[Event], depth: int) -> dict[str, Node]:
        fields: dict[str, Node] = {}
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            key_node = self._node(key, events, depth + 1)
            value = self._node(next(events), events, depth + 1)
            if not isinstance(key, yaml.ScalarEvent):
                self.faults.append(self._fault(key, "complex_key"))
            elif key.value in fields:
                self.faults.append(self._fault(key, "duplicate_field", key.value))
            else:
                fields[key.value] = replace(value, key_line=key_node.line, key_column=key_node.column)
        return fields
