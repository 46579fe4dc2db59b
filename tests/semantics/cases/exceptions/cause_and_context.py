# Chains of causes and contexts travel, and are extended by the client.
# file: work.py
def parse(text):
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError(f"cannot parse {text!r}") from error


def lookup(key):
    try:
        return {"a": 1}[key]
    except KeyError:
        raise LookupError("no such key")


def hidden(key):
    try:
        return {}[key]
    except KeyError:
        raise LookupError("hidden") from None
# file: main.py
import work

for call in (lambda: work.parse("x"), lambda: work.lookup("b"), lambda: work.hidden("c")):
    try:
        call()
    except Exception as error:
        cause, context = error.__cause__, error.__context__
        print(repr(error), repr(cause), repr(context), error.__suppress_context__)
try:
    try:
        work.parse("7x")
    except RuntimeError as error:
        raise OSError("outer") from error
except OSError as error:
    print(repr(error.__cause__), repr(error.__cause__.__cause__))
try:
    work.parse("1")
    work.parse("z")
finally:
    print("on the way out")
