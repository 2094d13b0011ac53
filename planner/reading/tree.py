"""A tree of text with places: what was written, where, and no scalar with a type yet."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from planner.reading.source import Source
from planner.values.faults import Fault

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain] | None"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A value and its place. A map's values know the place of their keys; ``key_line`` 0: no key.

    ``content`` is None where nothing is written (or ``null`` or ``~``), which means "not known".
    """

    source: Source
    line: int
    column: int
    content: "str | tuple[Node, ...] | dict[str, Node] | None"
    key_line: int = 0
    key_column: int = 0

    @property
    def text(self) -> str | None:
        return self.content if isinstance(self.content, str) else None

    @property
    def where(self) -> str:
        """The place in words that people know from compilers: file:line."""
        return f"{self.source.path}:{self.line}"

    @property
    def items(self) -> "tuple[Node, ...]":
        """The items of a list; none for anything else."""
        return self.content if isinstance(self.content, tuple) else ()

    @property
    def fields(self) -> "dict[str, Node]":
        """The fields of a map; none for anything else."""
        return self.content if isinstance(self.content, dict) else {}

    def at(self, *path: str | int) -> "Node | None":
        """The node at the end of the path; None where the path breaks off."""
        end, steps = self.deepest(path)
        return end if steps == len(path) else None

    def deepest(self, path: tuple[str | int, ...]) -> "tuple[Node, int]":
        """The last node that the path reaches, and how many of its steps lead there."""
        node = self
        for count, step in enumerate(path):
            match node.content:
                case dict() as fields if step in fields:
                    node = fields[str(step)]
                case tuple() as items if isinstance(step, int) and step < len(items):
                    node = items[step]
                case _:
                    return node, count
        return node, len(path)

    def plain(self) -> Plain:
        """The data alone, for a schema to judge."""
        match self.content:
            case dict() as fields:
                return {name: node.plain() for name, node in fields.items()}
            case tuple() as items:
                return [node.plain() for node in items]
        return self.content

    def fault(
        self,
        rule: str,
        found: str | None = None,
        expected: tuple[str, ...] = (),
        suggestion: str = "",
        *,
        at_key: bool = False,
    ) -> Fault:
        """A fault that points at a text, or at the key of a map, a list or nothing."""
        at_key = bool(self.key_line) and (at_key or self.text is None)
        line, column = (self.key_line, self.key_column) if at_key else (self.line, self.column)
        found = (self.text or "") if found is None else found
        return self.source.fault(line, column, rule, found, expected, suggestion=suggestion)


def merged(below: Node | None, above: Node) -> Node:
    """``above``, with what it leaves out taken from ``below``. Maps are merged field by field."""
    if below is None or not isinstance(below.content, dict) or not isinstance(above.content, dict):
        return above
    fields = dict(below.content)
    for name, node in above.content.items():
        fields[name] = merged(fields.get(name), node)
    return replace(above, content=fields)
