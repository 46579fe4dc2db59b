# A local error next to remote calls shows the program's own lines, and no others.
# stderr: whole
# file: work.py
def f(x):
    return x
# file: helper.py
import work


def deep(x):
    value = work.f(x)
    return value + (
        [1, 2][x]
    )
# file: main.py
import sys
import traceback

import helper
import work


class Runner:
    def run(self, n):
        return [helper.deep(i) + work.f(i) for i in range(n)]


def main(n):
    for i in range(2):
        work.f(i)
    return Runner().run(n)


try:
    main(4)
except IndexError as error:
    for frame in traceback.extract_tb(error.__traceback__):
        print(frame.filename.rpartition("/")[2], frame.lineno, frame.name, frame.line)
    print(error.__traceback__.tb_lineno, error.__traceback__.tb_frame.f_code.co_name)
print(sys.exc_info())
main(3)
