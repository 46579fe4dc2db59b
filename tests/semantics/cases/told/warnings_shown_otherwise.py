# showwarning and formatwarning of the program; warnings of classes of one's own; their order.
# file: work.py
import warnings


class Mine(UserWarning):
    def __init__(self, code, text):
        super().__init__(code, text)
        self.code = code

    def __str__(self):
        return f"{self.code}: {self.args[1]}"


def f(x):
    print("before", x)
    warnings.warn(Mine(x, "mine"))
    print("between", x)
    warnings.warn_explicit("explicit", UserWarning, "nowhere.py", 7)
    warnings.warn("about", ResourceWarning, source=[x])
    print("after", x)
    return x
# file: main.py
import sys
import warnings

import work


def show(message, category, filename, lineno, file=None, line=None):
    print("shown", category.__name__, message, getattr(message, "code", None), lineno)


plain = warnings.showwarning
warnings.showwarning = show
warnings.simplefilter("always")
for i in range(3):
    print(work.f(i))
warnings.showwarning = plain
warnings.formatwarning = lambda message, category, *rest, **more: f"{category.__name__}! {message}\n"
for i in range(3):
    print(work.f(i), file=sys.stderr)
with warnings.catch_warnings(record=True) as seen:
    work.f(8)
print([type(one.source).__name__ for one in seen])
