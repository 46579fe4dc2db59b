# Mixed nested data with everything pickle knows.
# file: work.py
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction


def probe(x):
    return type(x).__name__, x


def build(n):
    return [Counter("abca" * n), OrderedDict(b=n, a=1), deque([n], 3), defaultdict(list, {n: [1]})]


def more(n):
    return date(2024, 2, 28) + timedelta(n), Decimal(n) / 8, Fraction(n, 6), complex(n, -n), {n, 9}
# file: main.py
import work

for n in range(4):
    for x in (*work.build(n), *work.more(n)):
        print(work.probe(x), work.probe(x)[1] == x)
    d = work.build(n)[3]
    d["new"].append(n)
    print(d, work.probe({"d": [d, (d,)]}))
