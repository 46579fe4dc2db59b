"""The grammars, for lark: the notation, what replication holds, and expressions in C."""

from __future__ import annotations

from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from cord.plan.problems import listing

_NOTATION = r"""
module: "module" NAME

head: "use" "interface" NAME      -> use
    | "define" "interface" NAME   -> define
    | "instance" NAME             -> instance
    | "bind" NAME NAME NAME NAME  -> bind
    | setting
attribute: setting | NAME
?setting: (NAME | INTERFACE) "=" value
?value: strings | types
strings: STRING+
!types: "{" (NAME | NUMBER | "," | types)* "}"
elsewhere: ":" | "::" | OPEN_STRING | OPEN_COMMENT | OTHER

INTERFACE: "interface"
NAME: /[^\W\d][\w.-]*/
NUMBER: /\d[\w.]*/

// A string may go over several lines, but not into what looks like the next statement: so one that
// is not closed spoils its own statement only.
STRING.2: "\"" (/\\[\s\S]/ | /\n/ _NO_MARK _NO_SETTING | /(?!::)[^"\\\n]/)* "\""
_NO_MARK: /(?![^\S\n]*(\}|:(?!\[)|(module|use|define|instance|bind)\s))/
_NO_SETTING: /(?![^\S\n]*(source|entrypoint|interface)\s*=)/
OPEN_STRING.1: /"((?!::)[^"\n])*/
COMMENT.2: /\/\*[\s\S]*?\*\/|\/\/[^\n]*|#[^\n]*/
OPEN_COMMENT.1: /\/\*[\s\S]*/
OTHER.-1: /\S/
%ignore COMMENT
%ignore /\s+/
"""

_REPLICATION = r"""
item: HOST | link
link: side "#" side ":" "[" fraction "]"
side: HOST ["(" [condition ((","|";")? condition)*] ")"]
condition: WORD "=" "(" WORD COMPARISON NUMBER ")"
fraction: NUMBER ["/" NUMBER]

HOST: /\w[\w.-]*/
WORD: /[a-z]\w*/i
NUMBER: /\d+(\.\d+)?|\.\d+/
COMPARISON: /[<>=!]=?/
%ignore /\s+/
"""

# The precedence of C, from the loosest to the tightest.
_EXPRESSION = r"""
?expression: any | any "?" expression ":" expression -> choice
?any: all | any OR all               -> logical
?all: bits | all AND bits            -> logical
?bits: odd_bits | bits "|" odd_bits  -> bit_or
?odd_bits: both_bits | odd_bits "^" both_bits -> bit_xor
?both_bits: equal | both_bits "&" equal -> bit_and
?equal: order | equal EQUALITY order -> compare
?order: shift | order ORDER shift    -> compare
?shift: sum | shift _LEFT sum -> shift_left | shift _RIGHT sum -> shift_right
?sum: product | sum "+" product -> add | sum "-" product -> subtract
?product: unary | product "*" unary -> multiply | product DIVIDE unary -> divide
    | product MODULO unary -> modulo
?unary: postfix | "-" unary -> minus | "+" unary -> plus | "~" unary -> invert | "!" unary -> not_
    | "(" TYPE+ ")" unary -> cast
?postfix: primary | postfix "[" expression "]" -> index
    | postfix ("." | "->") NAME -> field
?primary: NAME -> name | NUMBER -> number | CHARACTER -> character
    | NAME "(" [expression ("," expression)*] ")" -> call
    | "(" expression ")"

_LEFT.2: "<<"
_RIGHT.2: ">>"
OR: "||"
AND: "&&"
EQUALITY: "==" | "!="
ORDER: "<=" | ">=" | "<" | ">"
DIVIDE: "/"
MODULO: "%"
TYPE.2: /(unsigned|signed|short|long|int|char|float|double)\b/
NAME: /[a-z_]\w*/i
NUMBER: /0x[0-9a-f]+[ul]*|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[ulf]*/i
CHARACTER: /'(\\.|[^'\\\n])'/
%ignore /\s+/
"""

_WORDS = {
    "NAME": "a name",
    "STRING": "a string",
    "NUMBER": "a number",
    "HOST": "a host",
    "WORD": "a condition",
    "COMPARISON": "a comparison",
    "CHARACTER": "a character",
    "TYPE": "a type",
}
_NOT_CLOSED = {
    "OPEN_STRING": "the string that begins here is not closed",
    "OPEN_COMMENT": "the comment that begins here is not closed",
}
_TELLING = 5  # an error lists what may stand in a place if it is no more than this


class Unreadable(Exception):
    """A text that a grammar does not accept.

    Attributes:
        position: Where in that text.
        message: A sentence that says why.
    """

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position
        self.message = message


class Grammar:
    """One grammar.

    Args:
        rules: In lark's notation.
        starts: The rules that a text can be read by.
        lexer: How lark tells tokens: "basic" by their looks, "contextual" by what may follow.
    """

    def __init__(self, rules: str, starts: list[str], lexer: str) -> None:
        self._lark = Lark(
            rules,
            parser="lalr",
            lexer=lexer,
            start=starts,
            propagate_positions=True,
            maybe_placeholders=False,
        )
        self._fixed = {
            terminal.name: f"`{terminal.pattern.value}`"
            for terminal in self._lark.terminals
            if terminal.pattern.type == "str"
        }

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text that is not read as a whole."""
        return list(self._lark.lex(text))

    def parse(self, text: str, start: str) -> Tree[Token]:
        """Reads a text by the rule `start`.

        Raises:
            Unreadable: It does not fit.
        """
        try:
            return self._lark.parse(text, start=start)
        except UnexpectedInput as error:
            raise self._unreadable(text, error) from None
        except RecursionError:
            raise Unreadable(0, "this is nested too deeply") from None

    def _unreadable(self, text: str, error: UnexpectedInput) -> Unreadable:
        if isinstance(error, UnexpectedToken):
            token, position = error.token, error.token.start_pos or 0
            expected = self._told(set(error.accepts or error.expected))
            if token.type == "$END":
                return Unreadable(len(text.rstrip()), f"{expected or 'something'} is missing here")
            if token.type in _NOT_CLOSED:
                return Unreadable(position, _NOT_CLOSED[token.type])
            found = _shown(token)
        else:
            assert isinstance(error, UnexpectedCharacters)
            position, expected = error.pos_in_stream or 0, self._told(set(error.allowed or ()))
            found = _shown(text[position])
        told = f"; {expected} is expected" if expected else ""
        return Unreadable(position, f"{found} cannot stand here{told}")

    def _told(self, expected: set[str]) -> str:
        """What is expected as a phrase; nothing where it would be too long to help."""
        names = {self._name(terminal) for terminal in expected - {"$END"}}
        return listing(sorted(names), "or") if 0 < len(names) <= _TELLING else ""

    def _name(self, terminal: str) -> str:
        return self._fixed.get(terminal) or _WORDS.get(terminal, terminal.lower())


def _shown(text: str) -> str:
    short = text if len(text) <= 30 else f"{text[:27]}..."
    return f"`{short}`" if short.isprintable() else ascii(short)


@cache
def notation() -> Grammar:
    """Statements and attributes, each by itself; it gives tokens of the whole file too."""
    return Grammar(_NOTATION, ["module", "head", "attribute", "elsewhere"], "basic")


@cache
def replication() -> Grammar:
    """One host, or one migration expression."""
    return Grammar(_REPLICATION, ["item"], "contextual")


@cache
def expression() -> Grammar:
    """An expression in C."""
    return Grammar(_EXPRESSION, ["expression"], "contextual")
