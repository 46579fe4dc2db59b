# A replica keeps a generator and a random state between the calls.
# file: source.py
import random

_rng = random.Random(3)
_numbers = iter(range(100))


def draw():
    return _rng.randint(1, 6)


def take(n):
    return [next(_numbers) for _ in range(n)]
# file: cord.toml
[remote.source]
replicas = 1
# file: main.py
import source

while (d := source.draw()) != 6:
    print(d, source.take(d))
print([source.take(1)[0] for _ in range(3)], [source.draw() for _ in range(5)])
print(sum(source.draw() for _ in range(10)), source.take(2), all(source.draw() < 6 for _ in range(50)))
print(source.take(1))
