# Static, class, inherited, local and __call__ methods make the calls.
# overlap: 3
# file: main.py
from work import nap


class Tool:
    k = 3

    @staticmethod
    def plain(x):
        return nap(x)

    @classmethod
    def of_class(cls, x):
        return nap(x, cls.k)

    def score(self, x):
        return nap(x, self.k)


class Better(Tool):
    def score(self, x):
        return super().score(x + 1) * 2

    def __call__(self, x):
        return nap(x, 5)


def main():
    class Local:
        def __init__(self, k):
            self.k = k

        def score(self, x):
            return nap(x, self.k)

    local = Local(2)
    return [local.score(i) for i in range(8)]


tool = Better()
print([Tool.plain(i) for i in range(8)], [Tool.of_class(i) for i in range(8)])
print([tool.score(i) for i in range(8)], [tool(i) for i in range(8)], main())
