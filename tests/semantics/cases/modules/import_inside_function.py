# Imports inside functions, branches and try blocks.
# file: work.py
def f(x):
    return x + 0.5
# file: main.py
def one(x):
    from work import f

    return f(x)


def two(xs):
    import work

    return [work.f(x) for x in xs]


try:
    import missing_module as work
except ImportError as error:
    print(error)
    import work

print(one(1), two([2, 3]))
for i in range(2):
    import work as again

    print(again.f(i), again is work)
