"""cord.toml as a tree of entries, each of which knows where it was written.

`--set KEY=VALUE` on the command line becomes such a tree too, and trees are laid over one another.
So everything after this file treats the file, its variants and settings alike.
"""

from __future__ import annotations

import os

from cord._core import parse_document
from cord.errors import PlanError
from cord.fixed import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord._core import _RawEntry
    from cord.plan.problems import Problems


class Place:
    """Where an entry was written: `cord.toml:3:12`, or `--set KEY=VALUE`."""

    __slots__ = ("order", "text")

    def __init__(self, text: str, order: tuple[int, int, int]) -> None:
        self.text = text
        self.order = order

    def __str__(self) -> str:
        return self.text


class Entry(Value):
    """One key with its value, or one element of an array.

    Attributes:
        kind: "string", "integer", "float", "boolean", "datetime", "array" or "table".
        value: A Python value; a dict of entries for a table, a list of them for an array.
        place: Where the value stands.
        key_place: Where the key stands.
    """

    kind: str
    value: Any
    place: Place
    key_place: Place


class _Source:
    """One text that entries come from: the file, or one `--set`."""

    def __init__(self, text: str, rank: int, *, numbered: bool) -> None:
        self._text = text
        self._rank = rank
        self._numbered = numbered

    def place(self, line: int, column: int) -> Place:
        text = f"{self._text}:{line}:{column}" if self._numbered else self._text
        return Place(text, (self._rank, line, column))

    def entry(self, raw: _RawEntry) -> Entry:
        kind, value, line, column, key_line, key_column = raw
        if kind == "table":
            value = self.table(value)
        elif kind == "array":
            value = [self.entry(element) for element in value]
        return Entry(kind, value, self.place(line, column), self.place(key_line, key_column))

    def table(self, raw: dict[str, _RawEntry]) -> dict[str, Entry]:
        return {name: self.entry(entry) for name, entry in raw.items()}


def load(path: str) -> Entry:
    """The whole file at `path`, as the entry of its top-level table.

    Raises:
        PlanError: The file cannot be read, is not UTF-8, or is not TOML.
    """
    return parse(read_text(path, "the plan"), path)


def parse(text: str, path: str) -> Entry:
    """The plan in `text`, as the entry of its top-level table; `path` is what messages call it.

    Raises:
        PlanError: It is not TOML.
    """
    source = _Source(path, 0, numbered=True)
    try:
        raw = parse_document(text)
    except ValueError as error:
        raise _not_toml(path, text, error) from None
    start = source.place(1, 1)
    return Entry("table", source.table(raw), start, start)


def read_text(path: str, what: str) -> str:
    """The text in the file at `path`, which messages call `what`.

    Raises:
        PlanError: It cannot be read, or is not UTF-8.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        from cord.plan.problems import similar_file

        inside = os.path.join(path, "cord.toml")
        hint = f"name the file: {inside}" if os.path.exists(inside) else similar_file(path)
        raise PlanError(f"{what} {path} cannot be read: {error.strerror}", hint) from None
    try:
        return content.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PlanError(
            f"{path}:{line}: {what} is not UTF-8 text (byte 0x{content[error.start]:02x})",
            "save the file in UTF-8",
        ) from None


def _not_toml(path: str, text: str, error: ValueError) -> PlanError:
    message, line, column = error.args
    lines = text.split("\n")
    shown = lines[line - 1].rstrip("\r") if line <= len(lines) else ""
    column = min(column, len(shown) + 1)
    hint = None
    if message.startswith("string values must be quoted"):
        if shown[column - 1 :].strip():
            message, hint = "not a value", 'text must be quoted: callstyle = "async"'
        else:
            message, hint = "the value is missing", "write one, or take the line out"
    elif message == "duplicate key":
        message = "this key or table is there twice"
        hint = "take one of the two out, and write what is left of it under the other"
    elif message.startswith("unclosed"):
        hint = f"{message.partition('expected ')[2] or 'its end'} is missing here"
    elif message.startswith("invalid unquoted key"):
        hint = 'a name with other signs than letters, digits, "-" and "_" must be quoted'
    # A tab before the caret keeps it under its column whatever the terminal's tab width is.
    margin = "".join(sign if sign == "\t" else " " for sign in shown[: column - 1])
    number = str(line)
    picture = f"  {number} | {shown}\n  {' ' * len(number)} | {margin}^"
    return PlanError(f"{path}:{line}:{column}: not TOML: {message}\n\n{picture}", hint)


def setting(text: str, number: int, problems: Problems) -> Entry:
    """One `--set KEY=VALUE`, as the top-level table of a file that holds nothing else.

    Args:
        text: The text after `--set`. VALUE is TOML; what is not TOML is taken as a string.
        number: How many settings came before it, which orders the messages.
        problems: Where a setting that is not KEY=VALUE is reported; the table is empty then.
    """
    shown = text if len(text) <= 60 else text[:57] + "..."
    source = _Source(f"--set {shown}", number + 1, numbered=False)
    place = source.place(1, 1)
    entries: dict[str, Entry] = {}
    try:
        entries = source.table(_assignment(text))
    except _BadSetting as bad:
        problems.add(place, *bad.args)
    return Entry("table", entries, place, place)


class _BadSetting(Exception):
    """A `--set` that is not KEY=VALUE; its arguments are the message and the hint."""


def _assignment(text: str) -> dict[str, _RawEntry]:
    hint = "for example --set remote.compare.replicas=8"
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise _BadSetting("KEY=VALUE is expected", hint)
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        # Bytes on the command line that are no text in its encoding.
        raise _BadSetting("the setting is not text", hint)
    if "\n" in text or "\r" in text:
        raise _BadSetting("one KEY=VALUE is expected, not several lines", hint)
    try:
        parse_document(f"{key} = 0")
    except ValueError as error:
        raise _BadSetting(f"{key.strip()} is not a key: {error.args[0]}", hint) from None
    try:
        return parse_document(f"{key} = {value}")
    except ValueError as error:
        word = value.strip()
        # What starts like TOML is meant as TOML; anything else is a word such as async.
        if word[0] in "\"'[{":
            message = f"the value is not TOML: {error.args[0]}"
            raise _BadSetting(message, "the shell takes quotes away: quote it all") from None
        return parse_document(f"{key} = {quoted(word)}")


def merged(base: Entry, over: Entry) -> Entry:
    """The table `base` with the table `over` laid over it; neither is changed.

    A table is added to the one that it meets, anything else replaces what it meets. Every entry
    keeps the place where it was written; a table that both have keeps that in `base`.
    """
    entries = dict(base.value)
    for name, entry in over.value.items():
        old = entries.get(name)
        if old is not None and old.kind == entry.kind == "table":
            entries[name] = merged(old, entry)
        else:
            entries[name] = entry
    return Entry("table", entries, base.place, base.key_place)


def key_text(path: tuple[str, ...]) -> str:
    """The full key as TOML writes it: `remote."pkg.mod".replicas`."""
    return ".".join(part if _is_bare(part) else quoted(part) for part in path)


def _is_bare(name: str) -> bool:
    return name.isascii() and name.replace("-", "_").isidentifier()


def quoted(text: str) -> str:
    """The text as a string in TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    signs = (sign if " " <= sign != "\x7f" else f"\\u{ord(sign):04x}" for sign in escaped)
    return f'"{"".join(signs)}"'


def found(entry: Entry) -> str:
    """The value as a message shows it, in TOML's notation and not too long."""
    if entry.kind == "table":
        return "a table"
    text = _toml(entry)
    if len(text) > 60:
        return f"{text[:57]}..."
    return text


def _toml(entry: Entry) -> str:
    if entry.kind == "string":
        return quoted(entry.value)
    if entry.kind == "boolean":
        return "true" if entry.value else "false"
    if entry.kind == "array":
        return f"[{', '.join(_toml(element) for element in entry.value)}]"
    if entry.kind == "table":
        return "{...}"
    return str(entry.value)
