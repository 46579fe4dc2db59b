# Iterators that print, count and stop early; each element is pulled when its turn comes.
# file: work.py
def f(x):
    return x * 10
# file: main.py
import work


class Noisy:
    def __init__(self, n):
        self.n = n
        self.i = 0

    def __iter__(self):
        print("iter")
        return self

    def __next__(self):
        print("next", self.i)
        self.i += 1
        if self.i > self.n:
            raise StopIteration
        return self.i


for x in Noisy(3):
    print(work.f(x))
print([work.f(x) for x in Noisy(2)])
noisy = Noisy(9)
for x in noisy:
    if work.f(x) == 20:
        break
print("pulled", noisy.i, next(noisy))


class Indexed:
    def __getitem__(self, i):
        print("getitem", i)
        if i == 3:
            raise IndexError
        return i


print(sum(work.f(x) for x in Indexed()), 2 in Indexed())
