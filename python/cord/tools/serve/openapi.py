"""The description of all routes in OpenAPI 3.1."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cord.plan.http_plan import HttpPlan, RoutePlan

_PARAMETER = re.compile(r"\{\*?\w+\}")
_PROBLEM = {
    "type": "object",
    "description": "Problem details, as RFC 9457 has them.",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "where": {"type": "array", "items": {"type": ["string", "integer"]}},
                    "what": {"type": "string"},
                },
            },
        },
    },
}


def document(http: HttpPlan, told: Sequence[dict[str, Any]]) -> bytes:
    """The description, as JSON.

    Args:
        http: What the plan says.
        told: What replicas have said of each route.
    """
    paths: dict[str, dict[str, Any]] = {}
    schemas: dict[str, Any] = {"Problem": _PROBLEM}
    known: dict[str, RoutePlan] = {}
    names: set[str] = set()  # of operations: each has its own
    for route, one in zip(http.routes, told, strict=True):
        first = known.setdefault(_PARAMETER.sub("{}", route.path), route)
        name = _name(f"{route.method.lower()} {route.module} {route.function}")
        if name in names:
            name = _name(f"{name} {route.path}")
        names.add(name)
        operation = {
            "operationId": name,
            "tags": [route.module],
            **one["operation"],
        }
        if first.names != route.names:
            _rename(operation, dict(zip(route.names, first.names, strict=True)))
        path = first.path.replace("{*", "{")
        paths.setdefault(path, {})[route.method.lower()] = operation
        schemas.update(one["schemas"])
    whole = {
        "openapi": "3.1.0",
        "info": {"title": http.title, "version": http.version},
        "paths": paths,
        "components": {"schemas": schemas},
    }
    return json.dumps(whole).encode()


def _name(words: str) -> str:
    """One that generators of clients can make a function's of."""
    return re.sub(r"\W+", "_", words).strip("_")


def _rename(operation: dict[str, Any], names: dict[str, str]) -> None:
    """Let the path's parameters have other names: they are the path's, whatever the method."""
    operation["parameters"] = [
        {**one, "name": names[one["name"]]} if one["in"] == "path" else one
        for one in operation["parameters"]
    ]
