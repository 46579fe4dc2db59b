# Arrays that do not lie in one piece keep their steps, so that what runs through them rounds as in place.
# file: work.py
import numpy as np


def total(a):
    return float(np.einsum("ij->", a)), float(a.sum()), float(np.dot(a[:, 0], a[:, 1]))


def layout(a):
    return a.strides, a.flags.c_contiguous, a.flags.writeable, a.tolist()


def make(n):
    return np.random.default_rng(n).random((60, 70))[:, 1:-1]
# file: main.py
import numpy as np
import work

m = np.random.default_rng(1).random((60, 70))
for n in range(1, 5):
    print(work.total(m[:, n:-n]), work.layout(m[::n, n:]))
    made = work.make(n)
    print(float(np.einsum("ij->", made)), made.strides, made.flags.c_contiguous)
cube = np.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)
records = np.zeros((3, 4), [("a", "i2"), ("b", "f8")])
for a in (
    cube[:, ::-1, 1:],
    cube[..., ::2].transpose(2, 0, 3, 1),
    np.broadcast_to(np.arange(4.0)[:, None], (4, 5)),
    np.lib.stride_tricks.sliding_window_view(np.arange(9), 3),
    cube[0, 0, ::-1, 0],
    records[:, 1:],
    records["b"],
    np.array([["a", "bb"], ["c", "d"]])[:, 0],
    np.arange("2000-01", "2001-01", dtype="datetime64[M]")[::3],
):
    print(work.layout(a))
