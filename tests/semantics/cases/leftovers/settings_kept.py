# Functions that put back what they have set leave nothing behind, however that is done.
# file: work.py
import contextlib
import contextvars
import decimal
import io
import os
import sys
import tempfile
import time
import warnings

depth = contextvars.ContextVar("depth", default=0)


def put_back(x):
    time.sleep(0.002)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 10)
    os.environ["INNER"] = str(x)
    token = depth.set(x)
    try:
        with warnings.catch_warnings(), decimal.localcontext() as context:
            warnings.simplefilter("ignore")
            context.prec = 5
            warnings.warn("not heard")
            with contextlib.redirect_stdout(io.StringIO()) as out:
                print(decimal.Decimal(x) / 7, depth.get(), os.environ["INNER"])
            with tempfile.TemporaryDirectory():
                return out.getvalue()
    finally:
        depth.reset(token)
        del os.environ["INNER"]
        sys.setrecursionlimit(before)


# file: main.py
import work

for i in range(20):
    print(work.put_back(i), end="")
