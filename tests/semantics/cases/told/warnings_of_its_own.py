# A function that catches, records, or ignores warnings for itself.
# file: work.py
import warnings


def noisy():
    warnings.warn("noisy")


def quiet(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        noisy()
    return x


def recorded(x):
    with warnings.catch_warnings(record=True) as seen:
        noisy()
        noisy()
    with warnings.catch_warnings(record=True) as more:
        warnings.simplefilter("always")
        noisy()
        noisy()
    return len(seen), len(more)


def strict(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            noisy()
        except UserWarning as error:
            return str(error)


def loud(x):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        noisy()
    noisy()
    return x


def counted(x):
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        noisy()
        noisy()
    return x
# file: main.py
import sys
import warnings

import work

before = list(warnings.filters)
for i in range(3):
    for function in (work.quiet, work.recorded, work.strict, work.loud, work.counted):
        print(function(i), file=sys.stderr)
        print(warnings.filters == before)
