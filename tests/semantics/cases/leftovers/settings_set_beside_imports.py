# Pure functions that set what modules set, too, when they are loaded, in calls that load modules.
# told: 2
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import logging
import warnings


def filters(x):
    warnings.filterwarnings("ignore", message="per value")
    return x


def level(x):
    import numpy

    logging.getLogger("work").setLevel(logging.ERROR + x)
    return int(numpy.int64(x))


def honest(x):
    import colorsys

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore")
        return colorsys.rgb_to_hsv(x, x, x)
# file: main.py
import logging
import warnings

import work

print(work.honest(1), len(warnings.filters))
print(work.filters(1), len(warnings.filters), work.filters(2), len(warnings.filters))
print(work.level(1), logging.getLogger("work").level, work.level(2), logging.getLogger("work").level)
