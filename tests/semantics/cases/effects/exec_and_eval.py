# exec, eval, locals, globals and vars around calls.
# file: work.py
def f(x):
    return x + 1
# file: main.py
import work
from work import f

space = {"f": f, "work": work}
exec("a = [f(i) for i in range(3)]\nfor i in a:\n    b = work.f(i)\n", space)
print(space["a"], space["b"], eval("f(10) + work.f(20)"), eval("f(x)", {"f": f, "x": 4}))


def names(n):
    total = 0
    for i in range(n):
        before = work.f(i)
        total += eval("before * i")
        print(sorted(locals()), locals()["total"])
    return sorted(locals().items())


print(names(3))
exec("for k in range(2): print('k', f(k))")
print(k, sorted(name for name in globals() if not name.startswith("__")))
code = compile("work.f(41)", "<text>", "eval")
print(eval(code), [eval("f(y)", {"f": f, "y": y}) for y in range(3)])


class C:
    x = f(1)
    print(sorted(name for name in vars() if not name.startswith("__")))
    y = [f(v) for v in range(x)]


print([name for name in vars(C) if not name.startswith("__")])
