# A decorator catches what its function raises, a table leads to it, and a loop looks at the result.
# overlap: 3
# file: main.py
import functools

import work

ROUTES = {}


def route(prefix):
    def keep(function):
        ROUTES[prefix] = function
        return function

    return keep


def answered(function):
    @functools.wraps(function)
    def wrapped(request):
        try:
            return 200, function(request)
        except ValueError as error:
            return 500, str(error)

    return wrapped


@route("/a")
@answered
def first(request):
    return work.picky(request["number"])


@route("/b")
@answered
def second(request):
    found = work.nap(request["number"])
    return f"second {found}"


def handle(request):
    for prefix, function in ROUTES.items():
        if request["path"].startswith(prefix):
            return function(request)
    return 404, ""


log = []
for i in range(40):
    status, body = handle({"path": f"/{'ab'[i % 2]}/{i}", "number": i})
    log.append(f"{status} {body}")
print("\n".join(log))
