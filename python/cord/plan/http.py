"""The section [http]: remote functions behind HTTP."""

from __future__ import annotations

import os

from cord import stdlib
from cord.plan.document import found, key_text
from cord.plan.http_plan import HttpPlan, RoutePlan
from cord.plan.modules import MAIN
from cord.plan.problems import did_you_mean, listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.document import Entry
    from cord.plan.model import RemotePlan
    from cord.plan.problems import Problems
    from cord.plan.validate import Section
    from cord.plan.values import Refuse

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
DEADLINE = 30.0
MOST_WAITING = 1_000_000
MOST_CONNECTIONS = 1_000_000
_LONGEST = 86_400.0
_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
_TIME = r"(\d+(?:\.\d+)?)\s*(ms|s|min|h)"
_BIND = r"(?:\[[0-9a-fA-F:.]+\]|[\w.-]+):(\d{1,5})"
_ORIGIN = r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]+"
_PATH = r"/(?:[^{}?#\s]|\{\*?[A-Za-z_]\w*\})*"
_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_ROUTE_KEYS = ("function", "deadline", "priority", "body", "headers")
_AS_THEY_ARE = "/{}*%!$&'()+,;=:@~"  # what a path may have beside letters and digits
_OWN = ("/healthz", "/readyz", "/metrics", "/openapi.json", "/docs")


def duration(entry: Entry, refuse: Refuse) -> float | None:
    """A time with its unit."""
    matched = stdlib.re.fullmatch(_TIME, entry.value) if entry.kind == "string" else None
    if matched is not None:
        seconds = float(matched[1]) * _UNITS[matched[2]]
        if 0 < seconds <= _LONGEST:
            return seconds
    is_number = entry.kind in ("integer", "float")
    refuse.value(entry, f'write "{entry.value}s"' if is_number else None)
    return None


def bind(entry: Entry, refuse: Refuse) -> str | None:
    """Host and port."""
    matched = stdlib.re.fullmatch(_BIND, entry.value) if entry.kind == "string" else None
    if matched is None or int(matched[1]) > 65535:
        refuse.value(entry, _whole_bind(entry))
        return None
    return str(entry.value)


def admin(entry: Entry, refuse: Refuse) -> str | None:
    """Host and port, or none at all."""
    return "off" if entry.value == "off" else bind(entry, refuse)


def log_format(entry: Entry, refuse: Refuse) -> str | None:
    """How lines of the access log are written."""
    if entry.value in ("common", "json"):
        return str(entry.value)
    refuse.value(entry)
    return None


def _whole_bind(entry: Entry) -> str | None:
    """What may have been meant by half an address."""
    if entry.kind == "integer" and 0 <= entry.value <= 65535:
        return f'write "127.0.0.1:{entry.value}"'
    if entry.kind == "string" and stdlib.re.fullmatch(r"[\w.-]+|\[[0-9a-fA-F:.]+\]", entry.value):
        return f'write "{entry.value}:8080"'
    return None


def waiting(entry: Entry, refuse: Refuse) -> int | None:
    """How many may wait, perhaps none."""
    if entry.kind == "integer" and 0 <= entry.value <= MOST_WAITING:
        return int(entry.value)
    refuse.value(entry)
    return None


def connections(entry: Entry, refuse: Refuse) -> int | None:
    """How many connections there may be."""
    if entry.kind == "integer" and 1 <= entry.value <= MOST_CONNECTIONS:
        return int(entry.value)
    refuse.value(entry)
    return None


def origins(entry: Entry, refuse: Refuse) -> tuple[str, ...] | None:
    """Origins of pages: a scheme and a host each, or * for all."""
    from cord.plan.values import texts

    named = texts(entry, refuse)
    if named is None:
        return None
    wrong = False
    for number, (origin, element) in enumerate(zip(named, entry.value, strict=True), 1):
        if origin != "*" and not stdlib.re.fullmatch(_ORIGIN, origin):
            host = stdlib.re.sub(r"^\w+://|/.*$", "", origin)
            refuse.element(element, number, f'write "https://{host}"' if host else None)
            wrong = True
    return None if wrong else named


def routes(entry: Entry, _: Refuse) -> Entry:
    """A table of routes, which is read once the remote modules are known."""
    return entry


def http_of(
    section: Section | None, folder: str, remote: dict[str, RemotePlan], problems: Problems
) -> HttpPlan | None:
    """The plan that the right values make; it is used only if nothing was wrong.

    Args:
        section: What is written; None for nothing.
        folder: Where files lie that are named without one.
        remote: The remote modules.
        problems: Where reports go.
    """
    if section is None:
        return None
    values = dict(section.values)
    deadline = values.pop("deadline", DEADLINE)
    entry = values.pop("routes", None)
    if entry is None or entry.kind != "table" or not entry.value:
        if section.sound:
            place = section.entry.key_place if entry is None else entry.key_place
            example = '[http.routes]\n    "GET /hello/{name}" = "work.hello"'
            problems.add(place, "[http] has no routes", f"write for instance\n\n    {example}")
        return None
    made = [
        _route((*section.path, "routes", name), child, deadline, remote, problems)
        for name, child in entry.value.items()
    ]
    cert, key = values.pop("cert", None), values.pop("key", None)
    if (cert is None) != (key is None):
        given, other = ("cert", "key") if key is None else ("key", "cert")
        problems.add(
            section.entry_of(given).key_place,
            f"http.{given} is there, but there is no http.{other}",
            "TLS needs both files",
        )
    if cert is not None and key is not None:
        values["tls"] = (os.path.join(folder, cert), os.path.join(folder, key))
    if "log" in values and values["log"] != "stderr":
        values["log"] = os.path.join(folder, values["log"])
    _check_twice(made, entry, section, problems)
    _check_rest(made, entry, section, problems)
    values["places"] = {key: str(section.entry_of(key).place) for key in section.values}
    return HttpPlan(tuple(one for one in made if one is not None), **values)


def _check_twice(
    made: list[RoutePlan | None], entry: Entry, section: Section, problems: Problems
) -> None:
    """Two paths that match the same are one too many."""
    known: dict[tuple[str, str], str] = {}
    for route, (name, child) in zip(made, entry.value.items(), strict=True):
        if route is None:
            continue
        key = route.method, stdlib.re.sub(r"\{(\*?)\w+\}", r"{\1}", route.path)
        if key in known:
            problems.add(
                child.key_place,
                f"{key_text((*section.path, 'routes', name))} matches the same requests as "
                f'"{known[key]}"',
                "leave one of them out",
            )
        known[key] = name


def _check_rest(
    made: list[RoutePlan | None], entry: Entry, section: Section, problems: Problems
) -> None:
    """What is below a path cannot be one parameter and all that follows."""
    shapes = {
        route.path: stdlib.re.sub(r"\{\w+\}", "{}", route.path)
        for route in made
        if route is not None
    }
    for route, (name, child) in zip(made, entry.value.items(), strict=True):
        above, star, _ = (shapes[route.path] if route is not None else "").partition("{*")
        for other, shape in shapes.items():
            if star and shape.startswith(above + "{}"):
                problems.add(
                    child.key_place,
                    f"{key_text((*section.path, 'routes', name))} takes all that is below {above}, "
                    f"and {other} a part of it",
                    f"let one of them begin otherwise, such as {above}all/{{*…}}",
                )
                break


def _route(
    path: tuple[str, ...],
    entry: Entry,
    deadline: float,
    remote: dict[str, RemotePlan],
    problems: Problems,
) -> RoutePlan | None:
    before = len(problems)
    method, _, where = path[-1].partition(" ")
    where = where.strip()
    if method not in METHODS:
        near = method.upper() if method.upper() in METHODS else ""
        problems.add(
            entry.key_place,
            f"{key_text(path)} does not begin with a method; allowed: {listing(METHODS, 'or')}",
            f'write "{near} {where}"' if near else 'write for instance "GET /hello/{name}"',
        )
    elif not stdlib.re.fullmatch(_PATH, where):
        problems.add(
            entry.key_place,
            f"{key_text(path)} has no path after its method; allowed: a path such as "
            "/hello/{name}, or /files/{*rest} for all that is below",
            f'write "{method} /{where}"' if where and where[0] != "/" else None,
        )
    settings = _settings(path, entry, problems)
    target = settings.get("function")
    found_ = _target(path, target, remote, problems) if target is not None else None
    if len(problems) > before or found_ is None:
        return None
    del settings["function"]
    module, function = found_
    settings = {"deadline": deadline, "place": str(entry.key_place), **settings}
    route = RoutePlan(method, where, module, function, **settings)
    for problem, hint in _wrong_in(route):
        problems.add(entry.key_place, f"{key_text(path)}{problem}", hint)
    kind, which = route.priority or ("", "")
    if kind == "path" and which in route.names:
        return route.but(priority=(kind, route.names.index(str(which))))
    return route


def _wrong_in(route: RoutePlan) -> list[tuple[str, str]]:
    """What is wrong with a route whose parts are right, and what to do about it."""
    wrong = _wrong_in_path(route.path, route.names)
    wrong += [
        (f" gives {name} a header, but the path has it, too", "leave one of them out")
        for name in route.headers
        if name in route.names
    ]
    if route.path in _OWN:
        hint = f"call it otherwise, such as /app{route.path}"
        wrong.append((" is a path that Cord answers by itself", hint))
    if route.priority is not None and route.priority[0] == "path":
        name = str(route.priority[1])
        if name not in route.names:
            hint = f"its parameters are: {', '.join(route.names) or 'none'}"
            wrong.append((f" has no parameter {name} in its path, which tells its priority", hint))
    return wrong


def _wrong_in_path(path: str, names: list[str]) -> list[tuple[str, str]]:
    wrong = [
        (f" has {{{name}}} twice", "a parameter has one value: call one of them otherwise")
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
    if "{*" in path and not stdlib.re.search(r"/\{\*\w+\}$", path):
        hint = "{*rest} is all that follows: nothing can come after it"
        wrong.append((" has {*…} elsewhere than as its last part", hint))
    if stdlib.re.search(r"\{\w+\}[^/]|[^/{}]\{\w+\}\{", path):
        what = " has a parameter that is only the beginning of a part of the path"
        wrong.append((what, "let it reach to the next slash, and take it apart in the function"))
    if not path.isascii():
        from urllib.parse import quote  # few plans have such a path

        hint = f"write {quote(path, _AS_THEY_ARE)}, which is what clients send"
        wrong.append((" has signs that no path of HTTP has", hint))
    return wrong


def _settings(path: tuple[str, ...], entry: Entry, problems: Problems) -> dict[str, Any]:
    """What is said of a route: the name of a function, or a table."""
    from cord.plan.calling import size
    from cord.plan.values import Refuse

    if entry.kind == "string":
        return {"function": entry}
    if entry.kind != "table":
        problems.add(
            entry.place,
            f"{key_text(path)} is {found(entry)}; allowed: a function such as "
            '"work.hello", or a table with it and more',
        )
        return {}
    settings: dict[str, Any] = {}
    for name, child in entry.value.items():
        where = (*path, name)
        if name == "function":
            settings[name] = child
        elif name == "deadline":
            if child.kind == "string" and child.value == "none":
                settings[name] = None
                continue
            allowed = 'a time such as "30s", "500ms" or "2min", or "none"'
            settings[name] = duration(child, Refuse(problems, where, allowed))
        elif name == "body":
            settings[name] = size(child, Refuse(problems, where, 'a size such as "8MiB"'))
        elif name == "priority":
            settings[name] = _priority(child, Refuse(problems, where, _PRIORITY))
        elif name == "headers":
            settings[name] = _headers(child, Refuse(problems, where, _HEADERS))
        else:
            hint = did_you_mean(name, _ROUTE_KEYS) or f"a route may have {listing(_ROUTE_KEYS)}"
            problems.add(child.key_place, f"{key_text(where)} is not a key that Cord knows", hint)
    if "function" not in entry.value:
        problems.add(entry.key_place, f"{key_text(path)} names no function", 'add function = "…"')
    return settings


_PRIORITY = 'a number, or { header = "X-Priority" }, { query = "p" } or { path = "p" }'
_HEADERS = 'a table of parameters and headers such as { agent = "User-Agent" }'


def _priority(entry: Entry, refuse: Refuse) -> tuple[str, str | float | int] | None:
    if entry.kind in ("integer", "float"):
        return "always", float(entry.value)
    if entry.kind == "table" and len(entry.value) == 1:
        ((source, child),) = entry.value.items()
        if source in ("header", "query", "path") and child.kind == "string" and child.value:
            return source, str(child.value)
    refuse.value(entry)
    return None


def _headers(entry: Entry, refuse: Refuse) -> dict[str, str] | None:
    if entry.kind != "table":
        refuse.value(entry)
        return None
    headers = {}
    for name, child in entry.value.items():
        if child.kind == "string" and stdlib.re.fullmatch(_NAME, child.value):
            headers[name] = str(child.value)
        else:
            refuse.member(child, name)
    return headers


def _target(
    path: tuple[str, ...], entry: Any, remote: dict[str, RemotePlan], problems: Problems
) -> tuple[str, str] | None:
    """Module and function that a route leads to."""
    name = entry.value if entry.kind == "string" else ""
    if not all(part.isidentifier() for part in name.split(".")) or "." not in name:
        problems.add(
            entry.place,
            f"{key_text(path)} is {found(entry)}; allowed: a function of a remote module, "
            'such as "work.hello"',
        )
        return None
    if name.startswith(f"{MAIN}."):
        problems.add(
            entry.place,
            f"{key_text(path)} is {found(entry)}, but cord serve runs no main script",
            "put the function into a module",
        )
        return None
    modules = [module for module in remote if name.startswith(f"{module}.")]
    if not modules:
        module = name.rpartition(".")[0]
        near = did_you_mean(module, remote)
        problems.add(
            entry.place,
            f"{key_text(path)} is {found(entry)}, but {module} is no remote module",
            near or f"make it one: [remote.{module}]",
        )
        return None
    module = max(modules, key=len)
    function = name[len(module) + 1 :]
    only = remote[module].only
    is_private = any(part.startswith("_") for part in function.split("."))
    if is_private or (only is not None and function not in only):
        near = did_you_mean(function, only or ())
        problems.add(
            entry.place,
            f"{key_text(path)} is {found(entry)}, but {function} is not remote",
            near or ("private functions are not" if is_private else f"add it to only of {module}"),
        )
        return None
    return module, function
