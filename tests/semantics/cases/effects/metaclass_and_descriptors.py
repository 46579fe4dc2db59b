# A metaclass, a descriptor and a subclass hook call remotely.
# file: work.py
def code(name): return sum(map(ord, name)) % 97
# file: main.py
from work import code
class Meta(type):
    registry = {}
    def __new__(m, name, bases, ns, **kw):
        cls = super().__new__(m, name, bases, ns)
        cls.code = code(name)
        m.registry[name] = cls
        return cls
    def __call__(cls, *a, **k):
        print("create", cls.__name__)
        return super().__call__(*a, **k)
class Typed:
    def __set_name__(self, owner, name): self.name, self.salt = name, code(owner.__name__ + name)
    def __get__(self, obj, cls): return self if obj is None else obj.__dict__.get(self.name, self.salt)
    def __set__(self, obj, v):
        if code(str(v)) % 2: raise TypeError(f"odd {self.name}={v!r}")
        obj.__dict__[self.name] = v
class Base(metaclass=Meta):
    a = Typed()
    def __init_subclass__(cls, **kw):
        super().__init_subclass__()
        print("sub", cls.__name__, code(cls.__name__), kw)
class Kid(Base, flag=1):
    b = Typed()
k = Kid()
for v in range(5):
    try:
        k.a = v
        k.b = k.a * 2
        print("ok", v)
    except TypeError as e: print(e)
print(vars(k), Kid.code, sorted(Meta.registry), Kid().a)
k.b = "zz1"
