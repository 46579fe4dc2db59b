# A filter that makes errors of warnings does so in calls, as long as the program has it.
# file: work.py
import warnings


class Careful(UserWarning):
    pass


def careful(x):
    try:
        warnings.warn("careful", Careful, stacklevel=1)
    except Careful as exc:
        return x, "raised", str(exc)
    return x, "went on"
# file: main.py
import warnings

import work

warnings.simplefilter("ignore")
print([work.careful(i) for i in range(2)])
for i in range(3):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        print(work.careful(i))
    print(work.careful(i))
warnings.filterwarnings("error", message="care.*", category=work.Careful)
print([work.careful(i) for i in range(2)])
warnings.filters.insert(0, ("ignore", None, Warning, None, 0))
print([work.careful(i) for i in range(2)])
del warnings.filters[0]
print([work.careful(i) for i in range(2)])
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
