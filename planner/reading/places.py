"""Where in a schema an error of pydantic stands: its ``loc`` without the tags of unions."""

import types
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin

from pydantic import BaseModel

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """``path`` leads to the value as a person wrote it; ``owner`` is the model whose field it ends in.

    ``union`` is the path at which the schema branched last, and None where it did not.
    """

    path: Path
    owner: type[BaseModel] | None
    union: Path | None = None


def place_of(schema: object, loc: tuple[str | int, ...]) -> Place:
    """Follows ``loc`` through the types of a schema: a step is a field, a position, or the tag of a union."""
    here = schema
    path: Path = ()
    owner: type[BaseModel] | None = None
    union: Path | None = None
    for step in loc:
        kinds = kinds_of(here)
        if len(kinds) > 1:
            here, union = _tagged(kinds, str(step)), path
            continue
        here = kinds[0] if kinds else Any
        if is_model(here):
            owner = here
            here = fields_of(here).get(str(step), Any)
        elif get_origin(here) in (tuple, list, dict):
            owner, here = None, get_args(here)[1 if get_origin(here) is dict else 0]
        else:
            continue  # the tag of a validator
        path = (*path, step)
    return Place(path, owner, union)


def fields_of(model: type[BaseModel]) -> dict[str, Any]:
    """Types of the fields by the names that a person writes."""
    return {field.alias or name: Annotated[field.annotation, field] for name, field in model.model_fields.items()}


def is_model(kind: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def kinds_of(kind: object) -> tuple[object, ...]:
    """The members of a union, None left out; a single type for anything else."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(member for each in get_args(kind) for member in kinds_of(each) if member is not types.NoneType)
    return (kind,)


def _tagged(kinds: tuple[object, ...], tag: str) -> object:
    """The member of a union that pydantic names by ``tag``: by a model's name or ``kind``, or by its type."""
    for kind in kinds:
        if is_model(kind) and (kind.__name__ == tag or tag in _words_of_kind(kind)):
            return kind
        if get_origin(kind) is tuple and "tuple" in tag:
            return kind
    return Any


def _words_of_kind(model: type[BaseModel]) -> tuple[object, ...]:
    field = model.model_fields.get("kind")
    return get_args(field.annotation) if field and get_origin(field.annotation) is Literal else ()
