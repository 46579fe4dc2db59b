# Remote exceptions caught in each turn, with else and finally.
# file: work.py
def div(a, b):
    return a / b
# file: main.py
import work

log = []
for b in (2, 0, 4, "x", None, 5):
    try:
        r = work.div(20, b)
    except ZeroDivisionError as error:
        print("zero:", error, error.args)
        r = None
    except TypeError as error:
        print("type:", error)
        continue
    else:
        print("fine", r)
    finally:
        log.append(b)
    print(r, log)
