# A table of remote functions, partials and lambdas drives a stack machine.
# file: work.py
def add(a, b): return a + b
def mul(a, b, scale=1): return a * b * scale
def neg(a): return -a
# file: main.py
from functools import partial, reduce
import operator
import work
OPS = {
    "+": work.add,
    "*": partial(work.mul, scale=1),
    "**2": partial(work.mul, scale=2),
    "~": lambda x, *_: work.neg(x),
    "-": operator.sub,
}
def rpn(text):
    stack = []
    for tok in text.split():
        if tok in OPS:
            if tok == "~":
                stack.append(OPS[tok](stack.pop()))
            else:
                b, a = stack.pop(), stack.pop()
                stack.append(OPS[tok](a, b))
        else:
            stack.append(float(tok) if "." in tok else int(tok))
        print(tok, stack)
    (result,) = stack
    return result
for t in ["1 2 +", "3 4 * ~ 2 -", "1.5 2 **2 3 +"]:
    print("=", rpn(t))
print(reduce(work.add, range(10)), reduce(partial(work.mul, scale=2), [1, 2, 3], 1))
print(list(map(work.add, range(4), "abcd".encode())), sorted([3, -1, 2], key=work.neg))
print(max([1, 5, 3], key=lambda v: work.neg(v)), min({"a": 3, "b": 1}.items(), key=lambda kv: work.neg(kv[1])))
rpn("1 2")
