# Assertions about results, flags from several loops, and a labelled exit through exceptions.
# stderr: whole
# file: work.py
def f(x):
    return x * x
# file: main.py
import work


class Found(Exception):
    pass


def search(rows, want):
    tries = 0
    try:
        for row in rows:
            for x in row:
                tries += 1
                if work.f(x) == want:
                    raise Found(row, x)
    except Found as found:
        return found.args, tries
    else:
        return None, tries


print(search([[1, 2], [3, 4], [5]], 16), search([[1], []], 5))
ok = True
for x in range(6):
    ok &= work.f(x) < 20
    if not ok:
        print("not ok at", x)
        break
assert not ok
for x in range(5):
    y = work.f(x)
    assert y < 9, f"{x} gives {y}"
    print(x, y)
