# Between calls, matrices are multiplied on the threads of a library, which copies do not have.
# overlap: 4
# file: lib/rounds.py
import numpy


def each(function, count):
    matrix = numpy.arange(90_000.0).reshape(300, 300)
    for item in range(count):
        product = matrix @ (matrix + item)
        yield function(int(product[7, 7]) % 10 + item), float(product.max())
# file: main.py
import sys

sys.path.append("lib")
import rounds
import work

print(list(rounds.each(work.nap, 40)))
