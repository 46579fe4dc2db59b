"""`cord.session` in the cells of a notebook, run by IPython."""

from __future__ import annotations

from cells import cells

__all__ = ["cells"]


def test_a_session_in_one_cell(cells) -> None:
    assert cells("""
import os, cord
from work import pid, together
# ---
with cord.session() as session:
    @session.ahead
    def search(n):
        return [together(x) for x in range(n)], pid() == os.getpid()
    found, local = search(2)
    print(min(found) > 1, local)
# ---
print(search(0), pid() == os.getpid())
""") == ["True False", "([], True) True"]


def test_functions_of_several_cells_and_a_session_over_cells(cells) -> None:
    assert cells("""
import os, cord, work
from work import together as both
# ---
def helper(x):
    return both(x)
# ---
def search(n):
    return [helper(x) for x in range(n)]
# ---
session = cord.session()
session.ahead(search);
# ---
print(min(search(2)) > 1, work.pid() == os.getpid())
# ---
# the cell is run again, altered: one definition a version
for name in os.listdir("."):
    if name.startswith("mark"):
        os.remove(name)
@session.ahead
def search(n):
    return [1 + helper(x) for x in range(n)]
print(min(search(2)) > 2)
# ---
session.close()
print(work.pid() == os.getpid())
""") == ["True False", "True", "True"]


def test_a_failing_cell_closes_its_session(cells) -> None:
    assert cells("""
import os, cord, work
# ---
%time
!true
with cord.session() as session:
    def search(n):
        return [work.fail(x) for x in range(n)]
    session.ahead(search)
    search(3)
# ---
print(work.pid() == os.getpid())
""")[-2:] == ["failed: remote 0", "True"]
