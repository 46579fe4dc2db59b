# Callbacks of regular expressions, templates and formats call remotely.
# file: work.py
def repl(s): return s.upper() + "!"
# file: main.py
import re, string
from work import repl
print(re.sub(r"\b(\w)(\w*)", lambda m: repl(m[1]) + m[2], "the quick fox"), re.sub("x", lambda m: repl("x"), "axbxc", count=1))
class M(dict):
    def __missing__(self, k): return repl(k)
    def __getitem__(self, k): print("get", k); return super().__getitem__(k)
print(string.Template("$a and ${b}").substitute(M(a=1)), "{x} {y}".format_map(M(y=2)), "%(q)s" % M())
print("".join(map(repl, "abc")), "-".join(repl(c) for c in "xy" if c != "x"), str.join("+", [repl("a")]), "abc".translate({97: repl("z")}))
print(*sorted(map(repl, "cab")), sep="|", end="#\n")
print(f"{repl('a'):>5}{repl('b')!r}{repl(repl('c'))}")
