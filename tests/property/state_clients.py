"""Random programs that change the state of modules between calls: a number gives one program.

Names, defaults, closures, attributes of classes and what containers hold lead to the same objects;
the program changes these in place, binds them anew and puts one into the other. Remote functions
return what they find. `make property N=... SEED=... HOW=--state` runs any number.
"""

from __future__ import annotations

from random import Random

from program_case import Case

Lines = list[str]

HELPER = """\
things = [0]
table = {"q": things}


def look():
    return show(things), sorted(table)


def show(value):
    if type(value).__name__ == "Box":
        held = sorted((name, show(one)) for name, one in vars(value).items() if name != "v")
        return "Box", value.v, held
    if isinstance(value, dict):
        return [(name, show(one)) for name, one in value.items()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(show, value)]
    if isinstance(value, set):
        return sorted(map(repr, value))
    return "a function" if callable(value) else repr(value)
"""
WORK = """\
import helper
from helper import show


class Box:
    shared = None

    def __init__(self, v=0):
        self.v = v
        self.kids = []

    def total(self):
        return self.v + len(self.kids)

"""
MAIN = '''\
import helper
import work


def leads(one, other, depth=0):
    """Whether one object leads to another."""
    if one is other or depth > 6:
        return True
    if isinstance(one, (list, tuple)):
        held = one
    elif isinstance(one, dict):
        held = one.values()
    else:
        held = vars(one).values() if isinstance(one, work.Box) else ()
    return any(leads(each, other, depth + 1) for each in held)


def change(thing, value, how):
    """Change something in place."""
    value = 0 if leads(value, thing) else value
    if isinstance(thing, list):
        if how == 0:
            thing.append(value)
        elif how == 1 and thing:
            thing.pop()
        elif how == 2:
            thing.clear()
        elif thing and isinstance(thing[0], list):
            thing[0].append(how)
        else:
            thing.insert(0, how)
    elif isinstance(thing, dict):
        if how < 2:
            thing[f"n{how}"] = value
        elif how == 2:
            thing.clear()
        elif isinstance(thing.get("a"), list):
            thing["a"].append(how)
        else:
            thing["m"] = how
    elif isinstance(thing, set):
        thing.add(how)
    elif isinstance(thing, tuple) and isinstance(thing[0], list):
        thing[0].append(how)
    elif isinstance(thing, work.Box):
        if how == 0:
            thing.kids.append(value)
        elif how == 1:
            thing.extra = value
        elif how == 2:
            thing.kids.clear()
        else:
            thing.v += how


'''
VALUES = {
    "list": "[1]",
    "dict": "{'a': [0], 'b': 1}",
    "box": "Box(1)",
    "number": "3",
    "nested": "[[1], {'k': [2]}]",
    "set": "{1}",
    "tuple": "([1], 2)",
}
FRESH = ("[7]", "{'z': [1]}", "5", "'t'", "[[3], 4]", "(1, [2])")
# What a function may read besides names: $o stands for a name, $n for its number.
READS = {
    "names": ("", "", ""),
    "default": ("", ", o=$o", "show(o), "),
    "named": ("", ", *, o=($o, [1])", "show(o), "),
    "closure": (
        "def make$n(o):\n    def inner():\n        return show(o)\n    return inner\n\n\n"
        "inner$n = make$n($o)\n\n\n",
        "",
        "inner$n(), ",
    ),
    "class": ("", "", "show(Box.shared), Box(2).total(), "),
    "helper": ("", "", "helper.look(), "),
    "static": (
        "class Kept$n:\n    table = $o\n\n    @staticmethod\n    def get():\n"
        "        return show(Kept$n.table)\n\n\n",
        "",
        "Kept$n.get(), ",
    ),
    "same": ("", "", "S0 is S1, S1 is $o, "),
}


class StateClient:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"state {seed}")
        self.names = [f"S{number}" for number in range(self.random.randint(2, 5))]
        self.functions = [
            (f"f{number}", self.random.choice(list(READS)))
            for number in range(self.random.randint(2, 4))
        ]

    def work(self) -> str:
        """The remote module."""
        choose, text = self.random.choice, WORK
        for number, name in enumerate(self.names):
            is_alias = number and self.random.random() < 0.15
            text += f"{name} = {choose(self.names[:number] if is_alias else [*VALUES.values()])}\n"
        for number, (name, kind) in enumerate(self.functions):
            before, parameter, read = READS[kind]
            shown = self.random.sample(self.names, self.random.randint(1, min(3, len(self.names))))
            body = ", ".join(f"show({one})" for one in shown)
            made = f"\n\n{before}def {name}(x{parameter}):\n    return x, {read}{body}\n"
            text += made.replace("$n", str(number)).replace("$o", choose(self.names))
        return text

    def main(self) -> str:
        """The program."""
        body: Lines = []
        for _ in range(self.random.randint(4, 10)):
            body += [self._change()] if self.random.random() < 0.55 else self._calls()
        body += [f"print(work.{name}(9))" for name, _ in self.functions]
        return MAIN + "\n".join(body) + "\n"

    def plan(self) -> str:
        """What the plan says."""
        lines = ["[remote.work]", "pure = true", "inline = false"]
        lines += ["replicas = 3"] if self.random.random() < 0.3 else []
        return "\n".join([*lines, ""])

    def _calls(self) -> Lines:
        name, kind = self.random.choice(self.functions)
        chance, number = self.random.random(), self.random.randint(0, 3)
        if chance < 0.2:
            loop = f"for i in range({self.random.randint(2, 3)}):"
            return [loop, f"    print(work.{name}(i))", f"    {self._change()}"]
        more = f", {self._value()}" if chance < 0.35 and kind == "default" else ""
        return [f"print(work.{name}({number}{more}))"]

    def _value(self) -> str:
        chance = self.random.random()
        if chance < 0.35:
            return f"work.{self.random.choice(self.names)}"
        if chance < 0.45:
            return "helper.things"
        if chance < 0.55:
            return f"work.Box({self.random.randint(0, 9)})"
        return self.random.choice(FRESH)

    def _change(self) -> str:
        name, value = self.random.choice(self.names), self._value()
        number, chance = self.random.randint(0, 9), self.random.random()
        defaults = [name for name, kind in self.functions if kind == "default"]
        if chance < 0.2:
            return f"work.{name} = {value}"
        if chance < 0.27:
            return f"helper.things.append({number})"
        if chance < 0.31:
            return f"work.Box.shared = {value}"
        if chance < 0.35:
            return f"helper.things = {self.random.choice(('[3]', 'work.S0'))}"
        if chance < 0.38:
            return f"work.Box.total = lambda self: {number}"
        if chance < 0.42 and defaults:
            return f"work.{self.random.choice(defaults)}.__defaults__ = ({value},)"
        return f"change(work.{name}, {value}, {number % 6})"


def make_case(seed: int) -> Case:
    """The program of this number."""
    client = StateClient(seed)
    files = {"work.py": client.work(), "helper.py": HELPER, "main.py": client.main()}
    about = "The state of modules changes between calls."
    return Case(f"state {seed}", about, {}, {"cord.toml": client.plan(), **files})
