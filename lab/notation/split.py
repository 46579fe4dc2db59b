"""The file cut into modules, statements and their attributes, by their marks alone.

What is wrong inside a piece is found when the piece is read, and spoils that piece only. What is
found here is a mark that is missing or has nothing to do where it stands.
"""

from __future__ import annotations

from typing import NamedTuple

from lark import Token

from lab.notation import grammar
from lab.notation.findings import Findings
from lab.notation.source import Source, Span


class Statement(NamedTuple):
    """One statement.

    Attributes:
        head: What stands before the first `:`.
        attributes: What stands after each `:`.
        span: All of it.
    """

    head: Span
    attributes: list[Span]
    span: Span


class Block(NamedTuple):
    """One module.

    Attributes:
        header: `module NAME`.
        statements: What stands in its braces.
        span: All of it.
    """

    header: Span
    statements: list[Statement]
    span: Span


def split(source: Source, findings: Findings) -> list[Block]:
    """The modules of a file; notes what stands outside of them, and marks that are missing."""
    return _Splitter(source, findings).blocks()


_STARTS = ("USE", "DEFINE", "INSTANCE", "BIND")
_MARKS = ("{", "}", ":", "::", "=")
_OF_MODULES = ("source", "entrypoint")


class _Splitter:
    def __init__(self, source: Source, findings: Findings) -> None:
        self._findings = findings
        self._tokens = grammar.notation().tokens(source.text)
        self._at = 0

    def blocks(self) -> list[Block]:
        blocks = []
        while self._at < len(self._tokens):
            if self._kind() == "MODULE":
                blocks.append(self._block())
            else:
                self._stray()
        return blocks

    def _kind(self, ahead: int = 0) -> str:
        """What the next token is, or one further on: its type, or its text if it is a mark."""
        at = self._at + ahead
        if at >= len(self._tokens):
            return "END"
        token = self._tokens[at]
        return str(token) if token in _MARKS else token.type

    def _stray(self) -> None:
        first = self._at
        while self._kind() not in ("MODULE", "END"):
            self._at += 1
        span = self._span(first)
        if all(str(token) == "}" for token in self._tokens[first : self._at]):
            self._findings.error(span.begin, "this `}` closes nothing", None, span)
            return
        message = "this stands outside of every module"
        self._findings.error(span.begin, message, "a module is: module NAME { ... }", span)

    def _block(self) -> Block:
        first = self._at
        self._at += 1
        while self._kind() not in ("{", "}", "::", "END", "MODULE", *_STARTS):
            if self._kind(1) == "=":
                break
            self._at += 1
        header = self._span(first)
        if self._kind() == "{":
            self._at += 1
        else:
            self._findings.error(header.end, "the `{` of this module is missing here")
        statements = []
        while self._kind() not in ("}", "END") and not self._begins_module():
            statement = self._statement()
            if statement is not None:
                statements.append(statement)
        if self._kind() == "}":
            self._at += 1
        else:
            begun = self._findings.source.place(header.begin)
            self._findings.error(
                self._end(), f"the `}}` of the module that begins at {begun} is missing here"
            )
        return Block(header, statements, self._span(first))

    def _statement(self) -> Statement | None:
        """Reads one statement with its end; None for an end by itself."""
        first = start = self._at
        pieces: list[Span] = []
        depth = 0
        while True:
            kind = self._kind()
            if kind == "::" or self._ends_unmarked(first, depth):
                break
            depth += (kind == "{") - (kind == "}")
            if kind == ":":
                pieces.append(self._span(start))
                depth, start = 0, self._at + 1
            elif self._lacks_colon(start):
                self._findings.error(self._end(), "the `:` before this attribute is missing here")
                pieces.append(self._span(start))
                depth, start = 0, self._at
            self._at += 1
        pieces.append(self._span(start))
        if kind == "::":
            self._at += 1
        else:
            self._findings.error(self._end(), "the `::` of this statement is missing here")
        if self._at - first == 1 and kind == "::":
            return None
        head, *attributes = pieces
        return Statement(head, attributes, self._span(first))

    def _ends_unmarked(self, first: int, depth: int) -> bool:
        """Whether the statement that began at `first` is over, without its `::`."""
        kind = self._kind()
        if kind == "END" or self._begins_module() or (kind == "}" and depth <= 0):
            return True
        if self._at == first:
            return False
        if kind in _STARTS:
            return True
        begins = self._kind(1) == "=" and self._kind(-1) not in (":", "::")
        of_interface = self._tokens[first].type in ("USE", "DEFINE")
        if kind == "INTERFACE":
            return begins and not of_interface
        return begins and kind == "NAME" and str(self._tokens[self._at]) in _OF_MODULES

    def _lacks_colon(self, start: int) -> bool:
        """Whether an attribute begins here, inside of another piece."""
        named = self._kind() in ("NAME", "INTERFACE")
        return named and self._at > start and self._kind(1) == "="

    def _begins_module(self) -> bool:
        return self._kind() == "MODULE" and self._kind(1) == "NAME" and self._kind(2) == "{"

    def _span(self, first: int) -> Span:
        """From the token `first` to the one before this."""
        if first >= self._at:
            end = self._end()
            return Span(end, end)
        return Span(_begin(self._tokens[first]), self._end())

    def _end(self) -> int:
        """Where the last token ends."""
        return (self._tokens[self._at - 1].end_pos or 0) if self._at else 0


def _begin(token: Token) -> int:
    return token.start_pos or 0
