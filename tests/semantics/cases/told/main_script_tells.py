# Remote functions of the main script log and warn.
# file: main.py
import logging
import sys
import warnings

log = logging.getLogger(__name__)


class Thing:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Thing({self.x})"


def f(x):
    log.info("in main %s", Thing(x))
    warnings.warn("deprecated", DeprecationWarning)
    warnings.warn("of the caller", DeprecationWarning, stacklevel=2)
    return x * x


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)s %(lineno)d %(message)s")
    for i in range(4):
        print(f(i))
    print(f(9))
# file: cord.toml
[remote.main]
pure = true
replicas = 2
only = ["f"]
