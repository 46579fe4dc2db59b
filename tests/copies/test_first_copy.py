"""The first copy is made at the first call that takes long, where no scout sees what comes next."""

from __future__ import annotations

import json
from pathlib import Path

from program_case import Case, run_plain, run_script

TOLD_RUN = str(Path(__file__).parent / "told_run.py")
PLAN = "[remote.work]\nreplicas = 4\npure = true\n"
WORK = "import time\ndef ask(x):\n    time.sleep(0.4)\n    return x * 2\n"
# who calls the method, the text of the program does not show
MAIN = """\
import cmd
import work

class Shell(cmd.Cmd):
    def do_ask(self, text):
        print(work.ask(text))

shell = Shell()
for n in range(5):
    shell.onecmd(f"ask question {n}")
"""


def test_the_first_call_leaves_the_rest_to_a_copy(tmp_path: Path) -> None:
    case = Case("first", "first", {}, {"work.py": WORK, "main.py": MAIN})
    for side in ["plain", "cord"]:
        case.write(tmp_path / side, PLAN)
    plain = run_plain(case, tmp_path / "plain")
    told = tmp_path / "told.json"
    cord = run_script(case, tmp_path / "cord", [TOLD_RUN, "planned", str(told)])
    assert (cord.stdout, cord.stderr) == (plain.stdout, "")
    _made, issued, taken, *_ = json.loads(told.read_text())
    assert issued == taken == 4
