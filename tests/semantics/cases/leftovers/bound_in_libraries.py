# Pure functions that bind names in modules and classes of libraries; one that binds them back.
# told: 7
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import argparse, builtins, collections, collections.abc, http, json, os.path, string
from unittest import mock

def joined(*parts): return "+".join(parts)
def name(x): json.tag = x
def by_name(x): setattr(json, f"tag{x}", x)
def function(x): os.path.join = joined
def builtin(x): builtins.made_here = x
def methods(x):
    argparse.Namespace.tag = collections.UserDict.tag = x
    http.HTTPStatus.tag = collections.abc.Sized.tag = x
def gone(x):
    if hasattr(string, "whitespace"): del string.whitespace
def patched(x): mock.patch("json.loads", lambda text: x).start()
def back(x):
    with mock.patch("json.dumps", lambda one: "patched"):
        json.other = x
        del json.other
        return json.dumps(x)
# file: main.py
import argparse, builtins, collections, collections.abc, http, json, os.path, string
import work

for name in ("name", "by_name", "function", "builtin", "methods", "gone", "patched", "back"):
    print([getattr(work, name)(i) for i in range(2)])
print(json.tag, json.tag0, json.tag1, os.path.join("a", "b"), builtins.made_here)
print(argparse.Namespace.tag, collections.UserDict.tag, http.HTTPStatus.tag)
print(collections.abc.Sized.tag, hasattr(string, "whitespace"), json.loads("7"), json.dumps(7))
