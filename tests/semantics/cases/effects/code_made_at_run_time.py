# Calls in code that is made, evaluated and reloaded at run time.
# file: work.py
def f(x): return x * 2
# file: main.py
import work, importlib, sys
ns = {"work": work}
exec("from work import f\ny = [f(i) for i in range(3)]\ndef g(x): return f(x) + 1", ns)
print(ns["y"], ns["g"](5), eval("work.f(4) + f(1)", ns))
print(__import__("work").f(1), importlib.import_module("work") is work, sys.modules["work"].f(2))
code = compile("print(work.f(7), __name__)", "<dyn>", "exec")
exec(code)
f = getattr(work, "f")
print([eval("f(i)") for i in range(2)], locals()["f"] is globals()["f"], vars(work)["f"](3))
def inner():
    x = 5
    return eval("f(x)"), locals()
print(inner())
class C: exec("z = work.f(1)")
print(C.z)
importlib.reload(work)
print(work.f(5))
