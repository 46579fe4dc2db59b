"""Random steps with files, each of which tells what it found; for `test_same_view.py`."""

from __future__ import annotations

import fcntl
import mmap
import os
import shutil
import stat
import tempfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

# Files, folders and links that are there, that may come, and ways round to them.
NAMES = """
a b real big d1 d2 d1/a d1/b d2/a d1/e d1/e/x d2/e rd rd/f rd/g rd/sub/k rd/new to_real to_rd/f
to_rd/new to_none to_d1 to_d1/q d1/../a ./rd/../real rd/ a/ none/x real/x
""".split()


def lay_out() -> None:
    """Make what is there."""
    os.makedirs("rd/sub")
    texts = {"real": "real content\n" * 5, "big": "0123456789" * 1000, "rd/f": "f", "rd/g": "g"}
    for name, text in {**texts, "rd/sub/k": "k"}.items():
        with open(name, "w") as file:
            file.write(text)
    for name, target in {
        "to_real": "real",
        "to_rd": "rd",
        "to_none": "none",
        "to_d1": "d1/",
    }.items():
        os.symlink(target, name)


def _seen(path: str, *, follows: bool = True) -> object:
    about = os.stat(path, follow_symlinks=follows)
    if stat.S_ISDIR(about.st_mode):
        return stat.filemode(about.st_mode)
    return stat.filemode(about.st_mode), about.st_size, about.st_nlink, about.st_uid


def write(random: Random, path: str) -> object:
    with open(path, "w") as file:
        return file.write(f"w{random.randrange(99)}" * random.randrange(5)), file.tell()


def append(random: Random, path: str) -> object:
    with open(path, "a") as file:
        file.write(f"more{random.randrange(9)}")
        return file.tell(), file.fileno()


def update(random: Random, path: str) -> object:
    with open(path, "r+b") as file:
        file.seek(random.randrange(6))
        file.write(b"PATCH")
        file.flush()
        return os.pread(file.fileno(), 20, 0), os.fstat(file.fileno()).st_size


def create(_: Random, path: str) -> object:
    with open(path, "x") as file:
        return file.write("x")


def read(_: Random, path: str) -> object:
    with open(path, "rb") as file:
        return file.read()[:60]


def look(_: Random, path: str) -> object:
    return _seen(path)


def look_at_links(_: Random, path: str) -> object:
    return _seen(path, follows=False)


def ask(_: Random, path: str) -> object:
    tests = [os.path.exists, os.path.isfile, os.path.isdir, os.path.islink]
    rights = [os.access(path, right) for right in (os.R_OK, os.W_OK, os.X_OK)]
    return [test(path) for test in tests], rights


def list_names(_: Random, path: str) -> object:
    return sorted(os.listdir(path))


def list_entries(_: Random, path: str) -> object:
    entries = os.scandir(path)
    return sorted((entry.name, entry.is_dir(), entry.is_file()) for entry in entries)


def walk(_: Random, path: str) -> object:
    return sorted((at, sorted(folders), sorted(files)) for at, folders, files in os.walk(path))


def make_folder(random: Random, path: str) -> object:
    os.mkdir(path, random.choice([0o777, 0o750]))
    return _seen(path)


def make_folders(_: Random, path: str) -> object:
    os.makedirs(path, exist_ok=True)
    return _seen(path)


def remove_folder(_: Random, path: str) -> object:
    return os.rmdir(path)


def remove_tree(_: Random, path: str) -> object:
    return shutil.rmtree(path)


def remove(_: Random, path: str) -> object:
    return os.unlink(path)


def rename(random: Random, path: str) -> object:
    other = random.choice(NAMES)
    os.rename(path, other)
    return other, _seen(other, follows=False)


def write_in_place(_: Random, path: str) -> object:
    with open(path + ".tmp", "w") as file:
        file.write("atomic")
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".tmp", path)
    return _seen(path)


def truncate(random: Random, path: str) -> object:
    os.truncate(path, random.randrange(30))
    return _seen(path)


def change_mode(random: Random, path: str) -> object:
    os.chmod(path, random.choice([0o644, 0o600, 0o755]))
    return _seen(path)


def change_time(_: Random, path: str) -> object:
    os.utime(path, (5, 7))
    return os.stat(path).st_mtime


def link(random: Random, path: str) -> object:
    os.symlink(os.path.basename(random.choice(NAMES)), path)
    return _seen(path, follows=False), os.readlink(path)


def read_link(_: Random, path: str) -> object:
    return os.readlink(path)


def resolve(_: Random, path: str) -> object:
    return os.path.relpath(os.path.realpath(path))


def copy(random: Random, path: str) -> object:
    other = random.choice(NAMES)
    shutil.copyfile(path, other)
    return other, _seen(other)


def copy_with_times(_: Random, path: str) -> object:
    os.utime(path, (5, 7))
    shutil.copy2(path, "copied")
    return os.stat("copied").st_mtime, _seen("copied")


def copy_range(_: Random, path: str) -> object:
    with open(path, "rb") as source, open("range", "wb") as target:
        count = os.copy_file_range(source.fileno(), target.fileno(), 7)
        return count, source.tell(), os.fstat(target.fileno()).st_size


def compare(random: Random, path: str) -> object:
    return os.path.samefile(path, random.choice(NAMES))


def go_by_descriptors(_: Random, path: str) -> object:
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        file = os.open("by", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600, dir_fd=folder)
        os.write(file, b"z")
        os.close(file)
        return os.stat("by", dir_fd=folder).st_size, folder, sorted(os.listdir(folder))
    finally:
        os.close(folder)


def enter(random: Random, path: str) -> object:
    back = os.getcwd()
    os.chdir(random.choice(["rd", "to_rd", "rd/../rd/sub", "none", "real"]))
    try:
        with open("a", "a") as file:
            file.write("inside")
        names = sorted(os.listdir()), os.path.exists(f"../{path}")
        return os.path.relpath(os.getcwd(), back), names, file.name
    finally:
        os.chdir(back)


def write_temporary(_: Random, path: str) -> object:
    with tempfile.TemporaryFile(dir=".") as file:
        file.write(b"hello")
        file.seek(1)
        return file.read(), file.fileno(), os.fstat(file.fileno()).st_nlink


def read_and_append(_: Random, path: str) -> object:
    with open(path, "rb") as reader, open(path, "ab") as writer:
        writer.write(b"tail")
        writer.flush()
        reader.read(3)
        return reader.read()[-10:], reader.tell(), reader.fileno(), writer.fileno()


def remove_while_open(_: Random, path: str) -> object:
    with open(path, "w+") as file:
        file.write("still")
        file.flush()
        os.unlink(path)
        file.seek(0)
        return file.read(), os.fstat(file.fileno()).st_nlink, os.path.exists(path)


def duplicate(_: Random, path: str) -> object:
    one = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    other = os.dup(one)
    os.write(one, b"one")
    os.write(other, b"two")
    at = os.lseek(one, 0, os.SEEK_CUR)
    os.dup2(other, one)
    os.close(other)
    os.close(one)
    return at, one, other


def change_mapped(_: Random, path: str) -> object:
    with open(path, "r+b") as file:
        file.write(b"m")
        file.flush()
        with mmap.mmap(file.fileno(), 0) as mapped:
            mapped[0:1] = b"M"
        return file.seek(0), file.read(5)


def lock(_: Random, path: str) -> object:
    with open(path, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return file.tell()


# What is done most makes the others find something.
STEPS: list[Any] = [
    *[write, append, update, create, read, look, list_names, make_folder, make_folders] * 2,
    *[look_at_links, ask, list_entries, walk, remove_folder, remove_tree, remove, rename],
    *[write_in_place, truncate, change_mode, change_time, link, link, read_link, resolve, copy],
    *[copy_with_times, copy_range, compare, go_by_descriptors, enter, write_temporary],
    *[read_and_append, remove_while_open, duplicate, change_mapped, lock],
]


def take(random: Random) -> str:
    """Do one step; what it found, or how it failed."""
    step, path = random.choice(STEPS), random.choice(NAMES)
    try:
        found = step(random, path)
    except OSError as error:
        found = type(error).__name__, error.errno, error.filename
    return f"{step.__name__} {path} {found}"


def each(function: Callable[[int, str], object], random: Random, count: int) -> list[str]:
    """Send what each of `count` steps finds."""
    found = []
    for number in range(count):
        found.append(take(random))
        function(number, found[-1])
    return found
