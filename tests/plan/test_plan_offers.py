"""Functions that a module offers and others define, methods of classes, functions in variables."""

from __future__ import annotations

from pathlib import Path

import pytest

FILES = {
    "shop/__init__.py": "from ._cart import total, Basket\nfrom .prices import *\n"
    "from math import sqrt\n",
    "shop/_cart.py": "from json import dumps\ndef total(x): ...\nclass Basket: ...\n",
    "shop/prices.py": "from ._cart import total as sum_up\n__all__ = ['quote', 'sum_up', 'items']\n"
    "def quote(x): ...\ndef hidden(x): ...\ndef items():\n    yield 1\n",
    "listed.py": "from shop import quote, total\nfrom math import sqrt, pi\nfrom gone import lost\n"
    "__all__ = ['total', 'sqrt', 'lost']\n",
    "plain_script_helper.py": "from shop import quote\ndef own(x): ...\n",
    "round_a.py": "from round_b import f\n__all__ = ['f']\n",
    "round_b.py": "from round_a import f\n",
    "model.py": """\
from functools import partial, cached_property
from abc import abstractmethod
TABLE = {}
def scale(factor, x): ...
half = partial(scale, 0.5)
class Client:
    def complete(self, prompt): ...
    @staticmethod
    def tokens(text): ...
    @classmethod
    def named(cls, name): ...
    @property
    def limit(self): ...
    @cached_property
    def vocabulary(self): ...
    def stream(self, prompt):
        yield 1
    async def later(self): ...
    def _own(self): ...
    class Pool:
        def map(self, prompts): ...
class Special(Client): ...
""",
}


@pytest.fixture
def files(project: Path) -> Path:
    for name, text in FILES.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    return project


@pytest.mark.parametrize(
    ("module", "homes"),
    [
        # a package without __all__ offers what it imports from its own modules
        (
            "shop",
            {
                "total": ("shop._cart", "total"),
                "quote": ("shop.prices", "quote"),
                "sum_up": ("shop._cart", "total"),
            },
        ),
        # with __all__, what stands there; of a compiled module nobody knows its functions
        ("listed", {"total": ("shop._cart", "total"), "sqrt": ("math", "sqrt")}),
        # another module offers what it defines
        ("plain_script_helper", {}),
        ("round_a", {}),
    ],
)
def test_what_a_module_offers(files, read, module, homes):
    assert read(f"[remote.{module}]\npure = true").remote[module].homes == homes
    # calls of others through it would not be seen by those who call them where they are defined
    assert read(f"[remote.{module}]").remote[module].homes == {}


def test_only_names_more_of_it_and_less(files, read):
    def homes(module, only):
        plan = read(f"[remote.{module}]\npure = true\nonly = {only}")
        return plan.remote[module].homes

    assert homes("plain_script_helper", ["own", "quote"]) == {"quote": ("shop.prices", "quote")}
    assert homes("shop", ["total"]) == {"total": ("shop._cart", "total")}
    assert homes("shop", ["sqrt"]) == {"sqrt": ("math", "sqrt")}


def test_a_function_that_a_remote_module_defines_is_remote_by_that(files, read):
    plan = read('[remote.shop]\npure = true\n[remote."shop._cart"]\npure = true')
    assert list(plan.remote["shop"].homes) == ["quote"]


def test_methods_and_functions_in_variables(files, read):
    names = ["Client.complete", "Client.tokens", "Client.named", "Client.Pool.map", "half"]
    plan = read(f"[remote.model]\npure = true\nonly = {names}")
    assert plan.remote["model"].methods == names[:-1]


@pytest.mark.parametrize(
    ("module", "name", "said"),
    [
        (
            "shop",
            "Basket",
            "shop.Basket is a class; only functions are remote",
        ),
        ("shop", "items", "shop.items is a generator function, whose result cannot travel"),
        (
            "model",
            "TABLE",
            "TABLE is assigned in model; only functions that model defines are remote",
        ),
        (
            "model",
            "Client.compleet",
            "the class Client of model defines no method compleet itself\n\n"
            'hint: did you mean "Client.complete"?',
        ),
        (
            "model",
            "Special.complete",
            "the class Special of model defines no method complete itself\n\n"
            'hint: did you mean "Client.complete"?',
        ),
        ("model", "Gone.f", "model has no Gone; allowed: a class that model defines"),
        ("model", "half.f", "half is assigned in model; allowed: a class that model defines"),
        (
            "model",
            "Client._own",
            "model.Client._own is private: its name starts with an underscore",
        ),
        (
            "model",
            "Client.limit",
            "model.Client.limit is a property, which is not called; only calls are remote",
        ),
        (
            "model",
            "Client.vocabulary",
            "model.Client.vocabulary is a property, which is not called; only calls are remote",
        ),
        (
            "model",
            "Client.stream",
            "model.Client.stream is a generator function, whose result cannot travel",
        ),
    ],
)
def test_what_cannot_be_remote(files, refusal, module, name, said):
    text = f"[remote.{module}]\npure = true\nonly = ['{name}']"
    told, _, hint = said.partition("\n\n")
    message = refusal(text)
    assert message.startswith(f"cord.toml:3:9: remote.{module}.only: {told}")
    assert hint in message


def test_methods_and_functions_of_others_are_pure(files, refusal):
    assert refusal("[remote.model]\nonly = ['Client.complete']") == (
        "cord.toml:2:9: remote.model.only: model.Client.complete is a method that is not declared "
        "pure, and what it changes of its object would stay in the replica\n\nhint: set pure = "
        "true if it changes nothing and depends on its object and its arguments alone"
    )
    assert refusal("[remote.shop]\nonly = ['total']") == (
        "cord.toml:2:9: remote.shop.only: shop._cart defines total, which is not declared pure, "
        "and who calls it there would not see what calls through shop leave in a replica\n\nhint: "
        'make that module remote, [remote."shop._cart"], or set pure = true if it has no effects '
        "and depends on its arguments alone"
    )


def test_a_method_of_the_main_script_is_refused(project, refusal):
    (project / "search.py").write_text("class Client:\n    def complete(self): ...\n")
    said = refusal("[remote.search]\npure = true\nonly = ['Client.complete']")
    assert "search.Client.complete is a method of the main script" in said
