# Two names for one list, a default argument, a closure and an attribute change the argument.
# file: work.py
def total(xs):
    return sum(xs), len(xs)
# file: main.py
import work

xs = [1]
ys = xs


class Holder:
    data = xs


def push(value, into=xs):
    into.append(value)


def closure():
    zs = Holder.data
    return lambda v: zs.extend([v, v])


grow = closure()
for i in range(4):
    print(work.total(xs))
    ys.append(i)
    print(work.total(ys))
    push(10 * i)
    print(work.total(xs))
    grow(i)
    print(work.total(Holder.data))
    Holder().data[0] += 1
    xs[:] = xs[-6:]
print(xs)
