"""A function as OpenAPI has it: its parameters, its body, its answers."""

from __future__ import annotations

import inspect
import typing
from typing import Any, Final

import msgspec

from cord.web.binding import Binding
from cord.web.json_types import any_of_json
from cord.web.parameters import (
    BODY,
    HEADER,
    MEMBER,
    PATH,
    QUERY,
    RAW,
    Parameter,
    RouteError,
    Spec,
    is_stream,
)

# What the specification of a route begins with where it is only asked about.
DESCRIBE: Final = b"?"
REFERENCES: Final = "#/components/schemas/{name}"


def refused(error: RouteError) -> dict[str, Any]:
    """What is told of a function that cannot be a route."""
    return {"refused": error.message, "hint": error.hint}


def described(
    function: Any, spec: Spec, parameters: list[Parameter], binding: Binding
) -> dict[str, Any]:
    """What is told of a function: for the front end, and for OpenAPI.

    Args:
        function: The function.
        spec: Its route.
        parameters: Its parameters.
        binding: What decodes them.

    Returns:
        `reads_stream`, `writes_stream` and `has_body`; the `names` of all parameters, and of the
        one that is the `whole` body, if one is; `operation` and the `schemas` that it refers to.
    """
    result = typing.get_type_hints(function).get("return", Any)
    writes = inspect.isgeneratorfunction(inspect.unwrap(function)) or is_stream(result)
    schemas: dict[str, Any] = {}
    operation: dict[str, Any] = {}
    summary, _, rest = (inspect.getdoc(function) or "").partition("\n")
    if summary:
        operation["summary"] = summary
    if rest.strip():
        operation["description"] = rest.strip()
    listed = [_parameter(one, spec, schemas) for one in parameters if _is_listed(one)]
    if listed:
        operation["parameters"] = listed
    body = _body(parameters, binding, schemas)
    if body is not None:
        operation["requestBody"] = body
    operation["responses"] = _responses(result, schemas, writes=writes)
    return {
        "reads_stream": binding.stream is not None,
        "writes_stream": writes and spec.streams,
        "has_body": binding.wants_body,
        "names": [one.name for one in parameters],
        "whole": next((one.name for one in parameters if one.source in (BODY, RAW)), None),
        "operation": operation,
        "schemas": schemas,
    }


def _is_listed(parameter: Parameter) -> bool:
    return parameter.source in (PATH, QUERY, HEADER)


def schema_of(hint: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; what it refers to is added to `schemas`."""
    try:
        (found,), more = msgspec.json.schema_components(
            [hint], schema_hook=any_of_json, ref_template=REFERENCES
        )
    except Exception:  # of a result that JSON has not
        return {}  # anything
    schemas.update(more)
    return found


def _parameter(one: Parameter, spec: Spec, schemas: dict[str, Any]) -> dict[str, Any]:
    name = spec.headers[one.name] if one.source == HEADER else one.name
    told: dict[str, Any] = {
        "name": name,
        "in": one.source,
        "required": one.source == PATH or one.is_needed,
        "schema": _with_default(one, schema_of(one.hint, schemas)),
    }
    return told


def _with_default(one: Parameter, schema: dict[str, Any]) -> dict[str, Any]:
    if one.is_needed or one.default is None:
        return schema
    try:
        return {**schema, "default": msgspec.to_builtins(one.default)}
    except (TypeError, ValueError):
        return schema


def _body(
    parameters: list[Parameter], binding: Binding, schemas: dict[str, Any]
) -> dict[str, Any] | None:
    members = [one for one in parameters if one.source == MEMBER]
    if members:
        properties = {one.name: _with_default(one, schema_of(one.hint, schemas)) for one in members}
        needed = [one.name for one in members if one.is_needed]
        schema: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        if needed:
            schema["required"] = needed
        kinds = ("application/json", "application/x-www-form-urlencoded")
        return {"required": bool(needed), "content": {kind: {"schema": schema} for kind in kinds}}
    whole = next((one for one in parameters if one.source == BODY), None)
    if whole is not None:
        content = {"application/json": {"schema": schema_of(whole.hint, schemas)}}
        return {"required": whole.is_needed, "content": content}
    if binding.raw is not None or binding.stream is not None:
        return {"required": True, "content": {"application/octet-stream": {}}}
    return None


def _responses(result: Any, schemas: dict[str, Any], *, writes: bool) -> dict[str, Any]:
    problem = {
        "description": "what is wrong",
        "content": {
            "application/problem+json": {"schema": {"$ref": REFERENCES.format(name="Problem")}}
        },
    }
    responses: dict[str, Any] = {}
    if result is type(None):
        responses["204"] = {"description": "done"}
    else:
        responses["200"] = {
            "description": "the result",
            "content": _content(result, schemas, writes),
        }
    responses["default"] = problem
    return responses


def _content(result: Any, schemas: dict[str, Any], writes: bool) -> dict[str, Any]:
    if writes:
        item = (*typing.get_args(result), Any)[0]
        if item in (bytes, str):
            kind = "text/plain" if item is str else "application/octet-stream"
            return {kind: {}, "text/event-stream": {}}
        schema = schema_of(item, schemas)
        return {"application/jsonl": {"schema": schema}, "text/event-stream": {}}
    if result is str:
        return {"text/plain": {"schema": {"type": "string"}}}
    if result in (bytes, bytearray, memoryview):
        return {"application/octet-stream": {}}
    return {"application/json": {"schema": schema_of(result, schemas)}}
