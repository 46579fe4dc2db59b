# Replicas have as many filters of warnings as the program, with the same modules.
# file: work.py
import warnings


def count(x):
    return len(warnings.filters), [one[3] == "__main__" for one in warnings.filters].count(True)
# file: main.py
import warnings

import work

for i in range(4):
    print(work.count(i))
    warnings.simplefilter("ignore", ImportWarning)
warnings.filterwarnings("once", module="pkg")
print(work.count(5))
