# One instance for all, made by __new__; and a registry kept in a class.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from work import f
class Config:
    _instance = None
    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.scale = 2
        return cls._instance
for x in range(5):
    print(f(x * Config().scale))
config = Config()
for x in range(5):
    print(f(x * config.scale))
    config.scale += 1
class Registry:
    items = {}
    @classmethod
    def lookup(cls, name):
        if name not in cls.items:
            cls.items[name] = len(cls.items)
        return cls.items[name]
for name in "abcab":
    print(f(Registry.lookup(name)))
