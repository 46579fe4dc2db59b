# Calls over several lines are shown in the lines and columns that Python shows them in.
# file: work.py
def f(*a, **k):
    if "bad" in a: raise ValueError(a)
    return a
# file: helper.py
import work
from work import f
class Chain:
    def add(self, x):
        work.f(x)
        return self
def h(x): return f(x)
# file: main.py
import traceback, sys
import work, helper
from work import f
from helper import Chain, h
def case1():
    return f(
        1,
        "bad",
    )
def case2():
    return work.f(
        1,
        "bad")
def case3():
    return (work
            .f(1,
               "bad"))
def case4():
    return (Chain()
            .add(1)
            .add("bad")
            .add(2)
            )
def case5():
    return h(
        "bad"
    )
def case6():
    return helper.h(
        "bad"
    )
def case7():
    return f(
        *[1],
        "bad"
    )
def case8():
    return [
        f(1),
        sum(
            work.f(x)[0]
            for x in (
                1, "bad")
        ),
    ]
def case9():
    x = {"k":
         work.f(
             k="bad"),
         "l": (work.
               f(
                 "bad"))}
def case10():
    work.f(f(1),
           h(2),
           f(3,
             f("bad")))
def case11():
    with open("/dev/null") as a, \
         open(f("/dev/null",
                "bad")[0]) as b: pass
def case12():
    return work \
        .f \
        ("bad")
def case13():
    return (lambda x:
            f(
              x,
            ))("bad")
def case14(x=3):
    if (x and
            f(
            "bad") and
            x): pass
def case15():
    assert f(1), "x"
    assert (
        f("bad")
    ), "y"
def case16():
    return f"""
    {f(1)}
    {f(
      "bad")}
    """
for n in range(1, 17):
    try: globals()[f"case{n}"]()
    except Exception as e:
        for fr in traceback.extract_tb(e.__traceback__):
            print(n, fr.name, fr.lineno, fr.end_lineno, fr.colno, fr.end_colno, fr.filename.rsplit("/")[-1])
f(
    "bad"
)
