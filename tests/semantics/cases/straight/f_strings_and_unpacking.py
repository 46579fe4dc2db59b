# Calls inside f-strings, unpacking, slices, subscripts, lambdas, dict literals and del.
# file: work.py
def pair(n):
    return n, n + 0.5


def word(n):
    return "abcdefgh"[: n % 9]
# file: main.py
import work

a, b = work.pair(3)
(c, d), [e, *f] = work.pair(1), work.word(5)
print(f"{a} {b:.3f} {work.word(4)!r:>8} {work.pair(2)[1]:{work.pair(6)[0]}.2f}|", c, d, e, f)
values = list(range(20))
print(values[work.pair(2)[0] : work.pair(9)[0] : work.pair(3)[0]], {"k": work.word(2)}["k"])
del values[work.pair(5)[0] :]
print(values, (lambda n: work.word(n) * 2)(3), [*work.word(3)], {**{work.word(1): 1}})
x = y = work.pair(7)
print(x is y, x, work.pair(1) + work.pair(2), -work.pair(4)[0], not work.word(0))
total: int = work.pair(8)[0]
total += work.pair(total)[0]
print(total, work.word(3).upper().join("--"))
