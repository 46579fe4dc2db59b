# Closures over loop variables, counters, and a recursion without a name.
# file: work.py
def f(x): return x + 1
# file: main.py
from work import f
fs = [lambda: f(i) for i in range(3)]
print([g() for g in fs])
gs = [lambda i=i: f(i) for i in range(3)]
print([g() for g in gs])
def counter():
    n = 0
    def step(k=1):
        nonlocal n
        n = f(n) + k - 1
        return n
    def peek(): return n
    return step, peek
step, peek = counter()
print([step(k) for k in range(4)], peek())
def outer(a):
    b = f(a)
    def mid(c):
        d = f(b + c)
        def inner(): 
            nonlocal b
            b += 1
            return a, b, c, d, f(b)
        return inner
    return mid
m = outer(10); i1, i2 = m(1), m(2)
print(i1(), i2(), i1())
def late():
    def use(): return f(v)
    try: use()
    except NameError as e: print(type(e).__name__, e)
    v = 1
    return use()
print(late())
Y = lambda g: (lambda x: x(x))(lambda y: g(lambda z: y(y)(z)))
print(Y(lambda rec: lambda n: 1 if n == 0 else f(n - 1) * rec(n - 1))(5))
