# Without handlers, warnings go to stderr; logging is imported in the function.
# file: work.py
def f(x):
    import logging

    logging.getLogger("work").info("not shown %s", x)
    logging.getLogger("work").warning("shown %s", x)
    return x
# file: main.py
import work

for i in range(4):
    print(work.f(i))
