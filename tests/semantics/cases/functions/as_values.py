# Remote functions in dicts and lists, passed on, returned, compared and used as dict keys.
# file: work.py
def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def neg(a):
    return -a
# file: main.py
import work
from work import add

table = {"+": work.add, "-": work.sub, "~": work.neg}
stack = []
for token in "3 4 + 10 - ~ 2 +".split():
    if token in table:
        op = table[token]
        args = [stack.pop() for _ in range(1 if token == "~" else 2)][::-1]
        stack.append(op(*args))
    else:
        stack.append(int(token))
    print(token, stack)


def choose(flag):
    return work.add if flag else work.sub


def apply(func, *args):
    return func(*args)


print(choose(True)(1, 2), choose(False)(1, 2), apply(work.neg, 5), apply(choose(0), 7, 3))
print(add is work.add, add == work.sub, {work.add: "a"}[add], [f(1, 2) for f in (add, work.sub)])
print([f.__name__ for f in table.values()], work.add.__module__, hasattr(work.neg, "nothing"))
