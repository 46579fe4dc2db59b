"""Modules read into plain data, statement by statement."""

from __future__ import annotations

from keyword import iskeyword

from lark import Token, Tree

from cord.plan.problems import did_you_mean, listing
from cord.plan.values import is_dotted_name
from lab.notation import grammar
from lab.notation.findings import Findings
from lab.notation.model import Bind, Instance, Interface, Module, Name, Setting
from lab.notation.source import Source, Span, unquoted
from lab.notation.split import Block, Statement, split

_TYPES = "Python functions say their types themselves"
_STREAMS = "a Python module needs none"
_ATTRIBUTES = {
    "use": ("callstyle", "loadratio", "pattern", "accepts", "interface"),
    "define": ("priority", "replication", "pattern", "returns", "interface"),
    "instance": ("standalone",),
}
_NO_EQUAL = {
    "pattern": _TYPES,
    "accepts": _TYPES,
    "returns": _TYPES,
    "interface": _STREAMS,
    "standalone": "Cord starts and ends the replicas itself",
}
_INTERFACES = ("null", "stdio")
_PLACES = ("local", "remote")


def read(source: Source, findings: Findings) -> list[Module]:
    """The modules of a file, by what stands in it; what cannot be read is noted and left out."""
    modules: dict[str, Module] = {}
    for block in split(source, findings):
        module = _Reader(source, findings).module(block)
        if module is None:
            continue
        first = modules.setdefault(module.name.text, module)
        if first is not module:
            told = f"there is a module {module.name.text} already at"
            place = source.place(first.name.offset)
            findings.error(module.name.offset, f"{told} {place}", None, module.span)
    return list(modules.values())


class _Reader:
    """Reads one module."""

    def __init__(self, source: Source, findings: Findings) -> None:
        self._source = source
        self._findings = findings

    def module(self, block: Block) -> Module | None:
        header = self._parse(block.header, "module", kept=block.span)
        if header is None:
            return None
        name = _name(header.children[0], block.header)
        if not _is_python_name(name.text):
            message = f"{name.text} cannot be the name of a Python module"
            self._findings.error(name.offset, message, None, block.span)
            return None
        module = Module(name, block.span)
        for statement in block.statements:
            self._statement(module, statement)
        return module

    def _parse(self, span: Span, start: str, kept: Span) -> Tree[Token] | None:
        try:
            return grammar.notation().parse(self._source.text[span.begin : span.end], start)
        except grammar.Unreadable as unreadable:
            offset = span.begin + unreadable.position
            self._findings.error(offset, unreadable.message, None, kept)
            return None

    def _statement(self, module: Module, statement: Statement) -> None:
        head = self._parse(statement.head, "head", kept=statement.span)
        if head is None:
            return
        if head.data == "head":
            (tree,) = head.children
            setting = _setting(tree, statement.head)
            self._attributes(statement, setting.name)
            self._setting(module, setting, statement.span)
            return
        names = [_name(token, statement.head) for token in head.children]
        if head.data == "bind":
            self._attributes(statement, "bind")
            module.binds.append(Bind(statement.span, *names))
        elif head.data == "instance":
            self._instance(module, names[0], statement)
        else:
            self._interface(module, str(head.data), names[0], statement)

    def _interface(self, module: Module, kind: str, name: Name, statement: Statement) -> None:
        known = module.uses if kind == "use" else module.defines
        interface = Interface(name, statement.span)
        if name.text in known:
            self._twice(f"{kind} interface {name.text}", known[name.text].name, name, statement)
            return
        if kind == "define" and not (name.text.isidentifier() and _is_python_name(name.text)):
            message = f"{name.text} cannot be the name of a Python function"
            self._findings.error(name.offset, message, None, statement.span)
            return
        known[name.text] = interface
        for setting in self._attributes(statement, kind):
            if setting.name in interface.settings:
                message = f"{setting.name} is there twice"
                self._findings.error(setting.span.begin, message, None, setting.span)
            else:
                interface.settings[setting.name] = setting

    def _instance(self, module: Module, name: Name, statement: Statement) -> None:
        if name.text in module.instances:
            self._twice(f"instance {name.text}", module.instances[name.text].name, name, statement)
            return
        module.instances[name.text] = Instance(name, statement.span)
        self._attributes(statement, "instance")

    def _twice(self, what: str, first: Name, name: Name, statement: Statement) -> None:
        message = f"{what} is there already at {self._source.place(first.offset)}"
        self._findings.error(name.offset, message, None, statement.span)

    def _attributes(self, statement: Statement, kind: str) -> list[Setting]:
        """The attributes that a statement of this kind may have, and has."""
        settings = []
        for span in statement.attributes:
            tree = self._parse(span, "attribute", kept=span)
            if tree is None:
                continue
            (child,) = tree.children
            if isinstance(child, Token):
                setting = Setting(str(child), span)
            else:
                setting = _setting(child, span)
            if setting.name not in _ATTRIBUTES.get(kind, ()):
                self._unknown_attribute(setting, kind)
            elif self._holds_what_it_should(setting):
                settings.append(setting)
        return settings

    def _unknown_attribute(self, setting: Setting, kind: str) -> None:
        name = setting.name
        homes = [home for home, names in _ATTRIBUTES.items() if name in names]
        known = _ATTRIBUTES.get(kind, ())
        message = f"{name} is not an attribute of {kind}"
        if known:
            message += f", which may have {listing(known)}"
        hint = f"{name} belongs to {listing(homes)}" if homes else did_you_mean(name, known)
        self._findings.error(setting.span.begin, message, hint, setting.span)

    def _holds_what_it_should(self, setting: Setting) -> bool:
        """Checks the kind of an attribute's value, and notes what has no equal."""
        name, offset = setting.name, setting.span.begin
        if name == "standalone":
            wanted, right = f"{name} by itself", not setting.strings and setting.types is None
        elif name in ("pattern", "accepts", "returns"):
            wanted, right = "a set of types", setting.types is not None
        else:
            wanted, right = "one string", len(setting.strings) == 1
        if not right:
            self._findings.error(offset, f"{name} takes {wanted}", _EXAMPLES[name], setting.span)
        elif name == "interface":
            self._stream(setting, setting.span)
        elif name in _NO_EQUAL:
            self._findings.note(
                offset, f"{name} has no equal: {_NO_EQUAL[name]}", None, setting.span
            )
        return right

    def _stream(self, setting: Setting, kept: Span) -> None:
        value = setting.strings[0].value
        if value in _INTERFACES:
            message = f"interface has no equal: {_STREAMS}"
            self._findings.note(setting.span.begin, message, None, kept)
            return
        message = f'interface is "{value}"; allowed: "null" or "stdio"'
        hint = did_you_mean(value, _INTERFACES)
        self._findings.error(setting.strings[0].begin, message, hint, kept)

    def _setting(self, module: Module, setting: Setting, span: Span) -> None:
        """Reads a statement `name = value`."""
        name, offset = setting.name, setting.span.begin
        known = {"source": module.source, "entrypoint": module.entrypoint}.get(name)
        wanted = {"source": 2, "entrypoint": 1, "interface": 1}.get(name)
        if wanted is None:
            message = f"{name} is not a statement of a module"
            hint = did_you_mean(name, ("source", "entrypoint", "interface"))
            homes = [home for home, names in _ATTRIBUTES.items() if name in names]
            if homes:
                hint = f"as an attribute of {listing(homes)} it stands after a `:`"
            self._findings.error(offset, message, hint, span)
        elif known is not None:
            first = self._source.place(known.span.begin)
            self._findings.error(offset, f"{name} is there already at {first}", None, span)
        elif len(setting.strings) != wanted:
            module.source = setting if name == "source" else module.source
            message = f"{name} takes {'two strings' if wanted == 2 else 'one string'}"
            self._findings.error(offset, message, _EXAMPLES[name], span)
        elif name == "interface":
            self._stream(setting, span)
        elif name == "source":
            self._source_of(module, setting, span)
        else:
            module.entrypoint = setting
            message = "entrypoint has no equal: the program is given to cord run"
            self._findings.note(offset, message, None, span)

    def _source_of(self, module: Module, setting: Setting, span: Span) -> None:
        module.source = setting
        language, place = setting.strings
        if place.value not in _PLACES:
            message = f'the place of a source is "{place.value}"; allowed: "local" or "remote"'
            hint = did_you_mean(place.value, _PLACES)
            self._findings.error(place.begin, message, hint, span)
            return
        module.place = place.value
        if not language.value.lower().startswith("python"):
            message = f'the language "{language.value}" has no equal: Cord\'s modules are Python'
            self._findings.note(language.begin, message, None, span)


_EXAMPLES = {
    "source": 'for example source = "C" "remote" ::',
    "entrypoint": 'for example entrypoint = "main" ::',
    "interface": 'for example interface = "null"',
    "standalone": "for example instance scorer : standalone ::",
    "pattern": "for example pattern = { string integer }",
    "accepts": "for example accepts = { float }",
    "returns": "for example returns = { float }",
    "callstyle": 'for example callstyle = "async"',
    "loadratio": 'for example loadratio = "1:1:1"',
    "priority": 'for example priority = "strlen(x)"',
    "replication": 'for example replication = "ant,bee"',
}


def _is_python_name(text: str) -> bool:
    return is_dotted_name(text) and not any(iskeyword(part) for part in text.split("."))


def _name(token: Token | Tree[Token], within: Span) -> Name:
    assert isinstance(token, Token)
    return Name(str(token), within.begin + (token.start_pos or 0))


def _setting(tree: Token | Tree[Token], span: Span) -> Setting:
    assert isinstance(tree, Tree)
    name, value = tree.children
    assert isinstance(value, Tree)
    if value.data == "types":
        return Setting(str(name), span, types=tuple(_types(value)))
    tokens = [token for token in value.children if isinstance(token, Token)]
    texts = tuple(unquoted(token, span.begin + (token.start_pos or 0)) for token in tokens)
    return Setting(str(name), span, strings=texts)


def _types(tree: Tree[Token]) -> list[str]:
    """The types of a set, with the braces of the sets in it."""
    words: list[str] = []
    waiting: list[Token | Tree[Token]] = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Tree):
            waiting += reversed(part.children)
        elif part != ",":
            words.append(str(part))
    return words[1:-1]
