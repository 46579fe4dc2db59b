# What could only be sent as something else is not sent: views of memory, weak containers, files.
# file: work.py
import time
def kind(x):
    time.sleep(0.001)
    try: size = len(x)
    except TypeError: size = None
    return type(x).__name__, size
def text(f): return type(f).__name__, f.read(3)
def slots(v): return v.format, v.shape, v.readonly, v.tolist()
# file: main.py
import array, io, logging, types, weakref, itertools, collections, contextvars
import work
class Node: pass
nodes = [Node(), Node()]
weak = weakref.WeakSet(nodes)
print(work.kind(weak), len(weak))
print(work.kind(weakref.WeakKeyDictionary({nodes[0]: 1})))
print(work.kind(weakref.WeakValueDictionary({1: nodes[0]})))
print(work.kind(weakref.ref(nodes[0])), work.kind(weakref.proxy(nodes[0])))
print(work.kind(memoryview(b"abc")), work.kind([memoryview(bytearray(4))]))
print(work.slots(memoryview(array.array("h", [1, 2, 3, 4])).cast("B").cast("B", (2, 4))))
with open("notes.txt", "w") as f: f.write("0123456789")
with open("notes.txt") as f:
    print(f.read(2), work.text(f), f.tell(), f.read())
with open("notes.txt", "rb") as f:
    print(f.read(2), work.text(f), f.read())
print(work.kind({"a": 1}.keys()), work.kind({"a": 1}.values()), work.kind({"a": 1}.items()))
print(work.kind(types.MappingProxyType({"a": 1})), work.kind(types.SimpleNamespace(a=1)))
print(work.kind(io.StringIO("abc")), work.kind(io.BytesIO(b"abc")))
print(work.kind(logging.getLogger("x")), work.kind(logging.Logger("own")))
print(work.kind(contextvars.ContextVar("v")), work.kind(property(len)), work.kind(collections.ChainMap({}, {1: 2})))
print(work.kind(itertools.chain([1], [2])), work.kind(x for x in "ab"), work.kind(lambda: 1))
