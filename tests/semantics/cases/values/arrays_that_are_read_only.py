# Arrays that may not be written and do not lie in one piece may not be written where they arrive.
# told: 1
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import numpy as np

table = np.arange(6.0)
table.flags.writeable = False


def written(array):
    try:
        array[0] = 5
        return array.tolist()
    except ValueError as error:
        return str(error)


def parts(x):
    return [table[x::2], table[x:], np.broadcast_to(table[x], (2, 3)), table.astype(object)[::2]]
# file: main.py
import numpy as np

import work

frozen = np.arange(8)
frozen.flags.writeable = False
for array in (frozen[::2], frozen[::-1], frozen[3:], np.broadcast_to(frozen[1], (2, 2))):
    print(work.written(array))
texts = np.array(["a", 1, None], object)
texts.flags.writeable = False
print(work.written(texts[::2]), work.written(texts), work.written(texts.copy()[::2]))
for x in range(3):
    print([one.flags.writeable for one in work.parts(x)])
