"""A copy of the program that runs ahead leaves no trace: one program for each kind of effect.

Each program comes to its effect between remote calls. So its copies come to it too, before the
program does; and if they did what it does, output, files, children, signals or offsets would
differ.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program_case import Case, Observed, run_plain, run_script

from sampling import sample

FORCED = [str(Path(__file__).parent / "told_run.py"), "forced"]
ROUNDS = 4
WORK = """\
import time

def nap(x):
    time.sleep(0.002)
    return x + 1000
"""
# What stands before the loop, and what is done in each round, with its number in `i`.
EFFECTS = {
    "nothing": ("", "pass"),
    "print": ("", "print('round', i)"),
    "write_stdout": ("", "os.write(1, b'raw\\n')"),
    "writev_stdout": ("", "os.writev(1, [b'a', b'b\\n'])"),
    "write_stderr": ("", "sys.stderr.write('err\\n')"),
    "append_to_a_log": (
        "log = open('log.txt', 'a', buffering=1)",
        "log.write(f'{i}\\n')",
    ),
    "read_what_was_logged": (
        "log = open('log.txt', 'a', buffering=1)",
        "log.write(f'{i}\\n'); i = len(open('log.txt').read())",
    ),
    "stat_what_was_logged": (
        "log = open('log.txt', 'a', buffering=1)",
        "log.write(f'{i}\\n'); i = os.path.getsize('log.txt')",
    ),
    "open_for_writing": ("", "open(f'f{i}.txt', 'w').write('x')"),
    "open_for_appending": ("", "open('all.txt', 'a').write('x')"),
    "update_in_place": (
        "open('d.bin', 'wb').write(b'0' * 64); d = open('d.bin', 'r+b', buffering=0)",
        "d.write(b'%d' % i)",
    ),
    "pwrite": (
        "d = os.open('d.bin', os.O_RDWR | os.O_CREAT)",
        "os.pwrite(d, b'x', i); print(os.lseek(d, 0, os.SEEK_CUR))",
    ),
    "truncate": ("d = open('d.bin', 'wb')", "d.truncate(i)"),
    "sendfile": (
        "open('s.bin', 'wb').write(b'0' * 64); s = open('s.bin', 'rb'); d = open('d.bin', 'wb')",
        "os.sendfile(d.fileno(), s.fileno(), 0, 5)",
    ),
    "copy_file_range": (
        "open('s.bin', 'wb').write(b'0' * 64); s = open('s.bin', 'rb'); d = open('d.bin', 'wb')",
        "os.copy_file_range(s.fileno(), d.fileno(), 3)",
    ),
    "read_on": (
        "open('s.txt', 'w').write('\\n'.join(map(str, range(99)))); s = os.open('s.txt', 0)",
        "i = int(os.read(s, 2)); print(os.lseek(s, 0, os.SEEK_CUR))",
    ),
    "read_lines": (
        "open('s.txt', 'w').write('\\n'.join(map(str, range(99)))); s = open('s.txt')",
        "i = int(s.readline())",
    ),
    "unlink": (
        "[open(f'f{n}', 'w').close() for n in range(9)]",
        "os.unlink(f'f{i}')",
    ),
    "rename": ("open('f0', 'w').close()", "os.rename(f'f{i}', f'f{i + 1}')"),
    "link": ("open('f', 'w').close()", "os.link('f', f'g{i}')"),
    "symlink": ("", "os.symlink('f', f'g{i}')"),
    "mkdir": ("", "os.mkdir(f'd{i}'); open(f'd{i}/f', 'w').close()"),
    "rmdir": ("[os.mkdir(f'd{n}') for n in range(9)]", "os.rmdir(f'd{i}')"),
    "mkfifo": ("", "os.mkfifo(f'p{i}')"),
    "chmod": (
        "open('f', 'w').close()",
        "print(oct(os.stat('f').st_mode)); os.chmod('f', 0o600 + i)",
    ),
    "fchmod": (
        "f = open('f', 'w')",
        "os.fchmod(f.fileno(), 0o600 + i); print(os.stat('f').st_mode)",
    ),
    "utime": ("open('f', 'w').close()", "os.utime('f', (i, i)); print(os.stat('f').st_mtime)"),
    "setxattr": ("open('f', 'w').close()", "attribute(i)"),
    "flock": ("f = open('f', 'w')", "lock(f)"),
    "fcntl_lock": (
        "f = open('f', 'w')",
        "fcntl.lockf(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_UN)",
    ),
    "pipe": ("r, w = os.pipe()", "os.write(w, b'%d' % i); print(os.read(r, 9))"),
    "pipe_before": ("r, w = os.pipe(); os.write(w, b'0123456789')", "print(os.read(r, 2))"),
    "fifo_is_opened": (
        "os.mkfifo('p'); threading.Thread(target=feed, daemon=True).start()",
        "print(len(open('p').read()))",
    ),
    "socketpair": (
        "a, b = socket.socketpair()",
        "a.sendall(b'%d' % i); print(b.recv(9))",
    ),
    "sendmsg": ("a, b = socket.socketpair()", "a.sendmsg([b'x']); print(b.recv(9))"),
    "connect": (
        "s = socket.create_server(('127.0.0.1', 0)); s.settimeout(9)",
        "c = socket.create_connection(s.getsockname()); "
        "s.accept()[0].sendall(b'hi'); print(c.recv(9))",
    ),
    "connect_in_vain": ("", "refused(i)"),
    "bind": ("", "s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()"),
    "shutdown": (
        "pairs = [socket.socketpair() for _ in range(9)]",
        "pairs[i][0].shutdown(2); print(pairs[i][1].recv(1))",
    ),
    "kill": ("signal.signal(signal.SIGUSR1, hear)", "os.kill(os.getpid(), signal.SIGUSR1)"),
    "raise_signal": ("signal.signal(signal.SIGUSR1, hear)", "signal.raise_signal(signal.SIGUSR1)"),
    "kill_parent": ("signal.signal(signal.SIGUSR1, hear)", "os.kill(os.getpid(), 0)"),
    "alarm": (
        "signal.signal(signal.SIGALRM, hear)",
        "signal.alarm(100); print(signal.alarm(0) > 90)",
    ),
    "itimer": ("signal.signal(signal.SIGALRM, hear)", "signal.setitimer(0, .001); signal.pause()"),
    "handlers": (
        "",
        "signal.signal(signal.SIGUSR1, hear); print(signal.getsignal(signal.SIGUSR1) is hear)",
    ),
    "fork": ("", "p = os.fork() or os._exit(i); print(os.waitpid(p, 0)[1])"),
    "spawn": ("", "print(subprocess.run(['echo', str(i)], stdout=subprocess.PIPE).stdout)"),
    "system": ("", "os.system(f'echo {i} >> said.txt')"),
    "exec": ("", "p = os.fork() or os.execlp('true', 'true'); print(os.waitpid(p, 0)[1])"),
    "thread": ("", "t = threading.Thread(target=print, args=('thread', i)); t.start(); t.join()"),
    "thread_with_files": (
        "",
        "t = threading.Thread(target=lambda: os.mkdir(f'd{i}') or open('f', 'a').write(str(i)));"
        " t.start(); t.join(); i += len(open('f').read())",
    ),
    "thread_with_children": (
        "",
        "t = threading.Thread(target=os.system, args=(f'echo {i} >> said.txt',));"
        " t.start(); t.join()",
    ),
    "thread_that_serves": (
        "q, a = queue.Queue(), queue.Queue(); threading.Thread(daemon=True, target=lambda: [("
        "os.write(1, b'served\\n'), os.kill(os.getpid(), 0), a.put(x + 1)) "
        "for x in iter(q.get, None)]).start()",
        "q.put(i); i += a.get()",
    ),
    "blocked_signals": (
        "",
        "print(signal.pthread_sigmask(i % 2, {signal.SIGUSR1, signal.SIGSYS}))",
    ),
    "no_children": ("", "childless()"),
    "no_sigchld": ("signal.signal(signal.SIGCHLD, hear)", "pass"),
    "pid": (
        "mine = os.getpid()",
        "i += (os.getpid() == mine) * 7 + (threading.get_native_id() == mine)",
    ),
    "parent": ("mine = os.getppid()", "i += os.getppid() == mine"),
    "epoll": (
        "e = select.epoll(); r, w = os.pipe(); e.register(r, select.EPOLLIN)",
        "e.modify(r, select.EPOLLIN); os.write(w, b'x'); "
        "print(e.poll(1) == [(r, 1)]); os.read(r, 1)",
    ),
    "epoll_is_left": (
        "e = select.epoll(); r, w = os.pipe(); os.write(w, b'x')",
        "e.register(r, 1); print(len(e.poll(1))); e.unregister(r)",
    ),
    "looks_at_epoll": (
        "e = select.epoll(); r, w = os.pipe(); e.register(r, select.EPOLLIN); os.write(w, b'x')",
        "e.modify(r, 1 * (i % 2)); print(e.poll(0))",
    ),
    "looks_at_what_has_come": (
        "e = select.epoll(); r, w = os.pipe(); e.register(r, select.EPOLLIN); os.write(w, b'x')",
        "print(len(e.poll(0)), len(select.select([r], [], [], 0)[0])); i += len(e.poll(0))",
    ),
    "looks_by_poll": (
        "r, w = os.pipe(); p = select.poll(); p.register(r); os.write(w, b'x')",
        "print(p.poll(0)); i += len(p.poll(0))",
    ),
    "poll": ("r, w = os.pipe(); p = select.poll(); p.register(r)", "print(p.poll(1))"),
    "mmap_shared": (
        "open('m.bin', 'wb').write(b'0' * 4096); m = mmap.mmap(os.open('m.bin', os.O_RDWR), 4096)",
        "m[i] = 49 + m[i + 1] - 48; print(m[:9])",
    ),
    "mmap_anonymous": (
        "m = mmap.mmap(-1, 4096)",
        "m[0] += 1; print(m[0])",
    ),
    "mmap_file": (
        "open('m.bin', 'wb').write(bytes(range(64)))",
        "i += mmap.mmap(os.open('m.bin', 0), 64, prot=mmap.PROT_READ)[i]",
    ),
    "shared_memory": (
        "s = shared_memory.SharedMemory(create=True, size=64)",
        "s.buf[0] += 1; print(s.buf[0])",
    ),
    "shared_memory_made": (
        "",
        "s = shared_memory.SharedMemory(create=True, size=64); s.close(); s.unlink()",
    ),
    "memfd": ("d = os.memfd_create('x')", "os.write(d, b'x'); print(os.fstat(d).st_size)"),
    "memfd_with_a_child": (
        "d = os.memfd_create('x'); os.ftruncate(d, 64); m = mmap.mmap(d, 64)",
        "m[0] += 1; p = os.fork() or os._exit(m[0]); print(os.waitpid(p, 0)[1] >> 8)",
    ),
    "semaphore": ("s = multiprocessing.Semaphore(9)", "s.acquire(); print(s.get_value())"),
    "queue": ("q = queue.Queue()", "q.put(i); i += q.get()"),
    "eventfd": ("e = eventfd()", "bump(e)"),
    "timerfd": ("", "libc.timerfd_create(1, 0)"),
    "inotify": ("n = libc.inotify_init()", "print(libc.inotify_add_watch(n, b'.', 0x100))"),
    "inotify_of_what_is_read": (
        "open('w', 'w').close(); n = libc.inotify_init(); libc.inotify_add_watch(n, b'w', 0x20)",
        "open('w').close(); print(len(os.read(n, 999)))",
    ),
    "times_of_reading": (
        "open('w', 'w').close(); os.utime('w', (1, 10**9))",
        "print(os.stat('w').st_atime == 1); i += len(open('w').read())",
    ),
    "ptrace": ("", "print(libc.ptrace(16, 999999999, 0, 0))"),
    "prctl": ("", "libc.prctl(15, b'name%d' % i); print(open('/proc/self/comm').read())"),
    "ioctl": (
        "r, w = os.pipe()",
        "fcntl.ioctl(w, 0x5421, struct.pack('i', 1)); print(os.get_blocking(r))",
    ),
    "msgget": (
        "",
        "print(libc.msgget(0, 0o1600) >= 0 and libc.msgctl(libc.msgget(i + 1, 0), 0, 0))",
    ),
    "shmget": ("", "at = libc.shmget(0, 64, 0o1600); print(libc.shmctl(at, 0, 0))"),
    "chdir": ("os.mkdir('d0')", "os.mkdir(f'x{i}'); os.chdir(f'x{i}'); open('here', 'w').close()"),
    "chdir_back": ("", "os.chdir('..'); os.chdir(home)"),
    "umask": ("", "os.umask(0o22); print(os.umask(0o77))"),
    "nice": ("", "print(os.nice(0))"),
    "sched": ("", "print(os.sched_getscheduler(0), len(os.sched_getaffinity(0)) > 0)"),
    "rlimit": (
        "",
        "print(resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_AS))",
    ),
    "environment": ("", "os.environ['ROUND'] = str(i); print(os.environ['ROUND'])"),
    "random": ("random.seed(5)", "i += random.randrange(9); print(random.random())"),
    "urandom": ("", "i += len(os.urandom(9))"),
    "temporary": ("", "f = tempfile.TemporaryFile(); f.write(b'x'); f.seek(0); print(f.read())"),
    "close": ("ds = [os.open('.', 0) for _ in range(9)]", "os.close(ds[i]); os.open('.', 0)"),
    "dup2": (
        "",
        "d = os.dup(1); os.dup2(2, 1); os.dup2(d, 1); os.close(d); os.write(1, b'out\\n')",
    ),
    "descriptors": (
        "",
        "d = os.open('.', 0); e = os.dup(d); print(e > d); "
        "print(os.listdir(f'/proc/self/fd/{d}') == os.listdir('.')); os.close(d)",
    ),
    "at_exit": ("", "atexit.register(print, 'end', i)"),
    "fork_hooks": (
        "os.register_at_fork(after_in_child=lambda: print('forked', flush=True))",
        "pass",
    ),
    "sleep": ("", "time.sleep(0.001); select.select([], [], [], 0.001)"),
    "exit_in_the_middle": ("", "i == 2 and sys.exit(3)"),
    "killed_in_the_middle": ("", "i == 2 and os._exit(4)"),
    "an_exception": ("", "i == 2 and 1 / 0"),
    "finalizers": ("class Loud:\n    def __del__(self): os.write(1, b'gone\\n')", "Loud()"),
    "recursion": ("", "deep(900)"),
}
BEFORE = """\
import atexit, ctypes, fcntl, mmap, multiprocessing, os, queue, random, resource, select, signal
import socket, struct, subprocess, sys, tempfile, threading, time
from multiprocessing import shared_memory
import work

libc = ctypes.CDLL(None, use_errno=True)
home = os.getcwd()
heard = []

def hear(number, frame):
    heard.append(number)

def feed():
    for _ in range(4):
        with open('p', 'w') as p:
            p.write('fed')
        time.sleep(0.05)

def attribute(i):
    try:
        os.setxattr('f', 'user.round', b'%d' % i)
        print(os.getxattr('f', 'user.round'))
    except OSError as error:
        print(error.errno)

def lock(f):
    fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(f, fcntl.LOCK_UN)

def refused(i):
    try:
        socket.create_connection(('127.0.0.1', 1), timeout=1)
    except OSError:
        print('refused', work.nap(i + 50))

def childless():
    try:
        print(os.waitpid(-1, os.WNOHANG))
    except ChildProcessError:
        print('childless')

def eventfd():
    return os.eventfd(0, os.EFD_NONBLOCK)

def bump(e):
    os.eventfd_write(e, 1)
    print(os.eventfd_read(e))

def deep(n):
    return n and deep(n - 1)

def leave(*things):
    pass
"""
PROGRAM = """\
{before}
{first}
start = random.getstate()
found = []
for i in range({rounds}):
    found.append(work.nap(i))
    {effect}
    found.append(work.nap(i + 10))
print(found, heard)
childless()
"""
PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
repeatable = true
"""


def program(name: str) -> Case:
    first, effect = EFFECTS[name]
    text = PROGRAM.format(before=BEFORE, first=first, effect=effect, rounds=ROUNDS)
    return Case(name, name, {}, {"work.py": WORK, "main.py": text})


def run_both(case: Case, folder: Path) -> tuple[Observed, Observed, list]:
    """Run ``case`` plain, and with a copy at every call; what the session told of the copies."""
    plain, cord, told = folder / "plain", folder / "cords", folder / "told.json"
    case.write(plain, PLAN)
    case.write(cord, PLAN)
    observed = run_plain(case, plain), run_script(case, cord, [*FORCED, str(told)])
    return *observed, json.loads(told.read_text()) if told.exists() else []


# their programs end before the session tells of its copies
SILENT = {"killed_in_the_middle"}


@pytest.mark.parametrize("name", sample(list(EFFECTS), 4, of="effects of copies"))
def test_an_effect_is_the_programs_alone(name: str, tmp_path: Path) -> None:
    plain, cord, told = run_both(program(name), tmp_path)
    assert cord.stdout == plain.stdout, cord.stderr
    assert (cord.code, cord.last_line) == (plain.code, plain.last_line)
    assert cord.written == plain.written
    if name not in SILENT:
        made, refused = told[0], told[4]
        assert made > 0 and refused is None, told
