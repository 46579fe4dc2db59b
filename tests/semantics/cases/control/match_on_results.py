# Results are matched against patterns with guards that call again.
# file: work.py
def parse(line):
    head, *rest = line.split()
    if head == "num": return {"kind": "num", "value": int(rest[0])}
    if head == "pair": return (int(rest[0]), int(rest[1]))
    if head == "list": return [int(x) for x in rest]
    if head == "none": return None
    raise SyntaxError(f"bad command {head!r}")
# file: main.py
from work import parse
total = 0
for line in ["num 4", "pair 1 2", "list 1 2 3", "none", "list", "pair 9 9", "oops 1", "num -3"]:
    try:
        match parse(line):
            case {"kind": "num", "value": v} if v > 0:
                total += v
                print("positive", v)
            case {"kind": "num", **rest}:
                print("other num", rest)
            case (int(a), int(b)) if a == b and isinstance(parse(line), tuple):
                print("twins", a)
            case [first, *others] as whole:
                print("seq", first, others, type(whole).__name__)
            case []:
                print("empty")
            case None:
                continue
            case _:
                print("?")
    except SyntaxError as e:
        print("error", e, e.args)
    else:
        print("total", total)
