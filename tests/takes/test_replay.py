"""Reading ahead: scouts see what comes, the program gets what it would have got."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from cord._core import Cursor, Replay, ScoutEnd
from cord.runtime.io.files import Tee, place_beside

OPEN = frozenset({"builtins.open"})


def counted(read: list[int], end: int) -> Iterator[int]:
    for number in range(end):
        read.append(number)
        yield number


def test_what_a_scout_has_read_the_program_gets_first() -> None:
    read: list[int] = []
    replay = Replay(counted(read, 4))
    scout = replay.cursor()
    assert [next(scout), next(scout)] == [0, 1]
    assert read == [0, 1]
    assert next(replay) == 0
    assert next(scout) == 2
    assert list(replay) == [1, 2, 3]
    assert read == [0, 1, 2, 3]


def test_a_new_scout_begins_where_the_program_is() -> None:
    replay = Replay(iter(range(5)))
    next(replay.cursor())
    next(replay)
    assert list(replay.cursor()) == [1, 2, 3, 4]
    assert list(replay) == [1, 2, 3, 4]


def test_a_scout_that_the_program_has_passed_ends() -> None:
    replay = Replay(iter(range(5)))
    scout = replay.cursor()
    next(replay)
    with pytest.raises(ScoutEnd):
        next(scout)


def test_the_end_comes_once_and_then_the_iterator_is_asked_again() -> None:
    answers = [1, None, 2, None]
    replay = Replay(iter(lambda: answers.pop(0) if answers else None, "never"))
    assert next(replay.cursor()) == 1

    class Tail:
        def __iter__(self) -> Tail:
            return self

        def __next__(self) -> int:
            answer = answers.pop(0)
            if answer is None:
                raise StopIteration
            return answer

    answers = [1, None, 2, None]
    tail = Replay(Tail())
    assert list(tail.cursor()) == [1]
    assert [list(tail), list(tail)] == [[1], [2]]


def test_an_exception_is_the_programs() -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise ValueError("bad")

    replay = Replay(failing())
    scout = replay.cursor()
    assert next(scout) == 1
    with pytest.raises(ScoutEnd):
        next(scout)
    assert next(replay) == 1
    with pytest.raises(ValueError, match="bad") as caught:
        next(replay)
    assert [entry.name for entry in caught.traceback] == [
        "test_an_exception_is_the_programs",
        "failing",
    ]
    assert list(replay) == []


def test_an_interrupt_while_a_scout_reads_is_no_item() -> None:
    def interrupted() -> Iterator[int]:
        raise KeyboardInterrupt
        yield 1

    replay = Replay(interrupted())
    with pytest.raises(KeyboardInterrupt):
        next(replay.cursor())
    assert list(replay) == []


def test_nothing_is_read_while_an_exception_is_handled() -> None:
    replay = Replay(iter(range(3)))
    try:
        raise KeyError
    except KeyError:
        with pytest.raises(ScoutEnd):
            next(replay.cursor())
    assert list(replay) == [0, 1, 2]


def test_a_scout_inside_the_iterator_reads_nothing() -> None:
    refused: list[bool] = []

    def reading() -> Iterator[int]:
        for number in range(2):
            try:
                next(replay.cursor())
            except ScoutEnd:
                refused.append(True)
            yield number

    replay = Replay(reading())
    assert list(replay) == [0, 1]
    assert refused == [True, True]


def test_the_iterator_ends_with_the_programs_loop() -> None:
    ended: list[str] = []

    def closing() -> Iterator[int]:
        try:
            yield from range(10)
        finally:
            ended.append("closed")

    replay = Replay(closing())
    scout = replay.cursor()
    next(scout)
    del replay
    assert ended == ["closed"]
    with pytest.raises(ScoutEnd):
        next(scout)


def test_so_far_and_no_farther() -> None:
    read: list[int] = []
    replay = Replay(counted(read, 100_000))
    with pytest.raises(ScoutEnd):
        list(replay.cursor())
    assert len(read) == 10_001
    assert next(replay) == 0


def test_long_lines_count_by_their_length() -> None:
    replay = Replay(iter(["x" * (1 << 20)] * 1000))
    scout = replay.cursor()
    with pytest.raises(ScoutEnd):
        for _ in range(1000):
            next(scout)
    assert sum(1 for _ in replay) == 1000


def test_beside_a_reader_of_its_own_the_programs_is_not_moved(tmp_path) -> None:
    path = tmp_path / "lines"
    path.write_text("a\nb\nc\nd\n")
    with open(path) as handle:
        handle.readline()
        place = place_beside(handle, OPEN)
        assert isinstance(place, Cursor)
        assert list(place) == ["b\n", "c\n", "d\n"]
        assert handle.tell() == 2
        assert handle.readline() == "b\n"


@pytest.mark.parametrize("mode", ["r+", "w+", "a+"])
def test_no_reading_beside_what_is_also_written(tmp_path, mode: str) -> None:
    (tmp_path / "lines").write_text("a\n")
    with open(tmp_path / "lines", mode) as handle:
        assert place_beside(handle, OPEN) is None


def test_no_reading_beside_what_was_not_assumed(tmp_path) -> None:
    (tmp_path / "lines").write_text("a\n")
    with open(tmp_path / "lines") as handle:
        assert place_beside(handle, frozenset()) is None
        assert place_beside(handle, frozenset({"sys.stdin"})) is None
    assert place_beside(handle, OPEN) is None  # closed


def test_a_tee_never_waits_for_a_line() -> None:
    reading, writing = os.pipe()
    tee = Tee(reading)
    os.write(writing, b"one\ntw")
    assert tee.line(0) == b"one\n"
    with pytest.raises(ScoutEnd):
        tee.line(4)
    os.write(writing, b"o\n")
    assert tee.line(4) == b"two\n"
    os.write(writing, b"end")
    os.close(writing)
    assert [tee.line(8), tee.line(11)] == [b"end", b""]
    space = bytearray(5)
    assert (tee.readinto(space), bytes(space)) == (5, b"one\nt")
    assert tee.read(2) == b"wo"
    assert tee.readall() == b"\nend"
    assert tee.readall() == b""
    os.close(reading)


def test_a_tee_forgets_what_is_long_past() -> None:
    reading, writing = os.pipe()
    tee = Tee(reading)
    for _ in range(200):
        os.write(writing, b"x" * 20_000 + b"\n")
        assert len(tee.read(20_001) or b"") == 20_001
    with pytest.raises(ScoutEnd):
        tee.line(0)
    assert tee.line(199 * 20_001) == b"x" * 20_000 + b"\n"
    os.close(writing)
    os.close(reading)


def test_lines_that_the_program_has_had_are_passed_by_at_once() -> None:
    reading, writing = os.pipe()
    tee = Tee(reading)
    os.write(writing, b"a\nbb\nccc\ndddd\n")
    assert tee.read(10) == b"a\nbb\nccc\nd"
    assert tee.after(0, 2) == 5
    assert tee.after(2, 2) == 9
    with pytest.raises(ScoutEnd):
        tee.after(0, 4)
    os.close(writing)
    os.close(reading)
