# Errors in calls that are spread over lines name the line that plain Python names.
# stderr: whole
# file: work.py
def fail(x, y=None):
    raise ValueError(x)
# file: main.py
import traceback
import work
from work import fail

def lines(call):
    try:
        call()
    except ValueError as error:
        for frame in traceback.extract_tb(error.__traceback__)[1:]:
            print(frame.name, frame.lineno, frame.line)

def named():
    return fail(
        1,
        2,
    )

def dotted():
    return work.fail(
        1
    )

def chained():
    return (
        work
        .fail(
            1,
            y=2
        )
    )

def starred():
    return fail(
        *[1],
        **{"y": 2}
    )

def in_loop():
    for x in [
        1, 2
    ]:
        print(
            fail(
                x
            )
        )

class Helper:
    def method(self, x):
        if x:
            return fail(
                x
            )

def by_method():
    return (
        Helper()
        .method(
            3
        )
    )

for call in (named, dotted, chained, starred, in_loop, by_method):
    lines(call)
(
    work
    .fail(
        4
    )
)
