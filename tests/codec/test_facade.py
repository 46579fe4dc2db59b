"""A remote module as its clients see it, and as it sees itself."""

from __future__ import annotations

import importlib
import inspect
import pickle
import sys
import types
from textwrap import dedent
from unittest import mock

import pytest

from cord.runtime.client.facade import make_facade, public_functions, remove_facade

SOURCE = """
    import contextlib, functools
    from math import sqrt
    from os.path import join

    LIMIT = 1
    class Reader: pass
    def outer(x): return inner(x)
    def inner(x): return ("local", x)
    def _private(): pass

    @functools.lru_cache
    def cached(x): return x

    def logged(function):
        @functools.wraps(function)
        def wrapper(*args): return function(*args)
        return wrapper

    @logged
    def decorated(x): return x
    @logged
    def decorated_generator(): yield 1
    def generator(): yield 1
    async def coroutine(): pass
    @contextlib.contextmanager
    def context(): yield
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "shown_module.py").write_text(dedent(SOURCE))
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield importlib.import_module("shown_module")
    del sys.modules["shown_module"]


def remote_inner(x):
    return ("remote", x)


@pytest.fixture
def facade(module):
    make_facade(module, {"inner": remote_inner})
    return module


def test_public_functions_are_the_modules_own(module):
    assert public_functions(module) == ["outer", "inner", "cached", "logged", "decorated"]


def test_public_functions_follow_all_and_only(module):
    assert public_functions(module, ["inner", "_private", "sqrt"]) == ["inner"]
    module.__all__ = ["outer", "sqrt"]
    assert public_functions(module) == ["outer"]


def test_clients_get_the_remote_function(facade):
    from shown_module import inner

    names: dict = {}
    exec("from shown_module import *", names)
    assert inner is facade.inner is names["inner"] is facade.__getattribute__("inner")
    assert inner is remote_inner


def test_the_modules_own_code_calls_locally(facade):
    assert facade.outer(1) == ("local", 1)


def test_the_module_looks_as_before(module):
    before = (repr(module), dir(module), type(module).__name__, inspect.getmodule(module.outer))
    make_facade(module, {"inner": remote_inner})
    after = (repr(module), dir(module), type(module).__name__, inspect.getmodule(module.outer))
    assert before == after
    assert isinstance(module, types.ModuleType)
    assert inspect.ismodule(module)


def test_a_client_that_rebinds_gets_its_own(facade):
    facade.inner = len
    assert facade.inner is len
    assert facade.outer("ab") == 2
    facade.inner = remote_inner
    assert facade.inner is remote_inner
    assert facade.outer(1) == ("local", 1)


@pytest.mark.parametrize(
    "patch",
    [
        lambda module: mock.patch("shown_module.inner"),
        lambda module: mock.patch.object(module, "inner"),
        lambda module: mock.patch.dict("shown_module.__dict__", inner=len),
    ],
    ids=["by name", "by object", "in the dict"],
)
def test_the_end_of_a_mock_makes_it_remote_again(facade, patch):
    with patch(facade):
        assert facade.inner is not remote_inner
    assert facade.inner is remote_inner


def test_deleting_works_as_on_any_module(facade):
    del facade.inner
    with pytest.raises(AttributeError, match="module 'shown_module' has no attribute 'inner'"):
        facade.inner  # noqa: B018
    with pytest.raises(AttributeError):
        del facade.inner
    assert not hasattr(facade, "inner")


def test_reloading_gives_the_new_function(facade):
    importlib.reload(facade)
    assert facade.inner(1) == ("local", 1)


def test_a_facade_can_be_renewed_and_removed(facade):
    make_facade(facade, {"outer": remote_inner})
    assert facade.outer is remote_inner
    assert facade.inner(1) == ("local", 1)
    remove_facade(facade)
    remove_facade(facade)
    assert type(facade) is types.ModuleType


def test_a_module_is_not_pickled(facade):
    with pytest.raises(TypeError, match="cannot pickle 'module' object"):
        pickle.dumps(facade)


def test_modules_do_not_share_their_facades(facade):
    other = types.ModuleType("other")
    assert not hasattr(other, "inner")


def test_code_that_reads_a_name_often_finds_the_remote_function(module):
    def read():
        return module.inner

    make_facade(module, {"inner": remote_inner})
    assert {read() for _ in range(1000)} == {remote_inner}
    module.inner = print
    assert {read() for _ in range(1000)} == {print}
    remove_facade(module)
    del module.inner
    with pytest.raises(AttributeError):
        read()
