# Names that functions with effects bind in libraries, which their texts do not tell, come home.
# file: cord.toml
[remote.work]
# file: helpers.py
def put(owner, name, value): setattr(owner, name, value)
# file: work.py
import argparse, json, os, string, warnings
import helpers

def joined(*parts): return "+".join(parts)
def name(x): helpers.put(json, "tag" + str(x), {"x": x})
def function(): helpers.put(os.path, "join", joined)
def method(x): helpers.put(argparse.Namespace, "tag" + str(x), x)
def gone(): delattr(string, "white" + "space")
def strict(): warnings.simplefilter("error")
# file: main.py
import argparse, json, os, string, warnings
import work

work.name(1), work.function(), work.method(2), work.gone(), work.strict()
print(vars(json)["tag" + "1"], vars(os.path)["jo" + "in"]("a", "b"))
print(vars(argparse.Namespace)["tag" + "2"], hasattr(string, "whitespace"), warnings.filters[0][0])
