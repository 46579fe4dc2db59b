"""Resident arguments: sent once, named afterwards, and never seen other than they are."""

from __future__ import annotations

import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_world import World, answer

from cord import _core

SIZE = 100_000  # large enough for shared memory
SMALL = 20_000  # large enough to be kept, but it travels in the frame
PURE = "pure"

seen: list[Any] = []  # what functions in a replica remember from call to call


def total(array: Any) -> float:
    return float(array.sum())


def part_of(array: Any, *which: int) -> list[float]:
    found: list[float] = array[slice(*which)].tolist()
    return found


def scribble(array: Any) -> float:
    """Changes what it is given."""
    before = float(array[0])
    array[:] = -1
    return before


def append(items: list[Any]) -> int:
    items.append(None)
    return len(items)


def identity(value: Any) -> tuple[int, int]:
    """Which object it is, while all are kept, and how long it is."""
    seen.append(value)
    return id(value), len(value)


def is_shared(first: Any, second: Any, **others: Any) -> bool:
    return any(one is first for one in [second, *second, *others.values()])


def order(array: Any, letters: set[str]) -> tuple[float, list[str]]:
    return total(array), list(letters)


def named(first: Any, *rest: Any, option: Any = None, **others: Any) -> int:
    values = [first, *rest, option, *others.values()]
    return sum(len(value) for value in values if value is not None)


def die_once(array: Any, path: str) -> float:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return total(array)
    os._exit(9)


def serve(head: bytes, buffers: list[Any]) -> tuple[bytes, list[Any]]:
    try:
        name, args, kwargs = pickle.loads(head, buffers=buffers)
    except pickle.UnpicklingError:
        from cord.runtime.travel import ordered

        name, args, kwargs = ordered.loads(head, buffers)
    return pickle.dumps(globals()[name](*args, **kwargs)), []


def replica(_module: int, endpoint: Any) -> None:
    answer(endpoint, serve)


def forgetful(module: int, endpoint: Any) -> None:
    """As ``replica``; keeps no more than one large array."""
    replica(module, endpoint)


forgetful.resident_bytes = SIZE  # type: ignore[attr-defined]


class Remote:
    """Calls functions of this module in replicas; ``keeper`` counts what that takes."""

    def __init__(self, session: _core.Session, bytes_kept: int = 64 << 20) -> None:
        self.keeper = _core.Keeper(bytes_kept)
        self._session = session

    def __call__(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        return self.of(function, {0})(*args, **kwargs)

    def of(self, function: Any, *which: Any) -> _core.RemoteFunction:
        kept = _core.ResidentArguments(self.keeper, *which)
        name = function.__name__
        return _core.RemoteFunction(
            self._session, 0, name, function, PURE, _core.Use(), {}, False, kept
        )


@pytest.fixture
def remote(world: World) -> Remote:
    return Remote(world.session({"m": 1}, replica))


@pytest.mark.parametrize("size", [SMALL, SIZE])
def test_one_digest_and_then_comparisons(remote: Remote, size: int) -> None:
    array = np.ones(size // 8)
    assert {remote(total, array) for _ in range(20)} == {size // 8}
    assert remote.keeper.effort == (1, 19)


def test_a_change_between_two_calls_is_seen(remote: Remote) -> None:
    array = np.zeros(SIZE // 8)
    view = array[5:]
    for number in range(30):
        view[number % 7] += number % 5
        assert remote(total, array) == array.sum()
    array[:] = 0
    assert remote(total, array) == 0


def test_what_changes_at_each_call_is_soon_sent_like_any_other(remote: Remote) -> None:
    array = np.zeros(SIZE // 8)
    for number in range(100):
        array[0] = number
        assert remote(total, array) == number
    digests, comparisons = remote.keeper.effort
    assert digests < 10
    assert comparisons < 10


def test_and_is_kept_again_once_it_stays(remote: Remote) -> None:
    array = np.zeros(SIZE // 8)
    for number in range(10):
        array[0] = number
        remote(total, array)
    before = remote.keeper.effort[0]
    for _ in range(100):
        assert remote(total, array) == 9
    assert remote.keeper.effort[0] == before + 1


def test_equal_content_of_another_object_is_the_same(remote: Remote) -> None:
    arrays = [np.ones(SIZE // 8) for _ in range(3)]
    for array in arrays * 3:
        assert remote(total, array) == SIZE // 8
    assert remote.keeper.effort == (3, 6)


@pytest.mark.parametrize("size", [SMALL, SIZE])
def test_a_function_that_changes_its_argument_changes_nothing_else(
    remote: Remote, size: int
) -> None:
    array = np.ones(size // 8)
    assert [remote(scribble, array) for _ in range(5)] == [1.0] * 5
    items = list(range(size))
    assert [remote(append, items) for _ in range(5)] == [size + 1] * 5
    assert array[0] == 1
    assert len(items) == size


@pytest.mark.parametrize("size", [SMALL, SIZE])
@pytest.mark.parametrize("kind", [bytes, str])
def test_what_cannot_change_is_one_object_and_never_compared(
    remote: Remote, kind: type, size: int
) -> None:
    value = b"x" * size if kind is bytes else "\udc80é" * size
    found = {remote(identity, value) for _ in range(5)}
    assert {length for _, length in found} == {len(value)}
    assert len(found) == 1
    assert remote.keeper.effort == (1, 0)


def test_bytes_and_text_of_equal_content_stay_what_they_are(remote: Remote) -> None:
    text, raw = "x" * SIZE, b"x" * SIZE
    for value in (text, raw, text, raw):
        answered = remote.of(type_of, {0})(value)
        assert answered == type(value).__name__


def type_of(value: Any) -> str:
    return type(value).__name__


def test_a_list_is_pickled_and_not_sent_again(remote: Remote) -> None:
    rows = [[float(number) for number in range(100)] for _ in range(50)]
    whole = remote.of(named, {0})
    for number in range(10):
        assert whole(rows, [number]) == 51
    rows.append([])
    assert whole(rows, [0]) == 52
    assert remote.keeper.effort[0] == 1


@pytest.mark.parametrize("value", ["x" * SIZE, list(range(SIZE)), np.ones(SIZE // 8)])
def test_what_is_one_object_stays_one(remote: Remote, value: Any) -> None:
    for _ in range(3):
        assert remote(is_shared, value, [value])
        assert remote(is_shared, value, (1, value), again=value)
        assert not remote(is_shared, value, [None])


def test_a_part_of_a_resident_argument_stays_a_part_of_it(remote: Remote) -> None:
    rows = [[number] * 100 for number in range(SMALL // 100)]
    for number in range(3):
        assert remote(is_shared, rows[number], rows)
        assert remote.of(is_part, {0})(rows, rows[number])


def is_part(rows: Any, row: Any) -> bool:
    return any(one is row for one in rows)


def test_sets_keep_their_order(remote: Remote) -> None:
    array, letters = np.ones(SIZE // 8), {"b", "a", "h", "\0", "i"}
    letters.remove("h")
    for _ in range(3):
        assert remote(order, array, letters) == (SIZE // 8, list(letters))
    assert remote.keeper.effort == (1, 2)


def test_arguments_are_named_by_their_place_name_or_star(remote: Remote) -> None:
    def effort_of(which: tuple[Any, ...], *args: Any, **kwargs: Any) -> tuple[int, int]:
        fresh = Remote(remote._session)
        function = fresh.of(named, *which)
        for _ in range(2):
            assert function(*args, **kwargs) == named(*args, **kwargs)
        return fresh.keeper.effort

    one, two, three = (np.ones(SIZE // 8 + number) for number in range(3))
    assert effort_of(({1},), one, two, three) == (1, 1)
    assert effort_of((set(), {"option"}), one, two, option=three) == (1, 1)
    assert effort_of((set(), set(), 1), one, two, three) == (2, 2)
    assert effort_of((set(), set(), None, {"option"}), one, a=two, b=three) == (2, 2)
    assert effort_of((set(), set(), None, {"option"}), one, option=two) == (0, 0)


def test_auto_waits_until_something_turns_up_again(remote: Remote) -> None:
    function = remote.of(total)
    once = [np.full(SIZE // 8, float(number)) for number in range(5)]
    for array in once:
        assert function(array) == array.sum()
    assert remote.keeper.effort == (0, 0)
    for _ in range(4):
        assert function(once[0]) == once[0].sum()
    assert remote.keeper.effort == (1, 3)


def test_what_made_room_comes_again(world: World) -> None:
    modules = [_core.Module("m", 1, resident_bytes=2 * SIZE + 8)]
    remote = Remote(world.session_of(modules, replica), 64 << 20)
    arrays = [np.full(SIZE // 8, float(number)) for number in range(5)]
    for _ in range(3):
        for array in arrays:
            assert remote(total, array) == array.sum()
    assert remote.keeper.effort[0] == len(arrays)


def test_a_replica_that_keeps_less_than_was_thought_asks(world: World) -> None:
    remote = Remote(world.session({"m": 1}, forgetful))
    arrays = [np.full(SIZE // 8, float(number)) for number in range(3)]
    for _ in range(3):
        for array in arrays:
            assert remote(total, array) == array.sum()
    assert remote.keeper.effort[0] == len(arrays)


def test_content_that_the_program_has_forgotten_is_sent_anew(world: World) -> None:
    remote = Remote(world.session({"m": 1}, replica), SIZE)
    arrays = [np.full(SIZE // 8, float(number)) for number in range(3)]
    texts = ["a" * SIZE, "b" * SIZE]
    for _ in range(3):
        for array in arrays:
            assert remote(total, array) == array.sum()
        for text in texts:
            assert remote(identity, text)[1] == SIZE
    assert remote(total, np.ones(SIZE)) == SIZE  # larger than all that may be kept


@pytest.mark.parametrize("value", [np.arange(SIZE / 8), np.arange(SMALL / 8)])
def test_a_call_that_is_repeated_by_another_replica_finds_its_content(
    world: World, tmp_path: Path, value: Any
) -> None:
    remote = Remote(world.session({"m": 2}, replica))
    for number in range(10):
        assert remote(die_once, value, str(tmp_path / str(number // 2))) == value.sum()
    assert remote.keeper.effort[0] == 1
    assert len(list(tmp_path.iterdir())) == 5


def test_several_threads_may_change_what_they_send(remote: Remote) -> None:
    """What is named by a digest is what the digest is of, whoever writes meanwhile."""
    array = np.zeros(SIZE // 8)

    def write() -> None:
        for number in range(2000):
            array[:] = number

    with ThreadPoolExecutor(4) as threads:
        writer = threads.submit(write)
        while not writer.done():
            remote(total, array)
    for number in (3.0, 5.0, 5.0, 3.0):
        array[:] = number
        assert remote(total, array) == array.sum()
