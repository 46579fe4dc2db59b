# Filters that the remote module sets when it is imported are set in the program, too.
# file: work.py
import warnings

warnings.filterwarnings("always", message="always")
warnings.filterwarnings("ignore", message="never")
warnings.warn("when imported")


def f(x):
    warnings.warn("always")
    warnings.warn("never")
    warnings.warn("default")
    return x
# file: main.py
import work

for i in range(4):
    print(work.f(i))
