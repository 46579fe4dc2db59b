"""Copies never change a real file: one program for each way to try, in which only copies do.

The programs tell a copy from the program by ``/proc/self``. They print what has changed in their
folder since the start, to the nanosecond. A copy that could not do what it tries would not come to
the call behind it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program_case import Case, run_script

from sampling import sample

FORCED = [str(Path(__file__).parent / "told_run.py"), "forced"]
WORK = """\
import time

def nap(x):
    time.sleep(NAP if x else 10 * NAP)  # the first copy has time
    return x + 1000
"""
# What stands before the loop, and what copies do in each round.
TRIED = {
    "write": ("", "open('f', 'w').write('x')"),
    "append": ("", "open('f', 'a').write('x')"),
    "update": ("", "d = open('f', 'r+b', 0); d.seek(2); d.write(b'x')"),
    "write_through_a_link": ("", "open('to_f', 'w').write('x')"),
    "write_through_a_folder_that_is_a_link": ("", "open('to_d/inner', 'w').write('x')"),
    "write_by_a_descriptor_of_the_folder": (
        "at = os.open('d', os.O_RDONLY)",
        "os.write(os.open('inner', os.O_WRONLY | os.O_TRUNC, dir_fd=at), b'x')",
    ),
    "write_what_was_open": ("f = open('f', 'r+b', 0)", "f.write(b'x')"),
    "append_to_what_was_open": ("f = open('f', 'ab', 0)", "f.write(b'x')"),
    "pwrite_to_what_was_open": (
        "f = open('f', 'r+b', 0)",
        "os.pwrite(f.fileno(), b'xyz', 1); os.pwritev(f.fileno(), [b'x', b'y'], 5)",
    ),
    "writev": ("", "os.writev(os.open('f', os.O_WRONLY), [b'x', b'y'])"),
    "truncate_what_was_open": ("f = open('f', 'r+b', 0)", "f.truncate(2)"),
    "duplicate": (
        "f = open('f', 'r+b', 0)",
        "d = os.dup(f.fileno()); os.write(d, b'x'); os.dup2(d, 60); os.write(60, b'y')",
    ),
    "duplicate_by_fcntl": (
        "f = open('f', 'r+b', 0)",
        "os.write(fcntl.fcntl(f, fcntl.F_DUPFD, 70), b'x')",
    ),
    "what_was_open_twice": (
        "f = open('f', 'r+b', 0); g = open('f', 'r+b', 0)",
        "f.write(b'x'); g.write(b'y'); assert open('f', 'rb').read(1) == b'y'",
    ),
    "what_was_open_without_a_name": (
        "open('g', 'w').write('g'); f = open('g', 'r+b', 0); os.unlink('g')",
        "f.write(b'x'); assert os.fstat(f.fileno()).st_nlink == 0",
    ),
    "what_is_read": (
        "f = open('f', 'rb', 0); f.read(3)",
        "open('f', 'r+').write('abcdef'); assert f.read(3) == b'def'",
    ),
    "locked_before": (
        "f = open('f', 'r+b', 0); fcntl.flock(f, fcntl.LOCK_EX)",
        "fcntl.flock(f, fcntl.LOCK_UN); f.write(b'x')",
    ),
    "create": ("", "open('new', 'x').write('x')"),
    "create_exclusively": (
        "",
        "d = os.open('new', os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600); os.write(d, b'x')",
    ),
    "create_in_a_folder": ("", "open('d/new', 'w').write('x')"),
    "create_through_a_link_to_nothing": ("", "open('to_nothing', 'w').write('x')"),
    "without_a_name": (
        "",
        "d = os.open('.', os.O_RDWR | os.O_TMPFILE, 0o600); os.write(d, b'x')",
    ),
    "truncate": ("", "os.truncate('f', 3)"),
    "truncate_through_a_link": ("", "os.truncate('to_f', 3)"),
    "unlink": ("", "os.unlink('f'); assert not os.path.exists('f')"),
    "unlink_a_link": ("", "os.unlink('to_f'); assert os.path.exists('f')"),
    "unlink_by_a_descriptor": ("at = os.open('d', os.O_RDONLY)", "os.unlink('inner', dir_fd=at)"),
    "remove_a_tree": ("", "shutil.rmtree('d'); assert not os.path.exists('d')"),
    "remove_a_folder": ("", "os.rmdir('empty'); assert not os.path.exists('empty')"),
    "rename": ("", "os.rename('f', 'g'); assert not os.path.exists('f')"),
    "rename_a_file_of_its_own": ("", "open('t', 'w').write('x'); os.rename('t', 'g')"),
    "replace": ("", "open('t', 'w').write('x'); os.replace('t', 'f')"),
    "replace_into_a_folder": ("", "open('t', 'w').write('x'); os.replace('t', 'd/inner')"),
    "replace_by_a_real_file": ("", "os.replace('f', 'd/inner')"),
    "write_what_was_renamed": (
        "",
        "open('f', 'a').close(); os.rename('f', 'g'); open('g', 'a').write('x')",
    ),
    "rename_a_folder_of_its_own": (
        "",
        "os.mkdir('e'); open('e/x', 'w').close(); "
        "os.rename('e', f'd/e{i}'); open(f'd/e{i}/x', 'a').write('x')",
    ),
    "mkdir": ("", "os.mkdir('new'); os.makedirs('d/a/b/c'); open('d/a/b/c/x', 'w').close()"),
    "chmod": ("", "os.chmod('f', 0o600); assert os.stat('f').st_mode & 0o777 == 0o600"),
    "fchmod": ("f = open('f', 'r+b', 0)", "os.fchmod(f.fileno(), 0o600)"),
    "fchown": ("f = open('f', 'r+b', 0)", "os.fchown(f.fileno(), os.getuid(), os.getgid())"),
    "utime": ("", "os.utime('f', (3, 5)); assert os.stat('f').st_mtime == 5"),
    "utime_of_a_descriptor": ("f = open('f', 'r+b', 0)", "os.utime(f.fileno(), (3, 5))"),
    "touch": ("", "pathlib.Path('f').touch(); pathlib.Path('new').touch()"),
    "copyfile": ("", "shutil.copyfile('f', 'd/inner')"),
    "copy2": ("", "shutil.copy2('f', 'd/inner'); shutil.copy2('f', 'd/new')"),
    "move": ("", "shutil.move('f', 'd/f'); shutil.move('d/f', 'd/inner')"),
    "sendfile": (
        "f = open('f', 'r+b', 0)",
        "os.sendfile(f.fileno(), os.open('d/inner', os.O_RDONLY), 0, 5)",
    ),
    "copy_file_range": (
        "f = open('f', 'r+b', 0)",
        "assert os.copy_file_range(os.open('d/inner', os.O_RDONLY), f.fileno(), 5) == 5",
    ),
    "fallocate": ("f = open('f', 'r+b', 0)", "os.posix_fallocate(f.fileno(), 0, 9999)"),
    "map": (
        "",
        "m = mmap.mmap(os.open('f', os.O_RDWR), 0); m[0:1] = b'x'; assert open('f').read(1) == 'x'",
    ),
    "map_what_was_open": (
        "f = open('f', 'r+b', 0)",
        "mmap.mmap(f.fileno(), 0)[0:1] = b'x'",
    ),
    "sync": ("f = open('f', 'r+b', 0)", "f.write(b'x'); os.fsync(f.fileno()); os.fdatasync(f)"),
    "sync_a_folder": ("", "os.fsync(os.open('d', os.O_RDONLY))"),
    "lock": ("f = open('f', 'r+b', 0)", "fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)"),
    "lock_a_range": ("f = open('f', 'r+b', 0)", "fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB)"),
    "a_lock_file": (
        "",
        "d = os.open('f.lock', os.O_RDWR | os.O_CREAT); fcntl.flock(d, fcntl.LOCK_EX); "
        "os.unlink('f.lock')",
    ),
    "temporary": (
        "tempfile.NamedTemporaryFile(dir='.').close()",
        "f = tempfile.NamedTemporaryFile('w', dir='.', delete=False); f.write('x'); f.close()",
    ),
    "temporary_folder": (
        "folder = tempfile.TemporaryDirectory(dir='.'); open(folder.name + '/x', 'w').close()",
        "folder.cleanup(); assert not os.path.exists(folder.name)",
    ),
    "flags": (
        "f = open('f', 'r+b', 0)",
        "fcntl.fcntl(f, fcntl.F_SETFL, os.O_APPEND); f.write(b'x')",
    ),
    "umask": ("", "os.umask(0o77); open('new', 'w').close()"),
    "symlink": (
        "",
        "os.symlink('d', 'l'); open('l/new', 'w').close(); os.replace('l', 'to_d'); "
        "assert os.listdir('to_d') == os.listdir('d')",
    ),
    "times_of_a_folder": ("", "os.utime('d', (3, 5))"),
    "copytree": (
        "",
        "shutil.copytree('d', 'new'); shutil.copytree('d', 'new', dirs_exist_ok=True)",
    ),
    "flush_what_is_mapped": (
        "",
        "m = mmap.mmap(os.open('f', os.O_RDWR), 0); m[0:1] = b'x'; m.flush()",
    ),
    "read_for_the_first_time": (
        "open('unread', 'w').close(); os.utime('unread', (1, 10**9))",
        "open('unread').read(); open('unread', 'a').write('x')",
    ),
    "null": ("", "open(os.devnull, 'w').write('x')"),
    "database": (
        "db = sqlite3.connect('db'); db.execute('create table t (x)'); db.commit()",
        "db.execute('insert into t values (1)'); db.commit()",
    ),
    "numbers_of_hidden_descriptors": ("", "open('f', 'a').close(); closed()"),
}
PROGRAM = """\
import fcntl, mmap, os, pathlib, shutil, sqlite3, sys, tempfile
import work

def closed():
    for number in {{*range(500, 600), *range(2040, 2100), *range(14330, 14400)}}:
        try:
            os.close(number)
        except OSError:
            pass
    assert open('f', 'a').write('x')

def is_copy():
    return os.readlink('/proc/self') != str(os.getpid())

def seen():
    found = {{}}
    for folder, folders, files in os.walk('.'):
        for name in [*folders, *files]:
            path = os.path.join(folder, name)
            about = os.lstat(path)
            text = about.st_atime_ns if name == 'unread' else None
            if os.path.isfile(path) and name != 'unread':
                text = open(path, 'rb').read()
            found[path] = text, about[:7], about.st_mtime_ns, about.st_ctime_ns
    return found

os.mkdir('d')
os.mkdir('empty')
for path in ['f', 'd/inner']:
    with open(path, 'w') as file:
        file.write('what is real ' * 9)
os.symlink('f', 'to_f')
os.symlink('d', 'to_d')
os.symlink('none', 'to_nothing')
{first}
before = seen()
kept = []
for i in range({rounds}):
    work.nap(i)
    if is_copy():
        {tried}
    work.nap(i + 10)
after = seen()
print([path for path in {{**before, **after}} if before.get(path) != after.get(path)])
"""
PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
repeatable = true
"""
ROUNDS = 3


@pytest.mark.parametrize("name", sample(list(TRIED), 3, of="real files"))
def test_real_files_stay_as_they_are(name: str, tmp_path: Path) -> None:
    first, tried = TRIED[name]
    text = PROGRAM.format(first=first, tried=tried, rounds=ROUNDS)
    ends = {}
    for nap in (0.02, 0.2):  # a copy that others keep from running comes to no call
        work = f"NAP = {nap}\n{WORK}"
        case = Case(name, name, {}, {"work.py": work, "main.py": text})
        program, told = tmp_path / str(nap), tmp_path / f"{nap}.json"
        case.write(program, PLAN)
        cord = run_script(case, program, [*FORCED, str(told)])
        assert cord.stdout == b"[]\n", cord.stderr
        _, issued, _, ends, refused, *_ = json.loads(told.read_text())
        assert refused is None and not any("system call" in how for how in ends), ends
        if issued > 0:
            return
    raise AssertionError(ends)


TOO_MUCH = {
    "files": "[open(f'new{n}', 'w').close() for n in range(1100)]",
    "bytes": "open('new', 'wb').write(bytes(65 << 20))",
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_copies_end_where_they_write_too_much(what: str, tmp_path: Path) -> None:
    text = PROGRAM.format(first="", tried=TOO_MUCH[what], rounds=1)
    work = f"NAP = 0.2\n{WORK}"
    case = Case(what, what, {}, {"work.py": work, "main.py": text})
    case.write(tmp_path / "program", PLAN)
    told = tmp_path / "told.json"
    cord = run_script(case, tmp_path / "program", [*FORCED, str(told)])
    assert cord.stdout == b"[]\n", cord.stderr
    assert "too many files, or too much in them" in json.loads(told.read_text())[3]
