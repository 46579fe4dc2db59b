"""`cord run` where there is no plan: what becomes of programs, and what is said of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

WORK = "import time\n\ndef answer(question):\n    time.sleep(0.05)\n    return question[::-1]\n"
MAIN = (
    "import work\n\n"
    "for number in range(60):\n    print(number, work.answer(f'question {number}'))\n"
)
PLAIN = "".join(f"{n} {f'question {n}'[::-1]}\n" for n in range(60))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work.py").write_text(WORK)
    (tmp_path / "main.py").write_text(MAIN)
    return tmp_path


def cord(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "cord", "run", *words]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def served(folder: Path, *words: str) -> int:
    """How many calls of a run replicas have made; it shows what the program shows, and no more."""
    done = cord(folder, "--stats=stats.json", *words)
    assert (done.stderr, done.returncode) == ("", 0)
    return sum(row["served"] for row in json.loads((folder / "stats.json").read_text())["calls"])


def test_calls_that_take_long_are_made_served(folder: Path):
    done = cord(folder, "main.py")
    assert (done.stdout, done.stderr, done.returncode) == (PLAIN, "", 0)
    assert served(folder, "main.py") > 0


def test_functions_of_the_script_itself(folder: Path):
    text = WORK + MAIN.replace("import work\n", "").replace("work.", "")
    (folder / "main.py").write_text(text)
    assert served(folder, "main.py") > 0


MODEL = """
import time

class Model:
    def __init__(self, factor):
        self.factor = factor
        self.seen = 0

    def scaled(self, number):
        time.sleep(0.02)
        return self.factor * number

    def counted(self, number):
        time.sleep(0.02)
        self.seen += 1
        return self.seen

    @staticmethod
    def twice(number):
        time.sleep(0.02)
        return 2 * number

    @classmethod
    def named(cls, number):
        time.sleep(0.02)
        return f"{cls.__name__} {number}"

class Small(Model):
    pass
"""


@pytest.mark.parametrize("call", ["scaled", "counted", "twice", "named"])
@pytest.mark.parametrize("is_script", [False, True])
def test_methods(folder: Path, call: str, is_script: bool):
    """What a method changes of its object stays right; so one that does is the program's."""
    loop = f"model = Small(3)\nfor number in range(60):\n    print(model.{call}(number))\n"
    (folder / "model.py").write_text(MODEL)
    begin = MODEL if is_script else "from model import Small\n"
    (folder / "main.py").write_text(begin + loop)
    line = {"scaled": "{1}", "counted": "{2}", "twice": "{0}", "named": "Small {3}"}[call]
    plain = "".join(f"{line.format(2 * n, 3 * n, n + 1, n)}\n" for n in range(60))
    assert cord(folder, "main.py").stdout == plain
    if call == "counted":
        assert "no function of main.py" in cord(folder, "--stats", "main.py").stderr
    else:
        assert served(folder, "main.py") > 0


def test_two_phases_are_told_together(folder: Path):
    (folder / "other.py").write_text(WORK.replace("answer", "reply"))
    again = MAIN.replace("work", "other").replace("answer", "reply")
    (folder / "main.py").write_text(MAIN + again)
    for _ in range(5):  # a run on a machine that is busy may find only one of them
        done = cord(folder, "--stats=stats.json", "main.py")
        assert done.stdout == PLAIN * 2
        rows = json.loads((folder / "stats.json").read_text())["calls"] if not done.stderr else []
        if {row["function"] for row in rows} == {"work.answer", "other.reply"}:
            return
    pytest.fail("one of the two functions is missing")


def test_the_next_run_begins_with_what_this_one_has_found(folder: Path):
    assert served(folder, "main.py") > 0
    assert served(folder, "main.py") > 0
    (folder / "work.py").write_text(WORK.replace("[::-1]", ".upper()"))
    changed = "".join(f"{n} QUESTION {n}\n" for n in range(60))
    assert [cord(folder, "main.py").stdout for _ in range(2)] == [changed, changed]


def test_a_second_phase_of_the_program(folder: Path):
    """Its functions are remote, too; and all have the settings that the program has set before."""
    text = "def {0}(x):\n    time.sleep(0.02)\n    return sys.getrecursionlimit(), x % 2\n\n"
    (folder / "main.py").write_text(
        "import sys, time\n\nsys.setrecursionlimit(3000)\n\n"
        + "".join(map(text.format, ("one", "two")))
        + "print({one(x) for x in range(60)} == {two(x) for x in range(120)})\n"
        "print(sorted({one(x) for x in range(40)}))\n"
    )
    done = cord(folder, "main.py")
    assert (done.stdout, done.stderr) == ("True\n[(3000, 0), (3000, 1)]\n", "")


def test_private_functions_do_not_stand_in_the_way_of_others(folder: Path):
    text = "def _own(x):\n    time.sleep(0.02)\n    return x\n"
    (folder / "work.py").write_text(WORK + text)
    (folder / "main.py").write_text(MAIN + "    work._own(number)\n")
    assert served(folder, "main.py") > 0


def test_a_table_tells_of_the_whole_run(folder: Path):
    assert served(folder, "main.py") > 0
    told = json.loads((folder / "stats.json").read_text())
    before = 60 - sum(row["calls"] for row in told["calls"])
    assert told["seconds"] >= 0.05 * before  # of calls that the program itself had made by then


def test_functions_that_do_something_else_are_left_alone(folder: Path):
    (folder / "work.py").write_text(WORK.replace("    return", "    seen.append(1)\n    return"))
    (folder / "work.py").write_text("seen = []\n" + (folder / "work.py").read_text())
    done = cord(folder, "--stats", "main.py")
    assert done.stdout == PLAIN
    assert done.stderr == "cord: no function of main.py was found to be worth a replica\n"


def test_short_functions_are_left_alone(folder: Path):
    (folder / "main.py").write_text(
        "def add(a, b):\n    return a + b\n\ntotal = 0\n"
        "for x in range(3_000_000):\n    total = add(total, x)\nprint(total)\n"
    )
    done = cord(folder, "--stats", "main.py")
    assert done.stdout == "4499998500000\n"
    assert "worth a replica" in done.stderr


def test_a_function_that_something_else_holds_too(folder: Path):
    """It could tell that the name leads to something else now. From the first call on it can't."""
    (folder / "main.py").write_text(
        MAIN.replace("import work\n", "import work\nheld = {work.answer: 'held'}\n")
        + "print(held[work.answer])\n"
    )
    done = cord(folder, "main.py")
    assert done.stdout == f"{PLAIN}held\n"
    assert done.stderr.endswith(": cord run --repeatable work.answer main.py\n")
    assert cord(folder, "--repeatable", "work.answer", "main.py").stdout == f"{PLAIN}held\n"


def test_errors_are_the_programs(folder: Path):
    (folder / "work.py").write_text(
        WORK.replace("    return", "    1 / (question[-2:] != '30')\n    return")
    )
    plain = subprocess.run(
        [sys.executable, "main.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    done = cord(folder, "main.py")
    assert (done.stdout, done.stderr, done.returncode) == (plain.stdout, plain.stderr, 1)


SERVER = """\
import sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.1)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.path.encode())

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 100


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


ASKS = "urllib.request.urlopen(f'http://127.0.0.1:{port}/{x}').read()"
# What the text does not show is found out in a replica, if the name leads to the function itself.
HIDDEN = (
    f"urlopen = vars(urllib.request)['urlopen']\ndef hidden(port, x):\n    return {ASKS[15:]}\n"
)
CLIENTS = {
    "complete": (f"def complete(port, x):\n    return {ASKS}\n", "uses the network"),
    "Client.complete": (
        f"class Client:\n    def complete(self, port, x):\n        return {ASKS}\n"
        "client = Client()\n",
        "uses the network",
    ),
    "inner": (
        f"def inner(port, x):\n    return {ASKS}\ndef outer(port, x):\n    return inner(port, x)\n",
        "uses the network",
    ),
    "hidden": (HIDDEN, "uses the network"),
    "decorated": (
        HIDDEN.replace("def hidden", "import functools\n@functools.lru_cache\ndef decorated"),
        "waits",
    ),
    "noted": (
        f"def noted(port, x):\n    with open('log', 'a') as log:\n        log.write(f'{{x}}\\n')\n"
        f"    return {ASKS}\n",
        "uses the network and writes files",
    ),
}


@pytest.mark.parametrize("call", CLIENTS)
def test_what_waits_for_a_service_is_said(folder: Path, call: str):
    text, does = CLIENTS[call]
    name, asked = f"llm.{call}", "outer" if call == "inner" else call
    (folder / "llm.py").write_text(f"import urllib.request\n\n{text}")
    (folder / "main.py").write_text(
        "import sys\nimport llm\n\nclient = getattr(llm, 'client', llm)\nfor x in range(30):\n"
        f"    print(client.{asked.rpartition('.')[2]}(sys.argv[1], x))\n"
    )
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        done = cord(folder, "main.py", port)
        assert done.stdout == "".join(f"b'/{x}'\n" for x in range(30))
        assert re.match(rf"cord: {name} took \d+% of \d+\.\d s, and {does}; ", done.stderr)
        again = f"cord run --repeatable {name} main.py {port}"
        assert done.stderr.endswith(
            f"if it does no harm to call it early, again, or in vain: {again}\n"
        )
        assert served(folder, "--repeatable", name, "main.py", port) > 0
    finally:
        server.kill()
        server.communicate()


def test_a_key_that_the_program_puts_into_a_library(folder: Path):
    """Calls of functions that name the library find it, and run ahead all the same."""
    (folder / "work.py").write_text(
        WORK.replace("question[::-1]", "(textwrap.key, question[::-1])").replace(
            "import time", "import textwrap, time"
        )
    )
    (folder / "main.py").write_text(f"import textwrap\n\ntextwrap.key = 'key'\n{MAIN}")
    assert served(folder, "main.py") > 0
    assert cord(folder, "main.py").stdout.startswith("0 ('key', '0 noitseuq')\n")


def test_what_the_word_names_counts_in_its_own_module_too(folder: Path):
    """It may be asked for by functions beside it alone."""
    text = "def twice(question):\n    return answer(question), answer(question + '?')\n"
    (folder / "work.py").write_text(WORK + text)
    (folder / "main.py").write_text(MAIN.replace("answer", "twice"))
    assert served(folder, "--repeatable", "work.answer", "main.py") == 120


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--auto", "off"], "there is no cord.toml in "),
        (["--stats=nowhere/stats.json"], "--stats cannot write nowhere/stats.json: "),
        (["--auto", "on"], "--auto is on; allowed: off"),
        (["--repeatable", "answer"], "--repeatable is answer; allowed: a function with its module"),
        (["--repeatable", "work.answr"], "work defines no function answr"),
    ],
)
def test_wrong_words(folder: Path, words: list[str], said: str):
    done = cord(folder, *words, "main.py")
    assert (done.stdout, done.returncode) == ("", 2)
    assert said in done.stderr


def test_repeatable_beside_a_plan(folder: Path):
    (folder / "cord.toml").write_text("[remote.work]\npure = true\n")
    done = cord(folder, "--repeatable", "work.answer", "main.py")
    assert done.stderr.startswith("cord: --repeatable is for programs without a plan")
