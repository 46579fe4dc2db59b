"""What is wrong with a request's values: all of it, where msgspec tells the first alone."""

from __future__ import annotations

import re
import typing
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import inspect

if TYPE_CHECKING:
    from collections.abc import Iterator

# More than so many are not told of.
_MOST = 100
# How msgspec ends what it says of a value that is inside another one.
_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<where>.*)`)?$", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.+)`", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(.+)`", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_OF_FIELDS = (inspect.StructType, inspect.DataclassType, inspect.TypedDictType)
_OF_ITEMS = (inspect.ListType, inspect.SetType, inspect.FrozenSetType, inspect.VarTupleType)


def all_wrong(source: str, value: Any, hint: Any, *, strict: bool) -> list[dict[str, Any]]:
    """Each wrong value: where it is, and what is wrong with it.

    Args:
        source: Where the whole value comes from.
        value: The value, as JSON or a query has it.
        hint: What it should be.
        strict: Whether texts are no numbers.
    """
    found = []
    for one in _wrong([source], value, hint, strict):
        found.append(one)
        if len(found) == _MOST:
            break
    return found


def told(steps: list[Any], error: msgspec.ValidationError) -> dict[str, Any]:
    """Where a wrong value is, and what is wrong with it.

    Args:
        steps: The way to what was looked at.
        error: What msgspec says of it.
    """
    found = _AT.match(str(error))
    assert found is not None
    steps = list(steps)
    for name, index in _STEP.findall(found["where"] or ""):
        steps.append(name or (int(index) if index.isdigit() else index))
    what = found["what"]
    for pattern, instead in ((_MISSING, "It is missing"), (_UNKNOWN, "There is no such name")):
        named = pattern.fullmatch(what)
        if named is not None:
            return {"where": [*steps, named[1]], "what": instead}
    return {"where": steps, "what": what.replace("`", "")}


def _wrong(steps: list[Any], value: Any, hint: Any, strict: bool) -> Iterator[dict[str, Any]]:
    try:
        msgspec.convert(value, hint, strict=strict, str_keys=True)
    except msgspec.ValidationError as error:
        found = False
        for one in _inside(steps, value, hint, strict):
            found = True
            yield one
        if not found:
            yield told(steps, error)


def _inside(steps: list[Any], value: Any, hint: Any, strict: bool) -> Iterator[dict[str, Any]]:
    """What is wrong with the parts of a value, where it has parts of known types."""
    about = inspect.type_info(hint)
    if isinstance(about, _OF_FIELDS) and isinstance(value, dict):
        hints = typing.get_type_hints(about.cls, include_extras=True)
        for field in about.fields:
            if field.encode_name in value:
                inner = value[field.encode_name]
                yield from _wrong([*steps, field.encode_name], inner, hints[field.name], strict)
            elif field.required:
                yield {"where": [*steps, field.encode_name], "what": "It is missing"}
        if getattr(about, "forbid_unknown_fields", False):
            for name in value.keys() - {field.encode_name for field in about.fields}:
                yield {"where": [*steps, name], "what": "There is no such name"}
    elif isinstance(about, _OF_ITEMS) and isinstance(value, list):
        item = next(iter(typing.get_args(hint)), Any)
        for number, inner in enumerate(value):
            yield from _wrong([*steps, number], inner, item, strict)
    elif isinstance(about, inspect.DictType) and isinstance(value, dict):
        for name, inner in value.items():
            yield from _wrong([*steps, name], inner, typing.get_args(hint)[1], strict)
