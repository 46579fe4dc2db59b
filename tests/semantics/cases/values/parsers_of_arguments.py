# Parsers of arguments that functions make, or are given, leave out what plain Python leaves out.
# file: work.py
import argparse
def parser():
    p = argparse.ArgumentParser(prog="x"); p.add_argument("--n", type=int, default=1); return p
def sub():
    p = argparse.ArgumentParser(prog="y"); s = p.add_subparsers(dest="c"); a = s.add_parser("go", help="g"); a.add_argument("-v", action="store_true"); a.add_argument("f", nargs="*", default=argparse.SUPPRESS); return p
def parse(p, args): return p.parse_args(args)
# file: main.py
import work
p = work.parser()
print(p.parse_args(["--n", "3"]))
q = work.sub(); print(q.parse_args(["go", "-v"]), q.format_help())
print(work.parse(q, ["go", "x", "y"]), work.parse(p, []))
