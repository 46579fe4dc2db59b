# Calls in class bodies see the scopes that class bodies see.
# file: work.py
def f(x): return x * 2
# file: main.py
from work import f
n = 5
class A:
    n = 2
    xs = [f(i) for i in range(n)]
    ys = {k: f(k) for k in (n, n + 1)}
    z = f(n)
    def m(self, d=f(n)): return n, d, self.z
    for i in range(2): locals()[f"v{i}"] = f(i)
    class B:
        w = f(7)
        u = [(lambda: f(n))() for _ in range(1)]
print(A.xs, A.ys, A.z, A().m(), A.v1, A.i, A.B.w, A.B.u)
