"""How calls, values and output travel: the same on every engine as in plain Python."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from sampling import sample

PURE = (
    '[run]\ncopies = false\n[remote.work]\nreplicas = 4\nrepeatable = true\ncallstyle = "async"\n'
)
SENT = PURE + "inline = false\n"


class Told(NamedTuple):
    """A program: its plan, its main script, and its modules."""

    plan: str
    main: str
    modules: dict[str, str]


PROGRAMS = {
    "values_come_in_the_order_of_the_calls": Told(
        SENT,
        """
import work
for n in range(30):
    print(n, work.nap(n))
""",
        {
            "work": """
import time
def nap(n):
    time.sleep(0.002 * (n * 7 % 5))
    return n * n
"""
        },
    ),
    "a_module_keeps_its_state": Told(
        "[remote.work]\n",
        """
import work
for word in "a b c".split():
    print(work.add(word))
print(work.count())
""",
        {
            "work": """
import atexit
kept = []
def add(word):
    kept.append(word)
    return list(kept)
def count():
    return len(kept)
@atexit.register
def leave():
    if kept:
        with open("left.txt", "a") as file:
            print(*kept, file=file)
"""
        },
    ),
    "large_arguments_and_results": Told(
        SENT,
        """
import hashlib, work
block = bytes(range(256)) * 12_000
for n in range(6):
    print(hashlib.sha256(work.shifted(block[n:], n)).hexdigest())
""",
        {"work": "def shifted(block, n):\n    return block[n:] + block[:n]\n"},
    ),
    "large_values_that_are_only_passed_on": Told(
        SENT,
        """
import work
print([work.size(work.grown(work.grown(bytes(100_000), n), 2)) for n in range(8)])
""",
        {
            "work": """
def grown(block, n):
    return block * (n + 1)
def size(block):
    return len(block)
"""
        },
    ),
    "arguments_that_replicas_keep": Told(
        SENT + 'resident = ["table"]\n',
        """
import work
table = bytearray(range(256)) * 4_000
print([work.look(table, 1000 * n) for n in range(40)])
table[0] = 77
print([work.look(table, 1000 * n) for n in range(40)])
""",
        {"work": "def look(table, n):\n    return table[n], len(table)\n"},
    ),
    "what_calls_write": Told(
        SENT,
        """
import work
for n in range(4):
    print("before", n)
    print("after", work.speak(n))
""",
        {
            "work": """
import os, subprocess, sys
def speak(n):
    print("said", n)
    print("warned", n, file=sys.stderr)
    sys.stdout.flush()
    os.write(1, b"written\\n")
    subprocess.run(["echo", "by a child"], check=True)
    return n
"""
        },
    ),
    "what_the_main_script_defines": Told(
        SENT.replace("work", "main"),
        """
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
SCALE = 3
def scaled(pair):
    return Pair(pair.a * SCALE, pair.b * SCALE)
if __name__ == "__main__":
    got = [scaled(Pair(n, -n)) for n in range(9)]
    print([(one.a, one.b, type(one) is Pair) for one in got])
""",
        {},
    ),
    "calls_that_make_calls": Told(
        SENT
        + '[remote.inner]\nreplicas = 1\nrepeatable = true\ncallstyle = "async"\ninline = false\n',
        """
import work
print([work.total(n) for n in range(6)])
""",
        {
            "work": """
import inner
def total(n):
    return sum(inner.square(m) for m in range(n))
""",
            "inner": "def square(n):\n    return n * n\n",
        },
    ),
    "exceptions_and_what_came_before_them": Told(
        SENT,
        """
import work
for n in range(4):
    try:
        print(work.check(n))
    except work.Wrong as error:
        print("wrong", error.args, error.number, error.__notes__)
work.check(9)
""",
        {
            "work": """
class Wrong(Exception):
    def __init__(self, text, number):
        super().__init__(text, number)
        self.number = number
def check(n):
    print("checking", n)
    if n % 2:
        error = Wrong("odd", n)
        error.add_note("a note")
        raise error
    return n
"""
        },
    ),
    "the_world_as_the_program_made_it": Told(
        SENT,
        """
import os, work
os.mkdir("inside")
os.chdir("inside")
os.environ["SAID"] = "word"
print([work.seen("a", "b", "c") for n in range(3)])
""",
        {
            "work": """
import os, sys
def seen(*words):
    return os.environ["SAID"], os.path.basename(os.getcwd()), sys.argv, list(set(words))
"""
        },
    ),
}


@pytest.mark.parametrize("name", sample(list(PROGRAMS), 2, of="values that travel"))
def test_it_shows_what_plain_python_shows(program, name: str):
    told = PROGRAMS[name]
    made = program(told.plan, told.main, **told.modules)
    cord = made.run()
    written = [path.read_bytes() for path in made.folder.glob("*.txt")]
    for path in made.folder.glob("inside"):
        path.rmdir()
    for path in made.folder.glob("*.txt"):
        path.unlink()
    plain = made.plain()
    assert (cord.stdout, cord.returncode) == (plain.stdout, plain.returncode)
    assert cord.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:]
    assert written == [path.read_bytes() for path in made.folder.glob("*.txt")]
