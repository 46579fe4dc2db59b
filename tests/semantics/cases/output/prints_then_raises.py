# What a remote function printed before it raised is shown before the handler runs.
# file: work.py
def f(x):
    print("about to fail", x)
    if x % 2:
        raise ValueError(x)
    print("did not", x)
    return x
# file: main.py
import work

for x in range(4):
    try:
        print("got", work.f(x))
    except ValueError as error:
        print("error", error)
print("last")
work.f(5)
