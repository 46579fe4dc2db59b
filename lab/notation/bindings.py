"""What belongs together: instances, and which use goes to which define."""

from __future__ import annotations

from dataclasses import dataclass, field

from cord.plan.problems import did_you_mean
from lab.notation.findings import Findings
from lab.notation.model import Bind, Interface, Module, Name
from lab.notation.source import Span


@dataclass(slots=True)
class Call:
    """A use that is bound to a define.

    Attributes:
        client: The name of the module that calls.
        use: What it says of the calls.
        function: The name of the define.
    """

    client: str
    use: Interface
    function: str


@dataclass(slots=True)
class Served:
    """A module whose functions are remote, and the calls of them, in the order of the file."""

    module: Module
    calls: list[Call] = field(default_factory=list)


@dataclass(slots=True)
class Application:
    """What runs.

    Attributes:
        served: The remote modules.
        clients: The modules that run with the program.
        frame: The module that says so, if there is one.
    """

    served: list[Served] = field(default_factory=list)
    clients: list[Module] = field(default_factory=list)
    frame: Module | None = None


def resolve(modules: list[Module], findings: Findings) -> Application:
    """Finds what runs, and who calls whom; notes what does not fit together."""
    return _Resolver(modules, findings).resolve()


class _Resolver:
    def __init__(self, modules: list[Module], findings: Findings) -> None:
        self._findings = findings
        holders = [module for module in modules if module.holds_instances]
        self._frames = [module for module in holders if module.source is None] or holders[:1]
        self._parts = {module.name.text: module for module in modules if not _is_frame(module)}
        for holder in holders:
            if holder not in self._frames:
                self._refuse_instances(holder)
        self._served: dict[str, Served] = {}
        self._bound: dict[tuple[str, str], Bind] = {}
        self._mentioned: set[tuple[str, str]] = set()  # in binds, be they right or wrong

    def resolve(self) -> Application:
        running = self._running()
        for module in running:
            self._check(module)
            if module.is_served and module.defines:
                self._served[module.name.text] = Served(module)
        if self._frames:
            for bind in self._frames[0].binds:
                self._bind(bind, {module.name.text for module in running})
            self._find_unbound(running)
        else:
            self._bind_by_names(running)
        clients = [module for module in running if module.name.text not in self._served]
        frame = self._frames[0] if self._frames else None
        return Application(list(self._served.values()), clients, frame)

    def _refuse_instances(self, module: Module) -> None:
        message = f"{module.name.text} has a source, so it holds no instances"
        spans = [instance.span for instance in module.instances.values()]
        for span in (*spans, *(bind.span for bind in module.binds)):
            self._findings.error(span.begin, message, None, span)

    def _running(self) -> list[Module]:
        """The modules that have an instance; all of them where no application says so."""
        if not self._frames:
            if self._parts:
                message = "no module holds instances, so each use goes to the define of its name"
                self._findings.note(0, message)
            return list(self._parts.values())
        frame, *others = self._frames
        for other in others:
            message = f"{other.name.text} is a second application; a plan is for one"
            self._findings.error(
                other.name.offset, message, "import it from a file of its own", other.span
            )
        for instance in frame.instances.values():
            if instance.name.text not in self._parts:
                self._unknown_module(instance.name, instance.span)
        running = []
        for module in self._parts.values():
            if module.name.text in frame.instances:
                running.append(module)
            else:
                message = f"{module.name.text} has no instance in {frame.name.text}"
                self._findings.note(module.name.offset, message, None, module.span)
        return running

    def _unknown_module(self, name: Name, kept: Span) -> None:
        hint = did_you_mean(name.text, self._parts)
        message = f"there is no module {name.text} with a source"
        self._findings.error(name.offset, message, hint, kept)

    def _check(self, module: Module) -> None:
        name = module.name
        if module.source is None:
            message = f"the module {name.text} has no source"
            hint = 'source = "C" "remote" :: has its functions served'
            self._findings.error(name.offset, message, hint)
        elif module.is_served and not module.defines:
            message = f"{name.text} is remote, but defines no interface that could be served"
            self._findings.error(name.offset, message)

    def _bind(self, bind: Bind, running: set[str]) -> None:
        self._mentioned |= {
            (bind.client.text, bind.use.text),
            (bind.server.text, bind.define.text),
        }
        for name in (bind.client, bind.server):
            if name.text not in running:
                if name.text not in self._parts:
                    self._unknown_module(name, bind.span)
                else:
                    message = f"{name.text} has no instance"
                    hint = f"instance {name.text} ::"
                    self._findings.error(name.offset, message, hint, bind.span)
                return
        client, server = self._parts[bind.client.text], self._parts[bind.server.text]
        use = client.uses.get(bind.use.text)
        define = server.defines.get(bind.define.text)
        if use is not None and define is not None:
            self._join(bind, use, define)
        elif bind.use.text in client.defines and bind.define.text in server.uses:
            names = (bind.server, bind.define, bind.client, bind.use)
            hint = f"the client stands first: bind {' '.join(name.text for name in names)} ::"
            message = f"{bind.client.text} serves {bind.use.text} and does not call it"
            self._findings.error(bind.client.offset, message, hint, bind.span)
        else:
            self._missing(bind, "use", bind.use, client.uses, use)
            self._missing(bind, "define", bind.define, server.defines, define)

    def _missing(
        self,
        bind: Bind,
        kind: str,
        name: Name,
        known: dict[str, Interface],
        found: Interface | None,
    ) -> None:
        if found is None:
            module = bind.client if kind == "use" else bind.server
            message = f"{module.text} does not {kind} the interface {name.text}"
            self._findings.error(name.offset, message, did_you_mean(name.text, known), bind.span)

    def _join(self, bind: Bind, use: Interface, define: Interface) -> None:
        key = (bind.client.text, bind.use.text)
        if key in self._bound:
            first = self._findings.source.place(self._bound[key].span.begin)
            message = f"{bind.use.text} of {bind.client.text} is bound already at {first}"
            self._findings.error(bind.use.offset, message, None, bind.span)
            return
        self._bound[key] = bind
        served = self._served.get(bind.server.text)
        if served is None:
            message = f"{bind.server.text} is local, so its functions are called as they are"
            self._findings.note(bind.server.offset, message, None, bind.span)
            return
        self._compare_types(use, define)
        served.calls.append(Call(bind.client.text, use, define.name.text))
        if use.name.text != define.name.text:
            message = f"what {bind.client.text} calls {use.name.text} is {define.name.text} there"
            hint = f"from {bind.server.text} import {define.name.text} as {use.name.text}"
            self._findings.note(bind.use.offset, message, hint, bind.span)

    def _compare_types(self, use: Interface, define: Interface) -> None:
        for mine, other in (("pattern", "pattern"), ("accepts", "returns")):
            one, two = use.settings.get(mine), define.settings.get(other)
            if one is not None and two is not None and one.types != two.types:
                place = self._findings.source.place(two.span.begin)
                message = f"{mine} is not the {other} of what it is bound to, at {place}"
                self._findings.error(one.span.begin, message, None, one.span)

    def _find_unbound(self, running: list[Module]) -> None:
        for module in running:
            for use in module.uses.values():
                if (module.name.text, use.name.text) not in self._mentioned:
                    message = f"{use.name.text} of {module.name.text} is not bound"
                    hint = f"bind {module.name.text} {use.name.text} SERVER INTERFACE ::"
                    self._findings.error(use.name.offset, message, hint, use.span)

    def _bind_by_names(self, running: list[Module]) -> None:
        for module in running:
            for use in module.uses.values():
                servers = [other for other in running if use.name.text in other.defines]
                if len(servers) == 1:
                    names = (module.name, use.name, servers[0].name, use.name)
                    self._join(Bind(use.span, *names), use, servers[0].defines[use.name.text])
                else:
                    there = "several modules define" if servers else "no module defines"
                    message = f"{there} the interface {use.name.text}"
                    self._findings.error(use.name.offset, message, None, use.span)


def _is_frame(module: Module) -> bool:
    """Whether the module only says what belongs together."""
    return module.holds_instances and module.source is None
