# The program replaces a remote module that cannot be imported.
# file: work.py
import does_not_exist
def f(x): return x
# file: main.py
try:
    import work
except ImportError as e:
    print("fallback", e)
    class work:
        f = staticmethod(lambda x: -x)
print(work.f(3))
import work
# file: cord.toml
[remote.work]
