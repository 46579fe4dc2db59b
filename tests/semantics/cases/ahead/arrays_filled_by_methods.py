# A method of an array may put what it computes into an argument, which a scout must not do.
# file: work.py
def f(x):
    return x
# file: main.py
import numpy as np

from work import f

a = np.array([1.0, 2.0, 3.0])
kept = np.zeros(3)
product = np.zeros(3)
for i in range(6):
    print(f(i), kept.tolist(), product.tolist())
    summed = (a * i).cumsum(out=kept)
    print(f(summed.tolist()))
    total = a.dot(np.eye(3) * i, product)
    print(f(total.tolist()), f(a.clip(1.5, 2.5).tolist()), f(a.dot(a).item()))
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
inline = false
