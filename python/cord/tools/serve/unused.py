"""What a plan says of calls that cannot hold for requests, and what can be said instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cord.plan.words import AUTO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cord.plan.http_plan import RoutePlan
    from cord.plan.model import Plan


def notes(plan: Plan, routes: Sequence[RoutePlan], told: Sequence[dict[str, Any]]) -> list[str]:
    """A sentence and a hint for each key.

    Args:
        plan: The plan.
        routes: Its routes.
        told: What replicas have said of each.
    """
    found = [_of_priority(plan, route) for route in routes]
    found += [_of_keep(plan, route) for route in routes]
    found += [_of_resident(plan, *both) for both in zip(routes, told, strict=True)]
    return list(dict.fromkeys(note for note in found if note))


def _of_priority(plan: Plan, route: RoutePlan) -> str:
    settings = plan.remote[route.module].function(route.function)
    if settings.priority is None or route.priority is not None:
        return ""
    return (
        f'the priority "{settings.priority}" of {route.module}.{route.function}() is not that of '
        "requests: it needs arguments, which are decoded once a replica has the request\n"
        f'hint: give "{route.method} {route.path}" one, such as '
        'priority = { header = "X-Priority" }'
    )


def _of_keep(plan: Plan, route: RoutePlan) -> str:
    if not plan.remote[route.module].function(route.function).keep:
        return ""
    return (
        f"keep of {route.module}.{route.function}() is not for requests: each is answered anew\n"
        "hint: leave keep out, or let a cache in front answer equal requests"
    )


def _of_resident(plan: Plan, route: RoutePlan, told: dict[str, Any]) -> str:
    named = plan.remote[route.module].function(route.function).resident
    taken = [one for one in named if one in told["names"]] if named != AUTO else []
    others = [name for name in taken if name != told["whole"]]
    if not others:
        return ""
    return (
        f"resident of {route.module}.{route.function}() names {others[0]}, which replicas do not "
        f'keep from requests: in "{route.method} {route.path}" it is not the whole body\n'
        f"hint: let it be the whole body, by the hint bytes or a dataclass, and let the others "
        "come from the query"
    )
