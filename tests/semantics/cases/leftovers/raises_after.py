# A pure function that changes its argument and its module, and then raises.
# told: 1
# file: work.py
errors = []


def f(r):
    t = sum(i % 7 for i in range(3000))
    r.append(1)
    errors.append(len(r))
    raise ValueError(r[0])


# file: main.py
import work

rows = [[i] for i in range(6)]
for r in rows:
    try:
        work.f(r)
    except ValueError as e:
        print("no", e)
print(rows, work.errors)
