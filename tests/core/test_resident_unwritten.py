"""Large resident arguments: what the kernel saw nobody write is not compared, all else is."""

from __future__ import annotations

import ctypes
import mmap
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_world import World
from test_resident_core import Remote, part_of, replica, total

from cord import _core

MIB = 1 << 20
SIZE = 2 * MIB
PAGE = mmap.PAGESIZE

needs_kernel = pytest.mark.skipif(
    not _core.writes_are_told(),
    reason="the kernel does not tell writes here: it is older than Linux 6.7, or forbidden to",
)


@pytest.fixture
def remote(world: World) -> Remote:
    return Remote(world.session({"m": 1}, replica))


def known(remote: Remote, array: Any) -> Any:
    """The array, after calls that make all that can be known of it known."""
    for _ in range(3):
        assert remote(total, array) == array.sum()
    return array


@needs_kernel
def test_nothing_is_compared_while_nothing_is_written(remote: Remote) -> None:
    array = known(remote, np.ones(SIZE // 8))
    before = remote.keeper.compared
    assert before < SIZE // 4, "what was copied is known as what was compared"
    for _ in range(20):
        assert remote(total, array) == SIZE // 8
    assert remote.keeper.compared == before
    assert remote.keeper.effort == (1, 22)


@needs_kernel
def test_only_pages_that_were_written_are_compared(remote: Remote) -> None:
    array = known(remote, np.ones(SIZE // 8))
    before = remote.keeper.compared
    array[7] = array[-SIZE // 16] = 1
    assert remote(total, array) == SIZE // 8
    assert 0 < remote.keeper.compared - before <= 2 * PAGE
    assert remote.keeper.effort[0] == 1


def test_what_is_written_right_after_the_copy_counts(remote: Remote) -> None:
    for at in (0, SIZE // 16, -1):
        array = np.ones(SIZE // 8)
        assert remote(total, array) == SIZE // 8
        array[at] = 5
        assert remote(total, array) == SIZE // 8 + 4
        array[at] = 1
        assert remote(total, array) == SIZE // 8


def test_every_page_counts(remote: Remote) -> None:
    array = known(remote, np.zeros(SIZE // 8 + 3)[1:])
    for at in [0, 1, len(array) // 3, len(array) - 1]:
        for value in (5.0, 0.0):
            array[at] = value
            for _ in range(4):
                assert remote(total, array) == value


def write_by_numpy(array: Any) -> None:
    array[len(array) // 2] = 3


def write_by_a_view(array: Any) -> None:
    np.frombuffer(memoryview(array).cast("B"), dtype=array.dtype).reshape(2, -1)[1][:] = 3


def write_by_c(array: Any) -> None:
    ctypes.memmove(array.ctypes.data + 5 * PAGE, np.full(10, 3.0).ctypes.data, 80)


def write_by_read(array: Any) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(np.full(PAGE, 3.0).tobytes())
        file.flush()
        assert os.preadv(file.fileno(), [memoryview(array).cast("B")[PAGE : 9 * PAGE]], 0)


def write_by_receiving(array: Any) -> None:
    one, other = socket.socketpair()
    with one, other:
        one.sendall(np.full(100, 3.0).tobytes())
        assert other.recv_into(memoryview(array).cast("B")[SIZE - 800 :]) == 800


def write_by_another_thread(array: Any) -> None:
    with ThreadPoolExecutor(1) as threads:
        threads.submit(write_by_numpy, array).result()


WRITES = [
    write_by_numpy,
    write_by_a_view,
    write_by_c,
    write_by_read,
    write_by_receiving,
    write_by_another_thread,
]


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
def test_a_write_is_seen_whoever_makes_it(remote: Remote, write: Callable[[Any], None]) -> None:
    array = known(remote, np.zeros(SIZE // 8))
    write(array)
    assert array.sum() > 0
    known(remote, array)


def test_other_memory_at_the_same_address_is_other_memory(remote: Remote) -> None:
    seen: dict[int, int] = {}
    for number in range(60):
        array = np.full(SIZE // 8, float(number))
        seen[array.ctypes.data] = seen.get(array.ctypes.data, 0) + 1
        known(remote, array)
        del array
    assert max(seen.values()) > 1, "no address came twice: nothing was tested"


def test_a_mapping_at_the_same_address_is_another_one(remote: Remote) -> None:
    for number in range(8):
        with mmap.mmap(-1, SIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
            array = np.frombuffer(memory)
            known(remote, array)
            array[number * 1000] = 5
            known(remote, array)
            del array


def test_memory_that_is_given_back_to_the_system_is_zero(remote: Remote) -> None:
    memory = mmap.mmap(-1, SIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    array = np.frombuffer(memory)
    array[:] = 1
    known(remote, array)
    memory.madvise(mmap.MADV_DONTNEED, 3 * PAGE, 5 * PAGE)
    assert remote(total, array) == (SIZE - 5 * PAGE) // 8
    known(remote, array)
    memory.madvise(mmap.MADV_DONTNEED)
    assert remote(total, array) == 0
    known(remote, array)


def test_memory_that_grows_in_place_or_moves(remote: Remote) -> None:
    memory = bytearray(np.ones(SIZE // 8))
    for factor in (2, 1, 8, 3):
        memory.extend(bytes(factor * SIZE))
        array = np.frombuffer(memory)
        known(remote, array)
        array[-1] += 1
        known(remote, array)
        del array
        del memory[factor * SIZE :]


def test_a_mapping_that_was_an_argument_can_be_resized(remote: Remote) -> None:
    memory = mmap.mmap(-1, SIZE + 100, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    array = np.frombuffer(memory, dtype=np.uint8)
    known(remote, array)
    del array
    memory.resize(64 * MIB)
    memory[5] = 5
    known(remote, np.frombuffer(memory, dtype=np.uint8))


def in_a_child(act: Callable[[], Any]) -> None:
    pid = os.fork()
    if pid == 0:
        act()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0


def test_what_another_process_writes_to_shared_memory_is_seen(remote: Remote) -> None:
    array = np.frombuffer(mmap.mmap(-1, SIZE))
    known(remote, array)
    in_a_child(lambda: array.__setitem__(5, 7))
    assert remote(total, array) == 7
    assert remote.keeper.compared > SIZE


def test_so_is_what_is_written_to_a_file(remote: Remote, tmp_path: Path) -> None:
    path = tmp_path / "data"
    np.zeros(SIZE // 8).tofile(path)
    for mode in ("r+", "c"):
        array = known(remote, np.memmap(path, np.float64, mode))
        with path.open("r+b") as file:
            file.seek(5 * PAGE)
            file.write(np.full(10, 3.0).tobytes())
        known(remote, array)
        path.write_bytes(bytes(SIZE))
        known(remote, array)


def test_a_forked_child_writes_what_is_its_own(remote: Remote) -> None:
    array = known(remote, np.ones(SIZE // 8))
    in_a_child(lambda: array.fill(5))
    assert remote(total, array) == SIZE // 8
    array[9] = 4
    in_a_child(lambda: array.fill(5))
    assert remote(total, array) == SIZE // 8 + 3


def test_arrays_that_overlap_are_seen_by_two_who_remember(world: World) -> None:
    """What one of them reads of the kernel's marks, the other is told."""
    session = world.session({"m": 1}, replica)
    first, second = Remote(session), Remote(session)
    whole = np.zeros(2 * SIZE // 8)
    part = whole[1000 : 1000 + SIZE // 8]
    rounds = np.random.default_rng(1).integers(0, len(whole), 60)
    for at in rounds:
        for remote, array in ((first, whole), (second, part), (second, whole), (first, part)):
            assert remote(total, array) == array.sum()
        whole[at] += 1
    for remote in (first, second):
        known(remote, whole)
        known(remote, part)


def test_threads_that_call_and_threads_that_write(remote: Remote) -> None:
    """Each call gets what was written before it, whatever other calls look at meanwhile."""
    array = known(remote, np.zeros(SIZE // 8))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:

        def work(slot: int) -> None:
            start, end = slot * 4 * PAGE, (slot + 1) * 4 * PAGE
            for number in range(1, 60):
                array[start + number % 8 * 300] = number
                expected = array[start:end:300].tolist()
                assert remote(part_of, array, start, end, 300) == expected

        with ThreadPoolExecutor(3) as threads:
            for done in [threads.submit(work, slot) for slot in range(3)]:
                done.result()
    finally:
        sys.setswitchinterval(before)


@needs_kernel
def test_what_is_written_again_and_again_with_what_it_held_is_compared_as_a_whole(
    remote: Remote,
) -> None:
    """A fault at each page costs more than comparing it; soon there are none any more."""
    array = known(remote, np.ones(SIZE // 8))
    for _ in range(6):
        array[:] = 1
        assert remote(total, array) == SIZE // 8
    before = remote.keeper.compared
    for _ in range(10):
        assert remote(total, array) == SIZE // 8
    assert remote.keeper.compared - before == 10 * SIZE
    for _ in range(100):
        assert remote(total, array) == SIZE // 8
    before = remote.keeper.compared
    assert remote(total, array) == SIZE // 8
    others = 2 * PAGE  # its first and last page may hold what others write
    assert remote.keeper.compared - before < others, "after a while it is tried again"
