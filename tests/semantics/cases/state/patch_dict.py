# A dict that a module holds is changed in place, also where it stands under another name.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: config.py
settings = {'factor': 1, 'z': 0}
# file: work.py
from config import settings
def f(n):
    return n * settings['factor'], sorted(settings)
# file: main.py
from unittest import mock
import work, config
print([work.f(n) for n in range(4)])
with mock.patch.dict(config.settings, {"factor": 5, "extra": 1}):
    print([work.f(n) for n in range(4)])
print([work.f(n) for n in range(4)])
config.settings.clear(); config.settings["factor"] = 9
print([work.f(n) for n in range(4)])
