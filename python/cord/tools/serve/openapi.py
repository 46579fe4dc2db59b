"""The description of all routes in OpenAPI 3.1."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cord._core import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cord.plan.http_plan import HttpPlan

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
    for route, one in zip(http.routes, told, strict=True):
        path = route.path.replace("{*", "{")
        operation = {
            "operationId": f"{route.method.lower()} {route.module}.{route.function}",
            "tags": [route.module],
            **one["operation"],
        }
        paths.setdefault(path, {})[route.method.lower()] = operation
        schemas.update(one["schemas"])
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "Remote functions", "version": VERSION},
        "paths": paths,
        "components": {"schemas": schemas},
    }
    return json.dumps(whole).encode()
