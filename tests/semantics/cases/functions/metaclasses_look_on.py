# Looking for what a call leads to runs nothing of the classes' own.
# file: work.py
def f(x):
    return x * 2
# file: main.py
import work


class Meta(type):
    def __getattribute__(cls, name):
        print("meta", name)
        return super().__getattribute__(name)


class Loud:
    def __get__(self, instance, owner):
        print("get")
        return work.f


class Thing(metaclass=Meta):
    def __call__(self, x):
        return work.f(x)


class Other:
    __call__ = Loud()
    run = classmethod(Loud())
    step = Loud()

    def __getattr__(self, name):
        print("getattr", name)
        return work.f


kept = [work.f, Thing(), Other(), Other().run, Other().step, Other().missing]
for x in range(3):
    for function in kept:
        print(function(x))
    print(Other().run(x), Other().step(x), Other().nothing(x))
