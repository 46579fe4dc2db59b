# The program's own modules may be named as modules of the library that Cord needs.
# file: work.py
import inspect
import token


def kind(text):
    return token.kind_of(text), inspect.LEVEL


def check(text):
    if not text:
        raise token.Empty(inspect.LEVEL)
    return [token.kind_of(one) for one in text]
# file: token.py
class Empty(Exception):
    pass


class Token:
    def __init__(self, kind, text):
        self.kind, self.text = kind, text


def kind_of(text):
    return "number" if text.isdigit() else "name"
# file: ast.py
from token import Token, kind_of


class Node:
    def __init__(self, tokens):
        self.tokens = tokens

    def walk(self):
        return [one.text for one in self.tokens]


def parse(source):
    return Node([Token(kind_of(word), word) for word in source.split()])
# file: inspect.py
LEVEL = 3
# file: typing.py
NAME = "mine"
# file: main.py
import ast
import inspect
import typing

import token
import work

print(typing.NAME, inspect.LEVEL)
for source in ["let x 1", "2 y", "z"]:
    node = ast.parse(source)
    print(node.walk(), [work.kind(word) for word in node.walk()], work.check(node.walk()))
try:
    work.check([])
except token.Empty as error:
    print(repr(error), type(error) is token.Empty)
print([name for name in ("ast", "token") if not hasattr(__import__(name), "mine")])
