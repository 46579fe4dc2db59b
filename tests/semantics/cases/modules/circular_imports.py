# Client modules and the remote module import each other.
# file: work.py
import shared
def f(x): return shared.scale(x) + 1
# file: shared.py
import helper
def scale(x): return x * 2
# file: helper.py
import work
import shared
def use(x): return work.f(x) + shared.scale(x)
# file: main.py
import helper, work
print([helper.use(i) for i in range(3)], work.f(2))
