"""`%load_ext cord`: `%cord` and `%%cord` in the cells of a notebook."""

from __future__ import annotations

import pytest
from cells import cells

__all__ = ["cells"]

LOAD = """
%load_ext cord
import glob, os, work
from work import together, square, pid
def none_yet():
    for mark in glob.glob("mark*"):
        os.remove(mark)
# ---
"""


def test_the_loops_of_a_cell_run_ahead(cells) -> None:
    assert cells(f"""{LOAD}
%%cord
found = []
for x in range(2):
    found.append(together(x))
print(min(found) > 1, pid() == os.getpid())
# ---
print(pid() == os.getpid())
""") == ["True False", "True"]


def test_a_session_stays_open_for_the_cells_that_follow(cells) -> None:
    assert cells(f"""{LOAD}
session = %cord cord.toml
print(pid() == os.getpid())
# ---
%%cord
print(session.is_open, min([together(x) for x in range(2)]) > 1)
# ---
%cord --close
print(pid() == os.getpid())
# ---
%cord --close
""") == ["False", "True True", "True"]


def test_functions_of_earlier_cells_are_translated_for_the_cell_that_calls_them(cells) -> None:
    assert cells(f"""{LOAD}
def helper(x):
    return together(x)
# ---
def several(n):
    return [helper(x) for x in range(n)]
# ---
%%cord
print(min(several(2)) > 1)
none_yet()
# ---
%%cord
print(min(helper(x) for x in range(2)) > 1)
""") == ["True", "True"]


def test_functions_and_names_of_the_cell_are_there_for_later_ones(cells) -> None:
    assert cells(f"""{LOAD}
%%cord
import math as m
class Box:
    side = square(3)
def area(n):
    return [square(x) for x in range(n)]
kept = area(4)
# ---
print(kept, area(3), Box.side, m.floor(2.5))
""") == ["[0, 1, 4, 9] [0, 1, 4] 9 2"]


def test_a_function_of_the_cell_that_imports_what_it_calls(cells) -> None:
    """IPython compiles each statement alone, and so the call in another way."""
    assert cells("""
%load_ext cord
import work
def several(n):
    return [work.together(x) for x in range(n)]
# ---
%%cord
print(min(several(2)) > 1)
""") == ["True"]


MAIN = """
%load_ext cord
import os, time
plan = {"remote": {"__main__": {"only": ["slow"], "pure": True, "callstyle": "async",
    "replicas": 2, "inline": False}}}
FACTOR = 2
# ---
def slow(x):
    time.sleep(0.01)
    return FACTOR * x, os.getpid()
# ---
"""


def test_functions_of_earlier_cells_are_remote(cells) -> None:
    assert cells(f"""{MAIN}
%%cord plan
found = [slow(x) for x in range(8)]
print([x for x, _ in found], os.getpid() in {{pid for _, pid in found}})
# ---
FACTOR = 3
def slow(x):
    return FACTOR * x + 1, os.getpid()
# ---
%%cord plan
print([slow(x)[0] for x in range(3)])
# ---
print(slow(1) == (4, os.getpid()))
""") == ["[0, 2, 4, 6, 8, 10, 12, 14] False", "[1, 4, 7]", "True"]


def test_functions_of_the_cell_itself_are_remote(cells) -> None:
    assert cells(f"""{MAIN}
session = %cord plan
# ---
%%cord
def slow(x):
    time.sleep(0.01)
    return -x, os.getpid()
found = [slow(x) for x in range(4)]
print([x for x, _ in found], os.getpid() in {{pid for _, pid in found}})
# ---
session.close()
print(slow(1)[1] == os.getpid())
""") == ["[0, -1, -2, -3] False", "True"]


SHOWN = {
    "a value": ("x = 2\nsquare(x)", ["Out[2]: 4"]),
    "a value and a comment": ("square(3)  # nine\n# the end\n", ["Out[2]: 9"]),
    "a value over several lines": ("[\n    square(x)\n    for x in (1, 2)\n]", ["Out[2]: [1, 4]"]),
    "a semicolon": ("square(4);", []),
    "a semicolon before": ("x = 'ä'; square(5)", ["Out[2]: 25"]),
    "a value in the middle": ("square(6)\nx = 1", []),
    "an assignment": ("x = square(7)", []),
    "None": ("print('told')", ["told"]),
    "a shell line": ("!echo said\n%time\nsquare(8)", ["said", "Out[2]: 64"]),
    "nothing": ("# nothing\n", []),
}


@pytest.mark.parametrize("what", SHOWN)
def test_the_last_value_is_shown_as_without_the_magic(cells, what) -> None:
    code, shown = SHOWN[what]
    printed = cells(f"{LOAD}%%cord\n{code}\n# ---\nprint('__cord_value__' in globals())\n")
    times = ("CPU times", "Wall time")
    assert [line for line in printed if not line.startswith(times)] == [*shown, "False"]


def test_every_value_is_shown_where_the_shell_is_set_so(cells) -> None:
    assert cells(f"""{LOAD}
%config InteractiveShell.ast_node_interactivity = "all"
# ---
%%cord
square(2)
x = 3
square(x)
""") == ["Out[3]: 4", "Out[3]: 9"]


def test_an_error_is_shown_at_its_line_of_the_cell(cells) -> None:
    printed = cells(f"""{LOAD}
%%cord
for x in range(3):
    if x == 1:
        work.fail(x)
# ---
print(pid() == os.getpid())
""")
    assert "----> 4         work.fail(x)" in printed
    assert printed[-3:] == ["ValueError: remote 1", "failed: remote 1", "True"]
    assert not any("tools/library" in line for line in printed)


REFUSED = {
    "no plan": ("%cord no.toml", "the plan no.toml cannot be read: No such file or directory"),
    "a misspelt dict": ("plan = {'remote': {}}\n%cord plann", 'did you mean "plan"?'),
    "a wrong dict": (
        "plan = {'remote': {'work': {'replicas': 0}}}\n%cord plan",
        "the plan: remote.work.replicas is 0; allowed",
    ),
    "await": (
        "%%cord\nimport asyncio\nawait asyncio.sleep(0)",
        "this cell waits with `await`, which a cell under %%cord cannot",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_without_a_traceback(cells, what) -> None:
    code, said = REFUSED[what]
    printed = cells(f"{LOAD}{code}\n# ---\nprint(pid() == os.getpid())\n")
    assert printed[0].startswith("failed: ") and said in "\n".join(printed)
    assert printed[-1] == "True"


def test_a_plan_may_be_a_dict_of_the_notebook(cells) -> None:
    assert cells(f"""{LOAD}
plan = {{"remote": {{"work": {{"pure": True, "callstyle": "async", "replicas": 2}}}}}}
plan["remote"]["work"]["repeatable"] = True
plan["run"] = {{"copies": False}}
# ---
%%cord plan
print(min([together(x) for x in range(2)]) > 1)
""") == ["True"]


def test_a_session_shows_what_it_has_done(cells) -> None:
    printed = cells(f"""{LOAD}
session = %cord cord.toml
# ---
%%cord
for x in range(4):
    square(x)
# ---
%cord
# ---
print(session._repr_html_().count("<tr>"), "<table>" in session._repr_html_())
session.close()
session
""")
    text = "cord.toml; work: 2 replicas, async; 4 calls"
    assert printed[0].startswith(f"Out[4]: <cord session, open: {text}")
    assert printed[1] == "2 True"
    assert printed[2].startswith(f"Out[5]: <cord session, closed: {text}")


def test_a_cell_that_opens_a_session_may_be_run_again(cells) -> None:
    assert cells("""
import os, cord, work
# ---
first = cord.session()
# ---
second = cord.session()
print(first.is_open, second.is_open, work.pid() == os.getpid())
# ---
second.close()
print(work.pid() == os.getpid())
""") == ["False True False", "True"]


def test_unloading_closes_the_session(cells) -> None:
    assert (
        cells(f"""{LOAD}
%cord cord.toml
print(pid() == os.getpid(), work.pid() == os.getpid())
# ---
%unload_ext cord
print(work.pid() == os.getpid())
""")[-1]
        == "True"
    )
