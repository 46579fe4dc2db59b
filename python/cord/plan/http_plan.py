"""What a valid plan says of remote functions behind HTTP."""

from __future__ import annotations

from cord.fixed import Value, field


class RoutePlan(Value):
    """One route.

    Attributes:
        method: The HTTP method.
        path: The path, with parameters in braces.
        module: The remote module.
        function: The function's name in it.
        deadline: Seconds until a request is given up; None for no limit.
        priority: What makes a request go before others: ("header", its name), ("query", the
            parameter's), ("path", the place of the parameter) or ("always", a number); None for
            nothing.
        body: Bytes that a body may have; None for as many as elsewhere.
        headers: By parameter, the header that it is given.
        place: Where it is written, as messages say it.
    """

    method: str
    path: str
    module: str
    function: str
    deadline: float | None = None
    priority: tuple[str, str | float | int] | None = None
    body: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    place: str = ""

    @property
    def key(self) -> str:
        """Its key in the plan."""
        return f'http.routes."{self.method} {self.path}"'

    @property
    def names(self) -> list[str]:
        """The path's parameters, in its order."""
        parts = [part.partition("}")[0] for part in self.path.split("{")[1:]]
        return [part.removeprefix("*") for part in parts]


class HttpPlan(Value):
    """Remote functions behind HTTP.

    Attributes:
        bind: Host and port.
        queue: Requests that may wait for each module, beside those that are served.
        body: Bytes that a body may have.
        connections: Connections at once.
        patience: Seconds that a client may take for the head of a request, the next piece of a
            body, or to take some of an answer.
        idle: Seconds that a connection may be idle.
        hosts: Names by which clients may ask for this server; None for the usual.
        origins: Other origins whose pages may call.
        tls: Files with the certificate and its key; None for none.
        log: Where each request is written down; None for nowhere.
        log_format: How: "common" or "json".
        admin: Host and port where metrics and pages are, and not among the routes; "off" for
            nowhere; None for among the routes.
        routes: The routes.
        places: By key, where it is written, as messages say it.
        title: What the description in OpenAPI is called.
        version: The version there.
    """

    routes: tuple[RoutePlan, ...]
    bind: str = "127.0.0.1:8080"
    queue: int = 100
    body: int = 8 << 20
    connections: int = 10_000
    patience: float = 10.0
    idle: float = 75.0
    hosts: tuple[str, ...] | None = None
    origins: tuple[str, ...] = ()
    tls: tuple[str, str] | None = None
    log: str | None = None
    log_format: str = "common"
    admin: str | None = None
    places: dict[str, str] = field(default_factory=dict)
    title: str = "Remote functions"
    version: str = "0.0.0"

    def called(self, key: str) -> str:
        """A key as messages begin with it: where it is written, and its name."""
        place = self.places.get(key)
        return f"http.{key}" if place is None else f"{place}: http.{key}"
