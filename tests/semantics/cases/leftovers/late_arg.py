# A pure function that changes its argument after many calls that did not.
# told: 1
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
inline = false
# file: work.py
def f(r):
    t = sum(i % 7 for i in range(3000))
    if r[0] > 50:
        r.append(0)
    return 1


# file: main.py
import work

rows = [[i] for i in range(60)]
for r in rows:
    work.f(r)
print(rows[45:])
