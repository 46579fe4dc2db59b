# Private names inside classes are mangled as always.
# file: work.py
def __f(x): return x
def f(x): return x + 1
# file: main.py
import work
class A:
    __k = work.f(1)
    def __init__(self): self.__x = work.f(self.__k)
    def __call(self, y): return work.f(y + self.__x)
    def go(self): return [self.__call(i) for i in range(3)] + [getattr(self, "_A__call")(0)]
    @staticmethod
    def __s(x): return work.f(x)
    @classmethod
    def c(cls): return cls.__s(5), cls._A__s(6)
print(A().go(), A.c(), vars(A()))
