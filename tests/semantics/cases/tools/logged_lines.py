# Log records and warnings name the program's own lines and functions.
# file: work.py
def square(x):
    return x * x
# file: helpers.py
import logging
import warnings
from work import square

log = logging.getLogger(__name__)

def helper(x):
    log.warning("helper %d", square(x))
    warnings.warn(
        f"of helper {square(x)}",
        stacklevel=2,
    )
    warnings.warn("here")
    return square(x)
# file: main.py
import logging
import sys
import warnings
import helpers
from work import square

logging.basicConfig(
    stream=sys.stdout, format="%(name)s %(filename)s:%(lineno)d %(funcName)s %(message)s"
)
warnings.simplefilter("always")
log = logging.getLogger("main")

def show(message, category, filename, lineno, file=None, line=None):
    print(category.__name__, message, filename.rpartition("/")[2], lineno)

warnings.showwarning = show

def search(n):
    for x in range(n):
        if square(x) == 4:
            log.error(
                "found %d",
                x,
                stacklevel=2,
            )
        log.warning("square %d", square(x))
        helpers.helper(x)

search(3)
warnings.warn(f"at top {square(3)}")
print(square(1), sys._getframe().f_lineno)
