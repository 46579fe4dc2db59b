# What a remote module prints when it is imported appears once, where the client imports it.
# file: work.py
print("importing", __name__)


def f(x):
    return x * 2
# file: main.py
print("before")
import work

print("after")
print([work.f(i) for i in range(4)])
import work

print("end")
