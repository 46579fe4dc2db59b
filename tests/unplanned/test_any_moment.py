"""Programs print what they print in plain Python, at whatever moment functions become remote."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sampling

sys.path.insert(0, str(Path(__file__).parent.parent / "semantics"))
from program_case import Case, Observed, read_cases, run_plain, run_script

CASES = Path(__file__).parent.parent / "semantics" / "cases"
AT_CALL = Path(__file__).with_name("at_call.py")
NUMBERS = (1, 4)
# What would differ without something that is there for it.
TAUGHT = {
    "forwarding/functions_replaced",
    "functions/functions_look_the_same",
    "late/local_code_raises",
    "leftovers/bound_in_libraries",
    "leftovers/database_in_memory",
    "modules/mocked_in_many_ways",
    "modules/rebound_and_mocked",
    "output/streams_replaced",
    "state/patch_object_class",
    "state/reload_helper",
    "state/variables_that_the_script_has_imported",
    "told/levels_change_between_calls",
    "world/what_each_process_has_of_its_own",
}
# What differs, and why.
_ORDER = "the order in which forgotten objects come to their end is the garbage collector's"
_HANDLERS = "handlers are set later than this script makes functions remote; a run gives them back"
KNOWN = {
    "coroutines/debugged": "the event loop tells how long something took",
    "coroutines/tasks": "tasks go on in the order of times, and this script takes some",
    "effects/classes_that_die": "docs/no-plan.md: classes that travelled are held for a while",
    "exits/finalizers_after_scouts": _ORDER,
    "exits/finalizers_of_globals": _ORDER,
    "functions/code_by_value": "it shows how long the name of its folder is",
    "impure/the_module_keeps_a_file_open": "this script holds what would be closed",
    "interrupts/exceptions_of_the_script": _HANDLERS,
    "interrupts/keyboard_interrupt": _HANDLERS,
    "interrupts/timeout_decorator": _HANDLERS,
    "iteration/generators_left_at_the_end": _ORDER,
    "late/interrupted": _HANDLERS,
    "program/finalizers_at_an_exit": _ORDER,
    "program/garbage_of_the_program": "docs/no-plan.md: how much garbage there is",
    "program/generator_ends_after_an_error": "this script works on when the interpreter ends",
    "script/arrive_without_picklers": "modules that Cord needs are loaded in the process",
    "world/another_user": "the user may not read the interpreter's library",
    "world/imported_in_a_function": "docs/semantics/world.md: imported in another environment",
}


def lay_out(case: Case, folder: Path) -> Path:
    """Lay a case out without its plan."""
    folder.mkdir()
    case.write(folder)
    (folder / "cord.toml").unlink(missing_ok=True)
    return folder


def shown(seen: Observed, folder: Path) -> tuple[bytes, str, int, dict[str, bytes]]:
    """What is compared, but for where it was."""
    out = seen.stdout.replace(str(folder).encode(), b"HERE")
    return out, seen.last_line.replace(str(folder), "HERE"), seen.code, seen.written


def cases() -> list[Case]:
    """A sample for the day, and those that have taught something."""
    every = read_cases(CASES)
    chosen = {case.name for case in sampling.sample(every, 12, "any moment")} | TAUGHT
    return [case for case in every if case.name in chosen]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_same_as_plain(case: Case, number: int, tmp_path: Path):
    if case.name in KNOWN:
        pytest.skip(KNOWN[case.name])
    plain = lay_out(case, tmp_path / "plain")
    cord = lay_out(case, tmp_path / "cord")
    expected = shown(run_plain(case, plain), plain)
    assert shown(run_script(case, cord, [str(AT_CALL), str(number)]), cord) == expected


def run_at(folder: Path, number: int, **files: str) -> subprocess.CompletedProcess[str]:
    """Run a program whose functions become remote at a call."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    opened = folder / "opened"
    environment = {**os.environ, "AT_CALL_OPENED": str(opened)}
    words = [sys.executable, str(AT_CALL), str(number), "main.py"]
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert opened.exists()
    return done


def test_pipes_of_the_program_end_when_it_closes_them(tmp_path: Path):
    """Replicas are forked while they are open, and must not hold them."""
    done = run_at(
        tmp_path,
        2,
        work="def double(x):\n    return 2 * x\n",
        main=(
            "import subprocess\nimport work\n"
            "child = subprocess.Popen(['cat'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
            "child.stdin.write(str([work.double(x) for x in range(5)]).encode())\n"
            "child.stdin.close()\n"
            "print(child.stdout.read().decode(), child.wait(), work.double(7))\n"
        ),
    )
    assert (done.stdout, done.stderr) == ("[0, 2, 4, 6, 8] 0 14\n", "")


OPEN = {
    "a name": "class Store:\n    pass\nSTORE = Store()\nSTORE.db = MADE\n",
    "a class": "class Store:\n    db = MADE\nSTORE = Store\n",
    "a container": "class Box:\n    pass\nSTORE = Box()\nSTORE.db = [MADE][0]\n",
}


@pytest.mark.parametrize("held", OPEN)
def test_databases_that_the_program_has_open(tmp_path: Path, held: str):
    """Nothing is written to them twice, and nothing read too early."""
    done = run_at(
        tmp_path,
        4,
        work=(
            "import sqlite3\nMADE = sqlite3.connect('kept.db')\n"
            "MADE.execute('create table t (x)')\n"
            + OPEN[held]
            + "def add(x):\n    STORE.db.execute('insert into t values (?)', (x,))\n"
            "    STORE.db.commit()\n    return x\n"
            "def count(x):\n"
            "    return STORE.db.execute('select count(*) from t').fetchone()[0]\n"
        ),
        main=(
            "import work\n"
            "for x in range(6):\n    print(work.add(x), work.count(x), work.count(x))\n"
        ),
    )
    assert done.stdout == "".join(f"{n} {n + 1} {n + 1}\n" for n in range(6))


def test_output_that_waits_in_a_buffer_is_written_once(tmp_path: Path):
    done = run_at(
        tmp_path,
        2,
        work="def double(x):\n    print('in', x)\n    return 2 * x\n",
        main="import work\nfor x in range(4):\n    print(work.double(x))\n",
    )
    assert done.stdout == "in 0\n0\nin 1\n2\nin 2\n4\nin 3\n6\n"


def test_state_and_settings_that_were_there_before(tmp_path: Path):
    """And that go back to what they were at first, when replicas have never known that."""
    done = run_at(
        tmp_path,
        2,
        work=(
            "import decimal, os, sys\nLEVEL = 1\n"
            "def tell(x):\n"
            "    third = str(decimal.Decimal(1) / 3)\n"
            "    return x, LEVEL, os.environ.get('MODE'), sys.getrecursionlimit(), third\n"
        ),
        main=(
            "import decimal, os, sys\nimport work\n"
            "first = sys.getrecursionlimit()\n"
            "sys.setrecursionlimit(3000)\n"
            "decimal.getcontext().prec = 5\n"
            "os.environ['MODE'] = 'a'\n"
            "work.LEVEL = 2\n"
            "for x in range(3):\n    print(work.tell(x))\n"
            "sys.setrecursionlimit(first)\n"
            "decimal.getcontext().prec = 28\n"
            "del os.environ['MODE']\n"
            "work.LEVEL = 1\n"
            "for x in range(3):\n    print(work.tell(x))\n"
        ),
    )
    rest = f"1000, '{'0.' + 28 * '3'}')"
    assert done.stdout.splitlines() == [
        *(f"({x}, 2, 'a', 3000, '0.33333')" for x in range(3)),
        *(f"({x}, 1, None, {rest}" for x in range(3)),
    ]


def test_the_network_is_not_asked_ahead(tmp_path: Path):
    """The text does not tell; before a replica connects, the call is the program's."""
    done = run_at(
        tmp_path,
        2,
        work=(
            "import importlib\n"
            "def ask(port, x):\n"
            "    net = importlib.import_module('so' + 'cket')\n"
            "    with net.create_connection(('127.0.0.1', port)) as one:\n"
            "        one.sendall(b'%d' % x)\n"
            "        return one.recv(10)\n"
        ),
        main=(
            "import socket, threading\nimport work\n"
            "heard = []\n"
            "server = socket.create_server(('127.0.0.1', 0))\n"
            "def answer():\n"
            "    for _ in range(6):\n"
            "        one, _ = server.accept()\n"
            "        heard.append(one.recv(10))\n"
            "        one.sendall(b'ok')\n"
            "        one.close()\n"
            "def start():\n"
            "    threading.Thread(target=answer, daemon=True).start()\n"
            "def call(x):\n"
            "    return x\n"
            "call(0)\n"
            "call(1)\n"
            "start()\n"
            "port = server.getsockname()[1]\n"
            "print([work.ask(port, x) for x in range(6)], heard)\n"
        ),
    )
    assert done.stdout == f"{[b'ok'] * 6} {[b'%d' % x for x in range(6)]}\n"
