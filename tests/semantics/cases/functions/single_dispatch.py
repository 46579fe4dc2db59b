# Functions chosen by the type of their argument call remotely and each other.
# file: work.py
def enc(kind, text): return f"<{kind}>{text}</{kind}>"
# file: main.py
from functools import singledispatch, singledispatchmethod
from work import enc
@singledispatch
def html(x): return enc("obj", str(x))
@html.register
def _(x: int): return enc("int", f"{x:,}")
@html.register(list)
@html.register(tuple)
def _(x): return enc("ul", "".join(enc("li", html(i)) for i in x))
@html.register
def _(x: dict): return enc("dl", "".join(enc("dt", k) + enc("dd", html(v)) for k, v in x.items()))
class F:
    @singledispatchmethod
    def fmt(self, a): return enc("x", repr(a))
    @fmt.register
    def _(self, a: str): return enc("s", a)
print(html([1, 2000, "x", {"k": (1, [])}, None]))
print(F().fmt("q"), F().fmt(2.5))
