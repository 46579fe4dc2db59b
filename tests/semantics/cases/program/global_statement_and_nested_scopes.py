# global, nonlocal, class scope and comprehension scope with one name.
# file: work.py
def f(x):
    return f"f({x})"
# file: main.py
import work

x = "global"


def a():
    x = "a"

    def b():
        global x
        x = work.f(x)
        return x

    class C:
        x = work.f(x)
        y = [work.f(x) for _ in range(1)]

    def c():
        nonlocal x
        x = work.f(x)
        return [x for x in (work.f(x),)]

    return b(), C.x, C.y, c(), x


print(a(), x)
print(a(), x)
