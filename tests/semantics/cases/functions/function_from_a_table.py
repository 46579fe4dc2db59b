# A remote module's own function, found in a table of its, is an argument like any other.
# file: work.py
def double(x):
    return 2 * x


TABLE = {"double": double}


def apply(function, x):
    return function(x)
# file: main.py
import work

for i in range(3):
    print(work.apply(work.TABLE["double"], i), work.apply(work.double, i))
print([work.TABLE["double"](i) for i in range(3)])
