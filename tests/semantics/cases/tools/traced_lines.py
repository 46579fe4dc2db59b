# A tracer, as debuggers and coverage are, sees the lines of the plain program and no others.
# file: work.py
def square(x):
    return x * x
def fail(x):
    raise ValueError(x)
# file: body.py
import work
from work import square

def loops(n):
    "Documentation."
    total = 0
    for x in range(n):
        y = square(x)
        if y > 20:
            break
        total += y
    else:
        total = -1
    for x in range(n):
        for y in [1, 2]:
            if square(x) == y:
                continue
            if x > 3:
                break
        if x > 4:
            with open("/dev/null"):
                try:
                    break
                finally:
                    total += 1
    while n:
        n -= 1
        if square(n) < 3:
            break
    return total

def spread(n):
    values = [square(
                  x
              )
              for x in range(n)]
    values += sorted(
        square(x) for x in
        reversed(range(3)))
    later = (square(x)
             for x in values
             if x)
    try:
        work.fail(
            n,
        )
    except ValueError as e:
        values.append(str(e))
    print(
        "spread",
        square(
            n
        ),
        sum(later)
    )
    return (
        work
        .square(3),
        *values
    )

class Point:
    def norm(self, n):
        if n:
            return square(
                n
            )
        return 0
    def chain(self, n):
        return (
            self
            .norm(
                n
            )
        )

def lines(n):
    for x in range(n):
        yield square(x)

def never(x):
    return square(x)

def main():
    print(loops(3), loops(30), loops(0))
    print(spread(4))
    print(Point().norm(0), Point().norm(2), Point().chain(3))
    for x in lines(3):
        if x:
            break
    print([square(x) for x in range(3)], (lambda x: square(x))(3))
# file: main.py
import sys

events = []

def tracer(frame, event, arg):
    if not frame.f_code.co_filename.endswith("body.py"):
        return None
    if event != "call" or frame.f_code.co_name != "<lambda>":
        events.append((event, frame.f_code.co_name, frame.f_lineno))
    return tracer

sys.settrace(tracer)
import body
body.main()
sys.settrace(None)
wanted = [event for event in events if event[1] != "<lambda>"]
for event in wanted:
    print(*event)
