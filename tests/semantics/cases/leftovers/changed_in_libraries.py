# Pure functions that change functions, objects, lists and namespaces of libraries.
# told: 7
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import json, sys, textwrap, types, urllib.parse

def tag(x): json.dumps.tag = x
def encoder(x): json._default_encoder.tag = x
def width(x): textwrap.wrap.__defaults__ = (5 + x,)
def schemes(x):
    schemes = urllib.parse.uses_netloc
    schemes.append(f"s{x}")
def names(x): vars(json)["tag"] = x
def module(x):
    import sys
    sys.modules["made_here"] = types.SimpleNamespace(x=x)
def finder(x): sys.meta_path.insert(0, types.SimpleNamespace(find_spec=lambda *args: None))
def reads(x):
    found = {}
    found[x] = sys.modules["json"].__name__
    return found, urllib.parse.uses_netloc[0], len(sys.meta_path) > 0
# file: main.py
import json, sys, textwrap, urllib.parse
import work

for name in ("tag", "encoder", "width", "schemes", "names", "module", "reads", "finder"):
    print([getattr(work, name)(i) for i in range(2)])
print(json.dumps.tag, json._default_encoder.tag, json.tag, sys.modules["made_here"].x)
print(textwrap.wrap("one two three"), urllib.parse.uses_netloc[-1], type(sys.meta_path[0]))
