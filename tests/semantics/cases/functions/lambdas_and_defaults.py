# Lambdas, defaults evaluated once, a mutable default that collects results.
# file: work.py
def f(x):
    return x * x
# file: main.py
import work


def collect(x, into=[], first=work.f(9)):
    into.append(work.f(x))
    return into, first


for i in range(3):
    print(collect(i))
print(collect(5, []))
fs = [lambda x, k=work.f(i): work.f(x) + k for i in range(3)]
print([g(2) for g in fs], (lambda *a: [work.f(x) for x in a])(1, 2))
compose = lambda *gs: (lambda x: x) if not gs else (lambda x: gs[0](compose(*gs[1:])(x)))
print(compose(work.f, lambda x: x + 1, work.f)(3))
print((lambda: (yield work.f(4)))().__next__(), sorted([3, -5, 1], key=lambda x: work.f(x)))
