"""Every row against the interpreter: what it names exists, and does what is said of it."""

from __future__ import annotations

import builtins
import contextlib
import copy
import importlib
import io
import itertools
import random
import re
import sys
import warnings
import zlib
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterator
from dataclasses import make_dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from pathlib import PosixPath, PurePosixPath
from typing import Any

import numpy
import pytest

from cord.knowledge import functions, methods, objects, outside
from cord.knowledge.arrays import UFUNCS
from cord.knowledge.library import AHEAD, MODULES
from cord.knowledge.rows import EVERY, FIRST
from cord.runtime.guards import harmless
from cord.runtime.guards.kinds import kind_of
from sampling import sample

# Of other versions of Python or of NumPy than the one at hand.
OTHER_VERSIONS = re.compile(
    r"""itertools\.batched | copy\.replace | (os\.path|posixpath)\.isjunction
    | random\.binomialvariate | heapq\._heap(ify|pop|replace)_max
    | numpy\.(trapz|bitwise_\w+_shift|bitwise_invert|bitwise_count|vecdot|matvec|vecmat|pow|rec|in1d
              |a(cos|sin|tan)h?|atan2)(\.at)?
    | numpy\.random\.random_integers | base64\.test | posix\._path_splitroot_ex""",
    re.VERBOSE,
)
NOT_INSTALLED = ("yaml", "requests", "httpx", "scipy", "typing_extensions")

PLAIN = (2, 1, "abc", [3, 1, 2], "a", b"ab", 0.5, (1, 2), {"a": 1}, [[1, 2], [3, 4]], str, 1j)
ARRAYS = (
    numpy.array([[2.0, 1.0], [1.0, 3.0]]),
    numpy.array([0.25, 0.5]),
    numpy.array([[1, 2], [3, 4]]),
    1,
    2,
    (2, 2),
    [numpy.array([1.0]), numpy.array([2.0])],
    numpy.array([1, 2]),
    numpy.array([1.0, 2.0, 3.0]),
)
Point = namedtuple("Point", "x y")
RECORD = make_dataclass("Record", ["x"])
# Of what takes arguments of a form of its own.
SAMPLES: dict[str, tuple[tuple[Any, ...], ...]] = {
    "builtins.super": ((bool, True),),
    "builtins.issubclass": ((bool, int),),
    "builtins.dict": (([("a", 1)],),),
    "builtins.getattr": (("abc", "upper"),),
    "builtins.chr": ((97,),),
    "dataclasses.asdict": ((RECORD([1]),),),
    "dataclasses.astuple": ((RECORD([1]),),),
    "functools.partial": ((len, "abc"),),
    "datetime.timezone": ((timedelta(1, -5),),),
    "datetime.date": ((2020, 1, 2),),
    "datetime.datetime": ((2020, 1, 2),),
    "uuid.UUID": (("12345678123456781234567812345678",),),
    "array.array": (("i", [1, 2]),),
    "base64.b64decode": (("YWI=",),),
    "base64.b32decode": (("ME======",),),
    "base64.b32hexdecode": (("C4======",),),
    "base64.decodebytes": ((b"YWI=",),),
    "base64.standard_b64decode": (("YWI=",),),
    "base64.urlsafe_b64decode": (("YWI=",),),
    "binascii.a2b_base64": (("YWI=",),),
    "numpy.isnat": ((numpy.array(["2020-01-01"], "datetime64[D]"),),),
    "operator.matmul": (ARRAYS[:2],),
    "struct.calcsize": (("2i",),),
    "textwrap.shorten": (("a b c", 5),),
    "unicodedata.is_normalized": (("NFC", "a"),),
    "unicodedata.normalize": (("NFC", "a"),),
    "unicodedata.lookup": (("DIGIT ONE",),),
    "unicodedata.decimal": (("1",),),
    "unicodedata.digit": (("1",),),
    "unicodedata.numeric": (("1",),),
    "zlib.decompress": ((zlib.compress(b"a"),),),
    "json.loads": (('{"a": [1]}',),),
    "struct.unpack": (("2s", b"ab"),),
    "struct.unpack_from": (("2s", b"ab"),),
    "struct.pack": (("i", 2),),
    "operator.contains": (([1, 2], 2),),
    "itertools.chain.from_iterable": (([[1], [2]],),),
    "numpy.clip": ((ARRAYS[0], 1, 2),),
    "numpy.fft.fft": ((ARRAYS[1],),),
}
EXAMPLES: dict[str, tuple[Any, ...]] = {
    "str": ("abc", "a b", "7"),
    "bytes": (b"abc", b"a b", b"7"),
    "int": (7,),
    "float": (1.5,),
    "complex": (1j,),
    "list": ([3, 1, 2],),
    "tuple": ((3, 1, 2),),
    "range": (range(4),),
    "dict": ({"a": 1, 2: 3},),
    "set": ({1, 2, "a"},),
    "frozenset": (frozenset({1, 2}),),
    "bytearray": (bytearray(b"abc"), bytearray(b"a b")),
    "collections.deque": (deque([3, 1, 2]),),
    "collections.defaultdict": (defaultdict(int, {"a": 1}),),
    "collections.OrderedDict": (OrderedDict({"a": 1, 2: 3}),),
    "collections.Counter": (Counter("abca"),),
    "collections.namedtuple": (Point(1, [2]),),
    "re.Pattern": (re.compile("a"),),
    "re.Match": (re.match("(?P<x>a)", "abc"),),
    "numpy.ndarray": ARRAYS[:3],
    "datetime.datetime": (datetime(2020, 1, 2),),
    "datetime.date": (date(2020, 1, 2),),
    "datetime.time": (time(1, 2),),
    "datetime.timedelta": (timedelta(1),),
    "fractions.Fraction": (Fraction(1, 3),),
    "pathlib.PosixPath": (PosixPath("a/abc"),),
    "pathlib.PurePosixPath": (PurePosixPath("a/abc"),),
}
METHOD_SAMPLES = {
    "astype": (float,),
    "strptime": ("2020", "%Y"),
    "strftime": ("%Y",),
    "fromisoformat": ("2020-01-02",),
    "translate": (None,),
    "_make": ([1, 2],),
    "relative_to": ("a",),
    "format_map": ({},),
    "fromhex": ("0a",),
    "join": ([b"a", b"b"],),
    "with_suffix": (".x",),
}
CALLED = [name for name in functions.known_ahead() if not name.startswith("builtins.property")]
LISTED = [
    f"{module}.{name}"
    for module in sorted(AHEAD)
    for name, value in sorted(vars(importlib.import_module(module)).items())
    if callable(value)
    and getattr(value, "__module__", "") in (module, f"_{module}")
    and functions.runs_ahead(f"{module}.{name}")
]
EVENTS = re.compile(r"open$|socket|subprocess|shutil|tempfile|os\.|glob")


class Watch:
    """What is heard of effects, while it is on."""

    def __init__(self) -> None:
        self.on = False
        self.heard: list[str] = []

    def hear(self, event: str, _: tuple[Any, ...]) -> None:
        if self.on and EVENTS.match(event):
            self.heard.append(event)


watch = Watch()
sys.addaudithook(watch.hear)


def find(dotted: str) -> Any:
    """The object of a dotted name; None if there is none here."""
    parts = dotted.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        return found
    return None


@contextlib.contextmanager
def nothing_else_happens() -> Iterator[None]:
    """Nothing is written, opened or drawn in this block."""
    state, drawn, out = random.getstate(), numpy.random.get_state()[2], io.StringIO()
    watch.heard.clear()
    watch.on = True
    try:
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        watch.on = False
    assert not watch.heard
    assert out.getvalue() == ""
    assert random.getstate() == state
    assert numpy.random.get_state()[2] == drawn


def told(value: Any) -> str:
    """A value in words, an iterator by its first items."""
    if hasattr(value, "__next__"):
        value = list(itertools.islice(value, 9))
    return f"{type(value)} {re.sub(r'0x[0-9a-f]+', '', repr(value))}"


def calls(
    call: Callable[..., Any], candidates: tuple[tuple[Any, ...], ...], is_function: bool = True
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The arguments that a scout may give it, and what it gives: the same whenever it is asked."""
    for given in candidates:
        try:
            allowed = harmless.is_pure_callable(call, given, None)  # it only looks at them
            if is_function and allowed is None:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = told(call(*copy.deepcopy(given)))
        except Exception:
            continue
        args = copy.deepcopy(given)
        with nothing_else_happens():
            result = call(*args)
            assert told(result) == expected
        assert repr(args) == repr(given)
        yield args, result


def candidates(name: str) -> tuple[tuple[Any, ...], ...]:
    """Arguments to try."""
    if name in SAMPLES:
        return SAMPLES[name]
    pool = ARRAYS if name.startswith("numpy.") else PLAIN
    most = 3 if name.startswith(("numpy.", "textwrap.", "re.", "statistics.")) else 2
    some: Iterator[tuple[Any, ...]] = itertools.chain.from_iterable(
        itertools.product(pool, repeat=count) for count in range(4)
    )
    return tuple(given for given in some if len(given) <= most or given[2:] in ((2,), ("abc",)))


@pytest.mark.parametrize("name", sorted({*functions._ROWS, *outside._ROWS}))
def test_what_has_a_row_exists(name: str) -> None:
    there = find(name) is not None
    assert there or name.startswith(NOT_INSTALLED) or OTHER_VERSIONS.fullmatch(name)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_what_has_a_rule_exists(module: str) -> None:
    if module.startswith(NOT_INSTALLED):
        return
    with contextlib.suppress(ImportError):
        importlib.import_module(module)
    there = module in sys.modules or find(module) is not None
    assert there or OTHER_VERSIONS.fullmatch(module)


@pytest.mark.parametrize("name", sample(sorted({*CALLED, *LISTED}), 3, of="rows"))
def test_what_scouts_run_only_computes(name: str) -> None:
    function = find(name)
    if function is None:
        assert OTHER_VERSIONS.fullmatch(name)
        return
    row = functions.find(name)
    assert row is not None
    made = False
    for args, result in itertools.islice(calls(function, candidates(name)), 40):
        made = True
        assert given_as_said(row.gives, result), (args, result)
    assert made, "no sample fits"


def given_as_said(gives: str, result: Any) -> bool:
    """Whether a result is of the kind that a row tells."""
    if gives in ("list", "tuple", "set", "frozenset", "dict", "bytearray"):
        return type(result).__name__ == gives
    if gives in ("iterator", "pairs"):
        return hasattr(result, "__next__")
    if gives == "const":
        return not isinstance(result, (list, set, dict, bytearray, numpy.ndarray))
    return True


@pytest.mark.parametrize("name", sorted({*CALLED, *LISTED}))
def test_guards_know_what_scouts_run(name: str) -> None:
    function = find(name)
    if function is not None and not isinstance(function, numpy.ufunc):
        known, row = harmless._named(function)
        assert known is not None
        assert row is functions.find(known)


def test_what_is_put_into_a_module_is_not_the_librarys(monkeypatch: pytest.MonkeyPatch) -> None:
    import math

    def mine() -> None: ...

    harmless.forget()
    monkeypatch.setattr(math, "mine", mine, raising=False)
    monkeypatch.setattr(math, "sqrt", mine)
    harmless.assume(frozenset())
    assert harmless._named(mine) == (None, None)
    harmless.forget()
    harmless.assume(frozenset())


@pytest.mark.parametrize("type_name", sorted(EXAMPLES))
def test_methods_that_scouts_run_only_compute(type_name: str) -> None:
    for name in sorted(methods.ahead_of(type_name)):
        made = False
        for example in EXAMPLES[type_name]:
            method = getattr(example, name, None)
            if method is None or not callable(method):
                continue
            given = (METHOD_SAMPLES.get(name, ()), *candidates_of_method(example))
            before = repr(example)
            made = made or any(True for _ in itertools.islice(calls(method, given, False), 20))
            assert repr(example) == before
        assert made, f"{type_name}.{name}: no sample fits"


@pytest.mark.parametrize("type_name", methods.CHANGEABLE)
def test_methods_that_change_their_object_are_all_said(type_name: str) -> None:
    changing = set()
    for example in EXAMPLES[type_name]:
        for name in (name for name in dir(example) if not name.startswith("_")):
            for given in candidates_of_method(example):
                changed = copy.deepcopy(example)
                with contextlib.suppress(Exception):
                    getattr(changed, name)(*copy.deepcopy(given))
                if repr(changed) != repr(example):
                    changing.add(name)
    said = {name for name, row in methods.TYPES[type_name].items() if row.changes}
    assert changing == {name for name in said if not name.startswith("__")}


@pytest.mark.parametrize(
    ("type_name", "method", "looks"),
    [
        ("list", "append", "nothing"),
        ("list", "sort", "own"),
        ("list", "extend", "items"),
        ("dict", "update", "pairs"),
        ("dict", "setdefault", "key"),
        ("set", "update", "all"),
        ("collections.deque", "remove", "all"),
    ],
)
def test_guards_are_told_what_a_change_looks_at(type_name: str, method: str, looks: str) -> None:
    assert kind_of(type(EXAMPLES[type_name][0])).changers[method] == looks


def test_a_method_that_only_reads_changes_nothing() -> None:
    assert "index" not in kind_of(list).changers
    assert "rotate" not in kind_of(deque).changers


def candidates_of_method(example: Any) -> tuple[tuple[Any, ...], ...]:
    pool = (1, 0, 2, 97, "a", [4, 5], b"a", "abc", (1,), example, {"b": 2}, (4, 1))
    return tuple(itertools.chain.from_iterable(itertools.product(pool, repeat=n) for n in range(3)))


class Untouched:
    """Nothing may be asked of it."""

    def touched(self, *_: object) -> Any:
        raise AssertionError("it was looked at")

    __eq__ = __hash__ = __bool__ = __lt__ = __add__ = __radd__ = touched  # type: ignore[assignment]
    __iter__ = __len__ = __index__ = __repr__ = __call__ = touched


SHALLOW = [name for name in sorted({*CALLED, *LISTED}) if functions.find(name).shallow]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", SHALLOW)
def test_what_only_passes_elements_on_does_not_look_at_them(name: str) -> None:
    function = find(name)
    inside = [Untouched(), Untouched()]
    made = False
    for given in ((inside,), (inside, 1), (inside, inside), (1, 2), ([inside],)):
        with contextlib.suppress(TypeError, ValueError):
            if function is not None:
                list(itertools.islice(function(*given), 5))
                made = True
    assert made or name in ("builtins.slice", "itertools.batched")


PAIRS = [(1, 2), (3, 4)]
NOT_OF_PAIRS = ("builtins.iter", "builtins.sum", "itertools.tee")


class Walked:
    """An iterator and nothing else."""

    def __init__(self) -> None:
        self.items = iter(PAIRS)

    def __iter__(self) -> Walked:
        return self

    def __next__(self) -> tuple[int, int]:
        return next(self.items)

    def touched(self, *_: object) -> Any:
        raise AssertionError("it was looked at")

    __eq__ = __hash__ = __bool__ = __index__ = __repr__ = __reversed__ = touched  # type: ignore[assignment]


WALKING = {
    name: row
    for name, row in functions._ROWS.items()
    if row.walks is not None and find(name) is not None
    if name != "builtins.bytes"  # asks first whether it is given a number
}


@pytest.mark.parametrize("name", WALKING)
def test_what_walks_its_arguments_takes_items_and_no_more(name: str) -> None:
    walks = WALKING[name].walks
    if walks in (FIRST, EVERY):
        others: list[tuple[Any, ...]] = [(), (1,), ([1],)]
    else:
        others = [(lambda *_: 1,), (None,), (1,)]
    for other in others:
        walked = Walked()
        given = (walked, *other) if walks in (FIRST, EVERY) else (*other, walked)
        with contextlib.suppress(TypeError, ValueError):
            result = find(name)(*given)
            if isinstance(result, Iterator) and result is not walked:
                list(itertools.islice(result, 3))
            if name not in NOT_OF_PAIRS:
                assert list(walked.items) != PAIRS
            return
    assert name in NOT_OF_PAIRS


def test_rows_of_ufuncs_are_ufuncs_and_all_of_them() -> None:
    there = {name for name in dir(numpy) if isinstance(getattr(numpy, name), numpy.ufunc)}
    said = set(UFUNCS.split())
    assert there <= said
    assert all(OTHER_VERSIONS.fullmatch(f"numpy.{name}") for name in said - there)


def test_what_builtins_do_is_known_or_left_to_the_program() -> None:
    known = {name.removeprefix("builtins.") for name in functions._ROWS if "builtins." in name}
    others = {
        name
        for name, value in vars(builtins).items()
        if callable(value) and not (isinstance(value, type) and issubclass(value, BaseException))
    }
    assert others - known <= {
        *("breakpoint", "compile", "delattr", "dir", "eval", "exec", "globals", "help"),
        *("copyright", "credits", "license", "locals", "vars", "__import__", "__loader__", "_"),
    }


@pytest.mark.parametrize(
    ("method", "gives", "changes"),
    [
        ("append", "const", True),
        ("pop", "item", True),
        ("split", "deep", False),
        ("items", "pairs", False),
        ("real", "const", False),
        ("upper", "const", False),
    ],
)
def test_a_method_is_guessed_by_its_name(method: str, gives: str, changes: bool) -> None:
    row = objects.by_name(method)
    assert row is not None
    assert (row.gives, bool(row.changes)) == (gives, changes)


def test_methods_of_files_and_loggers_are_not_guessed() -> None:
    for method in ("write", "debug", "mkdir", "_replace"):
        assert objects.by_name(method) is None


@pytest.mark.parametrize(
    ("called", "effects", "changes"),
    [
        ("sys.stdout.buffer.write", ("prints",), ()),
        ("os.environ.update", ("sets",), ()),
        ("list.append", (), ()),
        ("builtins.list.append", (), (0,)),
        ("ValueError", (), ()),
        ("numpy.add.at", (), (0,)),
        ("_heapq.heappush", (), (0,)),
        ("posixpath.exists", ("reads files",), ()),
    ],
)
def test_a_call_is_found_by_its_dotted_name(
    called: str, effects: tuple[str, ...], changes: tuple[int, ...]
) -> None:
    row = outside.of_call(called)
    assert called == "list.append" or (row is not None and row.effects == effects)
    assert row is None or called == "list.append" or row.changes == changes


def test_what_is_not_known_is_not_guessed() -> None:
    assert outside.of_call("builtins.exec") is None
    assert outside.of_call("numpy.random.unheard_of") is None
    assert not functions.runs_ahead("builtins.exec")
    assert not functions.runs_ahead("math._private")
    assert not functions.runs_ahead("textwrap.TextWrapper")
    assert not functions.runs_ahead("json.load")
    assert not functions.runs_ahead("numpy.add.at")
