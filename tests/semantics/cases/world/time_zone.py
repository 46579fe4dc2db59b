# The clock's zone is that of the program's last tzset, whatever TZ has become since.
# file: work.py
import time


def hour(seconds):
    return time.strftime("%H:%M %Z", time.localtime(seconds)), time.timezone
# file: main.py
import os
import time

import work

os.environ["TZ"] = "JST-9"
time.tzset()
print([work.hour(i * 3600) for i in range(3)])
for zone in ("UTC", "EST5EDT", "JST-9", "UTC"):
    os.environ["TZ"] = zone
    print(work.hour(7200), os.environ["TZ"])
    time.tzset()
    print(work.hour(7200))
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
