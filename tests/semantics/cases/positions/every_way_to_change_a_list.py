# A list, dict, set, bytearray and deque changed in every way there is; each call sees the state.
# file: work.py
def show(x):
    return repr(x)
# file: changers.py
def push(items, value):
    items.append(value)
    return len(items)


class Owner:
    def __init__(self, items):
        self.items = items

    def grow(self, n):
        self.items.extend(range(n))

    def __iadd__(self, n):
        self.items.insert(0, n)
        return self
# file: main.py
import bisect
import heapq
import operator
import random
from collections import deque
from functools import partial

import changers
import work


def lists():
    xs = [5, 3]
    ys, held, owner, add = xs, {"x": [xs]}, changers.Owner(xs), partial(xs.append, 70)
    for turn in range(24):
        print(turn, work.show(xs), work.show(held), work.show(ys is xs))
        if turn == 0:
            xs += [1]
        elif turn == 1:
            xs *= 2
        elif turn == 2:
            ys[1:3] = "ab"
        elif turn == 3:
            del xs[0], ys[-1]
        elif turn == 4:
            xs[:] = [4, 2, 9]
        elif turn == 5:
            held["x"][0].sort()
        elif turn == 6:
            ys.reverse()
        elif turn == 7:
            changers.push(xs, 8)
        elif turn == 8:
            owner.grow(2)
        elif turn == 9:
            owner += 77
        elif turn == 10:
            list.append(ys, 6)
        elif turn == 11:
            operator.setitem(xs, 0, 60)
        elif turn == 12:
            add()
        elif turn == 13:
            list(map(xs.append, (1, 2)))
        elif turn == 14:
            [ys.pop() for _ in range(3)]
        elif turn == 15:
            random.Random(1).shuffle(xs)
        elif turn == 16:
            xs.sort()
            bisect.insort(xs, 5)
        elif turn == 17:
            heapq.heappush(xs, 0)
            heapq.heappop(ys)
        elif turn == 18:
            xs.extend(x for x in (7, 7) if not ys.remove(x) or True) if 7 in xs else xs.clear()
        elif turn == 19:
            for xs[0:1] in ([3], [4, 4]):
                pass
        elif turn == 20:
            (lambda: xs.append("lambda"))()
        elif turn == 21:
            exec("xs.append('exec')")
        elif turn == 22:
            getattr(ys, "pop")(0)


def others():
    d, s, b, q = {"a": 1}, {1}, bytearray(b"ab"), deque([1, 2], 3)
    e = d
    for turn in range(7):
        print(turn, work.show(d), work.show(sorted(s)), work.show(b), work.show(q), work.show(e))
        d |= {turn: turn}
        s ^= {turn, turn + 1}
        b += bytes([65 + turn])
        q.rotate(1)
        q.append(turn)
        if turn == 2:
            e.pop("a")
            s &= {3, 4, 5}
            b[0:1] = b"zz"
        if turn == 4:
            d.update(x=2)
            e.setdefault("y", []).append(d.popitem()[0] if turn > 9 else 1)
            s.discard(4)
            memoryview(b)[0] = 33


lists()
others()
