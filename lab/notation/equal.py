"""The equal of an application: the tables of cord.toml, as plain data.

What most calls say stands in the table of the module; what others say differently goes into the
tables of the client or of the function that it is about.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from lab.notation import values
from lab.notation.bindings import Call, Served
from lab.notation.findings import Findings
from lab.notation.model import Interface, Setting
from lab.notation.priority import Priority, priority
from lab.notation.replication import Replication, replication

Path = tuple[str, ...]
Value = str | bool | int | list[str]
DEFAULT_STYLE = "sync"


@dataclass(slots=True)
class Table:
    """One table.

    Attributes:
        path: Its header.
        values: What it holds.
        remarks: What is to be said of some of its keys.
    """

    path: Path
    values: dict[str, Value] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)


def tables(served: Served, findings: Findings) -> list[Table]:
    """The tables for one remote module: its own first, then functions, then clients."""
    return _Equal(served, findings).tables()


class _Equal:
    def __init__(self, served: Served, findings: Findings) -> None:
        self._served = served
        self._findings = findings
        self._name = served.module.name.text
        self._functions = list(served.module.defines)
        self._tables: dict[Path, Table] = {}
        self._asks_for_pure: dict[str, Setting] = {}
        self._styles: dict[int, str] = {}
        self._usual: dict[str, str] = {}

    def tables(self) -> list[Table]:
        self._own = self._table()
        replicas = self._replicas()
        self._callstyles()
        self._pure(replicas)
        if replicas is None and "pure" in self._own.values:
            self._own.values = {"replicas": 1, **self._own.values}  # not one for each core
        self._priorities()
        self._loadratios(len(replicas.hosts) if replicas else 1)
        if replicas and replicas.links:
            self._own.values["migration"] = replicas.links
        self._own.values["only"] = self._functions
        return [table for table in self._tables.values() if table.values]

    def _table(self, client: str | None = None, function: str | None = None) -> Table:
        path: Path = ("remote", self._name)
        if client is not None:
            path = ("client", client, *path)
        if function is not None:
            path = (*path, "functions", function)
        return self._tables.setdefault(path, Table(path))

    def _defines(self, key: str) -> list[tuple[Interface, Setting]]:
        """The interfaces that have the attribute, with it."""
        defines = self._served.module.defines.values()
        return [(one, one.settings[key]) for one in defines if key in one.settings]

    def _replicas(self) -> Replication | None:
        """The replicas serve all functions of the module, so its interfaces must agree on them."""
        chosen: Replication | None = None
        for _, setting in self._defines("replication"):
            found = replication(setting, self._findings)
            if found is None:
                continue
            if chosen is None:
                chosen = found
                if len(found.hosts) > 1:
                    self._asks_for_pure = dict.fromkeys(self._functions, setting)
            elif found != chosen:
                message = f"another interface of {self._name} has other replicas"
                self._findings.error(setting.span.begin, message, None, setting.span)
        if chosen is not None:
            self._own.values["replicas"] = chosen.hosts
            self._own.remarks["replicas"] = "all on this machine"
        return chosen

    def _callstyles(self) -> None:
        calls = self._served.calls
        said = False
        for call in calls:
            setting = call.use.settings.get("callstyle")
            style = values.callstyle(setting, self._findings) if setting else None
            said = said or style is not None
            self._styles[id(call.use)] = style or DEFAULT_STYLE
            if setting and style and style != DEFAULT_STYLE:
                self._asks_for_pure.setdefault(call.function, setting)
        self._drop_contradictions()
        for function in self._functions:
            styles = [self._styles[id(call.use)] for call in calls if call.function == function]
            if styles:
                self._usual[function] = _most_common(styles)
        if not self._usual:
            return
        usual = _most_common(list(self._usual.values()))
        if said or self._asks_for_pure:
            self._own.values["callstyle"] = usual
        for function, style in self._usual.items():
            if style != usual:
                self._table(function=function).values["callstyle"] = style
        for client in dict.fromkeys(call.client for call in calls):
            self._client_style(client, usual)

    def _drop_contradictions(self) -> None:
        """One client calls one function in one style, whatever it calls it."""
        first: dict[tuple[str, str], Call] = {}
        for call in self._served.calls:
            known = first.setdefault((call.client, call.function), call)
            if self._styles[id(known.use)] != self._styles[id(call.use)]:
                self._styles[id(call.use)] = self._styles[id(known.use)]
                other = self._findings.source.place(known.use.span.begin)
                message = f"{call.client} calls {call.function} in another style at {other}"
                self._findings.error(call.use.name.offset, message, None, call.use.span)

    def _client_style(self, client: str, usual: str) -> None:
        styles = {
            call.function: self._styles[id(call.use)]
            for call in self._served.calls
            if call.client == client
        }
        if all(style == self._usual[function] for function, style in styles.items()):
            return
        if len(set(styles.values())) == 1 and all(self._usual[one] == usual for one in styles):
            self._table(client).values["callstyle"] = next(iter(styles.values()))
            return
        for function, style in styles.items():
            if style != self._usual[function]:
                self._table(client, function).values["callstyle"] = style

    def _pure(self, replicas: Replication | None) -> None:
        """Says `pure` where the file takes it for granted, and that it does."""
        everywhere = len(self._asks_for_pure) == len(self._functions)
        for function in self._asks_for_pure:
            table = self._own if everywhere else self._table(function=function)
            table.values["pure"] = True
            table.remarks["pure"] = "taken for granted: see what cord check says"
        several = replicas is not None and len(replicas.hosts) > 1
        told: set[int] = set()
        for function, setting in self._asks_for_pure.items():
            if setting.span.begin not in told:
                told.add(setting.span.begin)
                why = "more than one replica" if several else "an asynchronous style"
                what = self._name if several else f"{function} of {self._name}"
                self._findings.note(
                    setting.span.begin,
                    f"{why} needs functions without effects, so pure = true is written for {what}",
                    "cord check says what speaks against it",
                )

    def _priorities(self) -> None:
        for define, setting in self._defines("priority"):
            pattern = define.settings.get("pattern")
            found = priority(setting, pattern.types if pattern else None, self._findings)
            if found is None:
                continue
            single = len(self._functions) == 1
            table = self._own if single else self._table(function=define.name.text)
            table.values["priority"] = found.text
            self._remark_names(table, found, define, setting)

    def _remark_names(
        self, table: Table, found: Priority, define: Interface, setting: Setting
    ) -> None:
        if not found.names:
            return
        function = f"{self._name}.{define.name.text}"
        names = " and ".join(found.names)
        one = len(found.names) == 1
        meaning = (
            f"stands for a parameter of {function}" if one else f"are parameters of {function}"
        )
        names_in_python = "the name that it has" if one else "the names that they have"
        table.remarks["priority"] = f"{names} {meaning}: write {names_in_python}"
        self._findings.note(
            setting.span.begin,
            f"{names} in this priority {meaning}",
            f"write {names_in_python} in Python",
        )

    def _loadratios(self, replicas: int) -> None:
        """Shares hold for a module, or for all that one client calls of it."""
        by_client: dict[str, list[tuple[str | None, Interface]]] = {}
        for call in self._served.calls:
            ratio = self._loadratio(call.use, replicas)
            by_client.setdefault(call.client, []).append((ratio, call.use))
        ratios: dict[str, str | None] = {}
        for client, found in by_client.items():
            ratios[client] = found[0][0]
            for ratio, use in found[1:]:
                if ratio != ratios[client]:
                    message = f"{client} calls {self._name} in other shares elsewhere"
                    hint = "loadratio is for all functions of a module"
                    setting = use.settings.get("loadratio")
                    place = setting.span if setting else use.span
                    self._findings.error(place.begin, message, hint, place)
        said = [ratio for ratio in ratios.values() if ratio is not None]
        usual = _most_common(said) if said and len(said) == len(ratios) else None
        if usual is not None:
            self._own.values["loadratio"] = usual
        for client, own in ratios.items():
            if own is not None and own != usual:
                self._table(client).values["loadratio"] = own

    def _loadratio(self, use: Interface, replicas: int) -> str | None:
        setting = use.settings.get("loadratio")
        ratio = values.loadratio(setting, self._findings) if setting else None
        if setting is None or ratio is None:
            return None
        shares = ratio.count(":") + 1
        if shares == replicas:
            return ratio
        many = f"{shares} shares" if shares > 1 else "1 share"
        message = f"loadratio has {many}, and {self._name} {_counted(replicas)}"
        hint = f"replication of {self._name} names its replicas"
        self._findings.error(setting.strings[0].begin, message, hint, setting.span)
        return None


def _counted(replicas: int) -> str:
    return "1 replica" if replicas == 1 else f"{replicas} replicas"


def _most_common(items: list[str]) -> str:
    """The item that is there most often; of several, the first."""
    return Counter(items).most_common(1)[0][0]
