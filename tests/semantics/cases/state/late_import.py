# A module that the program imports late.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: late.py
K = 2
# file: work.py
def f(x): return x
def g(x):
    import late
    return late.K * x
# file: main.py
import work
print(work.f(1))
import late
late.K = 5
print(work.g(1))
late.K = 6
print(work.g(1))
