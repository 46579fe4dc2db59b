# Pure functions that register something with libraries, which nobody finds afterwards.
# told: 9
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import atexit, codecs, collections.abc, copyreg, csv, logging, mimetypes, socket
import pkgutil

class Thing: pass
def ends(x): atexit.register(print, "the end", x)
def error(x): codecs.register_error("mine", lambda e: (f"?{x}", e.end))
def sized(x): collections.abc.Sized.register(Thing)
def copied(x): copyreg.pickle(Thing, lambda one: (Thing, ()))
def dialect(x): csv.register_dialect("mine", delimiter="%")
def level(x): logging.addLevelName(15, f"L{x}")
def kind(x): mimetypes.add_type("a/b", f".q{x}")
def waits(x): socket.setdefaulttimeout(3.0 + x)
def modules(x): pkgutil.iter_importer_modules.register(Thing, lambda *args: [])
# file: main.py
import collections.abc, copyreg, csv, logging, mimetypes, pkgutil, socket
import work

for name in ("ends", "error", "sized", "copied", "dialect", "level", "kind", "waits", "modules"):
    print([getattr(work, name)(i) for i in range(2)])
print("\xe9".encode("ascii", "mine"), issubclass(work.Thing, collections.abc.Sized))
print(work.Thing in copyreg.dispatch_table, "mine" in csv.list_dialects())
print(logging.getLevelName(15), mimetypes.guess_type("a.q1"), socket.getdefaulttimeout())
print(pkgutil.iter_importer_modules.dispatch(work.Thing).__name__)
