# Settings, environment, folder, path and random numbers that undeclared calls leave changed come home.
# file: cord.toml
[remote.work]
# file: work.py
import decimal, os, random, sys
def name(x): os.environ["NAME"] = x
def forget(): del os.environ["NAME"]
def deep(n): sys.setrecursionlimit(n); return [n]
def precise(n): decimal.getcontext().prec = n
def path(entry): sys.path.append(entry)
def folder(): os.chdir("/tmp"); raise ValueError("went away")
def mask(): return os.umask(0o027)
def seen(): return os.environ.get("NAME"), sys.getrecursionlimit(), os.getcwd()
def seed(n): random.seed(n); return random.random()
# file: main.py
import decimal, os, sys
import work
for x in ("a", "b"):
    work.name(x)
    print(os.environ.get("NAME"), os.popen("echo $NAME").read().strip())
work.forget()
print(os.environ.get("NAME"), work.seen()[0])
print(work.deep(2345), sys.getrecursionlimit(), work.seen()[1])
work.precise(5)
print(decimal.Decimal(1) / 3)
work.path("/nowhere")
print(sys.path[-1])
try:
    work.folder()
except ValueError as exc:
    print(exc, os.getcwd(), work.seen()[2])
print(oct(work.mask()), oct(os.umask(0o022)), oct(work.mask()))
import random  # its numbers are those that the function has left
print(work.seed(3), random.random(), random.random())
sys.setrecursionlimit(1000)
print(work.seen()[1])
