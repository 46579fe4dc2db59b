# The same function is active several times: recursion, generators side by side, callbacks.
# file: work.py
def f(tag, x):
    return f"{tag}{x}"
# file: main.py
import work


def count(tag, n):
    for i in range(n):
        yield work.f(tag, i)
        if i == 1:
            yield from count(tag + "-", n - 2)


def walk(depth, tag):
    out = []
    for i in range(2):
        out.append(work.f(tag, i))
        if depth:
            out += walk(depth - 1, tag + str(i))
        out.append(work.f(tag, -i))
    return out


a, b = count("a", 4), count("b", 3)
print([next(a), next(b), next(b), next(a)], list(zip(a, b)), list(a))
print(walk(2, "w"))


def each(items, callback):
    for item in items:
        callback(item, work.f("each", item))


each([1, 2], lambda i, r: each("xy", lambda j, s: print(i, r, j, s)) if i == 1 else print(r))
