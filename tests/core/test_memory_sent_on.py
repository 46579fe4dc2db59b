"""Large arrays that nobody has written since they came go on, or back, in the memory they came in.

Whoever has such an array has it for himself all the same, as with a copy.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from small_world import World, answer

from cord import _core

SIZE = 3 << 20
PURE = "pure"

kept: list[Any] = []  # what functions in a replica remember from call to call


def same(*values: Any) -> Any:
    return values[0] if len(values) == 1 else values[::-1]


def part_of(array: Any, start: int, stop: int | None = None) -> Any:
    return array[start:stop]


def turned(array: Any) -> Any:
    return array.reshape(3, -1).T


def with_part(array: Any) -> Any:
    return array, array[8:], [array]


def touched(array: Any, at: int) -> Any:
    """Changes what it is given."""
    array[at] += 1
    return array


def doubled(array: Any) -> Any:
    array *= 2
    return array


def keep(array: Any) -> Any:
    kept.append(array)
    return array


def last(scribble: bool) -> Any:
    if scribble:
        kept[-1][5] = -1
    return kept[-1]


def total(array: Any) -> float:
    return float(array.sum())


def die_once(array: Any, path: str) -> Any:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return array
    os._exit(9)


def serve(head: bytes, buffers: list[Any]) -> tuple[bytes, list[Any]]:
    name, args, kwargs = pickle.loads(head, buffers=buffers)
    out: list[Any] = []
    value = globals()[name](*args, **kwargs)
    return pickle.dumps(value, 5, buffer_callback=out.append), out


def replica(_module: int, endpoint: Any) -> None:
    answer(endpoint, serve)


class Remote:
    """Calls functions of this module in replicas, some with resident arguments."""

    def __init__(self, session: _core.Session) -> None:
        self._session = session
        self._keeper = _core.Keeper(64 << 20)

    def __call__(self, function: Any, *args: Any) -> Any:
        return self._of(function, None)(*args)

    def resident(self, function: Any, *args: Any) -> Any:
        return self._of(function, _core.ResidentArguments(self._keeper, {0}))(*args)

    def _of(self, function: Any, resident: Any) -> Any:
        name = function.__name__
        return _core.RemoteFunction(
            self._session, 0, name, function, PURE, _core.Use(), {}, False, resident
        )


@pytest.fixture
def remote(world: World) -> Remote:
    return Remote(world.session_apart({"m": 1}, replica))


def counting(size: int = SIZE) -> Any:
    return np.arange(size // 8, dtype=float)


def memory_of(array: Any) -> int:
    """Which file shows in its memory; 0 for none."""
    return next(inode for start, end, inode, _ in _mappings() if start <= array.ctypes.data < end)


def is_of_the_client(array: Any) -> bool:
    """Whether it lies in memory in which this process has sent something."""
    return memory_of(array) in {inode for *_, inode, rights in _mappings() if rights == "rw-s"}


def _mappings() -> list[tuple[int, int, int, str]]:
    found = []
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            place, rights, _, _, inode, *_ = line.split()
            start, end = (int(number, 16) for number in place.split("-"))
            found.append((start, end, int(inode), rights))
    return found


def test_an_array_comes_back_in_the_memory_it_was_sent_in(remote: Remote) -> None:
    array = counting()
    for number in range(6):
        array[0] = number
        back = remote(same, array)
        assert is_of_the_client(back)
        assert (back == array).all()


def test_and_is_the_programs_own(remote: Remote) -> None:
    array = counting()
    results = [remote(same, array) for _ in range(6)]
    for number, result in enumerate(results):
        result[number:] = -number
    again = remote(same, array)
    for number, result in enumerate(results):
        assert total(result) == sum(range(number)) - number * (len(array) - number)
    assert (again == counting()).all()
    assert (array == counting()).all()


def test_results_stay_while_the_memory_of_others_is_used_again(remote: Remote) -> None:
    array = counting()
    results = []
    for number in range(20):
        array[:] = number
        result = remote(same, array)
        if number % 3:
            results.append((number, result))
    assert all((result == number).all() for number, result in results)


@pytest.mark.parametrize("which", [(1, None), (10, None), (513, None), (0, -7), (3, -5)])
def test_so_does_most_of_an_array(remote: Remote, which: tuple[int, int | None]) -> None:
    array = counting()
    part = remote(part_of, array, *which)
    assert is_of_the_client(part)
    assert (part == array[slice(*which)]).all()
    part[0] = -1
    assert (remote(part_of, part, 1) == array[slice(*which)][1:]).all()


def test_a_small_part_does_not_keep_the_rest(remote: Remote) -> None:
    part = remote(part_of, counting(), SIZE // 8 * 3 // 5)
    assert not is_of_the_client(part)
    assert part[0] == SIZE // 8 * 3 // 5


def test_the_order_in_memory_is_that_of_the_result(remote: Remote) -> None:
    shape = remote(turned, counting())
    assert is_of_the_client(shape)
    assert (shape == counting().reshape(3, -1).T).all()


def test_two_results_of_one_memory_are_two(remote: Remote) -> None:
    whole, part, items = remote(with_part, counting())
    assert items[0] is whole
    whole[20] = -1
    part[20] = -2
    assert (whole[20], whole[28], part[12], part[20]) == (-1, 28, 20, -2)


@pytest.mark.parametrize("at", [0, 1000, SIZE // 8 - 1])
def test_what_was_written_is_copied(remote: Remote, at: int) -> None:
    array = counting()
    for _ in range(4):
        back = remote(touched, array, at)
        assert not is_of_the_client(back)
        assert back[at] == at + 1
        assert (array == counting()).all()
        assert is_of_the_client(remote(same, array))


def test_what_the_program_writes_again_and_again_is_right_each_time(remote: Remote) -> None:
    array = counting()
    for number in range(40):
        array[0] = number
        result = remote(same, array)
        assert (result == array).all()
        result[number % 4 * 1000 :] = -1
        changed = remote(same, result)
        assert (changed == result).all()
        changed *= 2
        assert remote(total, changed) == 2 * total(result)


def test_and_so_is_what_a_function_writes_again_and_again(remote: Remote) -> None:
    array = counting()
    for number in range(40):
        array[0] = number
        assert (remote(doubled, array) == 2 * array).all()
        if number % 7 == 0:
            assert (remote(same, array) == array).all()


def test_what_a_replica_keeps_is_its_own(remote: Remote) -> None:
    result = remote(keep, counting())
    assert is_of_the_client(result)
    result[5] = 100
    later = remote(last, False)
    assert is_of_the_client(later)
    assert (later == counting()).all()
    changed = remote(last, True)
    assert not is_of_the_client(changed)
    assert (changed[5], later[5], result[5]) == (-1, 5, 100)


def test_arguments_that_change_places(remote: Remote) -> None:
    first, second = counting(), -counting()
    for _ in range(4):
        first, second = remote(same, first, second)
        first += 1
    assert (first == counting() + 2).all()
    assert (second == 2 - counting()).all()


def test_a_result_that_is_passed_on_is_not_copied_either(remote: Remote) -> None:
    array = counting(5 << 20)  # no other test has used such memory, and written it
    value = remote(same, array)
    memory = memory_of(value)
    for _ in range(4):
        value = remote(same, value)
        assert memory_of(value) == memory
        assert remote(total, value) == total(array)
    value[7] = -1
    back = remote(same, value)
    assert memory_of(back) != memory
    assert (back[7], total(value) - total(back)) == (-1, 0)
    made = remote(part_of, remote(touched, counting(), 3), 1)
    assert (remote(same, made) == made).all()


def test_resident_content_stays_what_it_is(remote: Remote) -> None:
    array = counting()
    for number in range(6):
        back = remote.resident(same, array)
        assert (back == counting()).all()
        back[number:] = -1
        assert remote.resident(total, array) == total(counting())
        assert (remote.resident(touched, array, number)[number]) == number + 1


def test_a_call_that_is_repeated_has_its_arguments_still(world: World, tmp_path: Any) -> None:
    remote = Remote(world.session_apart({"m": 2}, replica))
    array = counting()
    results = [remote(die_once, array, str(tmp_path / str(number))) for number in range(3)]
    assert all((result == counting()).all() for result in results)


def test_a_forked_child_has_its_own_copies(remote: Remote) -> None:
    result = remote(same, counting())
    pid = os.fork()
    if pid == 0:
        result[:] = 0
        os.closerange(3, 256)
        log = os.open(os.devnull, os.O_WRONLY)
        held = [os.dup(log) for _ in range(64)]
        del result
        os._exit(sum(os.fstat(one).st_mode == 0 for one in held))
    assert os.waitpid(pid, 0)[1] == 0
    assert (result == counting()).all()
    assert (remote(same, result) == counting()).all()


def test_threads_get_each_its_own(world: World) -> None:
    remote = Remote(world.session_apart({"m": 2}, replica))
    array = counting()

    def work(slot: int) -> None:
        for number in range(20):
            back = remote(same, array)
            assert (back == array).all()
            back[slot::3] = number
            again = remote(same, back)
            again += 1
            assert (again == back + 1).all()

    with ThreadPoolExecutor(3) as threads:
        for done in [threads.submit(work, slot) for slot in range(3)]:
            done.result()
    assert (array == counting()).all()


def test_where_descriptors_are_few_arrays_are_copied() -> None:
    program = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (96, 96))
from small_world import World
from test_memory_sent_on import Remote, counting, replica, same, total

world = World()
remote = Remote(world.session_apart({"m": 1}, replica))
results = []
for number in range(60):
    results.append(remote(same, remote(same, counting() + number)))
    results[-1][0] = -number
print(sum(total(result) for result in results))
world.close()
"""
    path = os.path.dirname(__file__)
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
        timeout=60,
    )
    assert ended.stderr == ""
    array = counting()
    expected = (total(array) + number * (len(array) - 2) for number in range(60))
    assert float(ended.stdout) == sum(expected)
