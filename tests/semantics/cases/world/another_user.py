# A program that gives up its privileges makes its calls itself from then on.
# file: work.py
import os


def look(x):
    try:
        with open("secret") as file:
            return x, os.getresuid(), file.read()
    except PermissionError:
        return x, os.getresuid(), "refused"
# file: main.py
import os

import work

with open("secret", "w") as file:
    file.write("kept")
os.chmod("secret", 0o600)
print([work.look(i)[2] for i in range(3)])
if os.getuid() == 0:
    os.seteuid(65534)
    print([work.look(i)[0] for i in range(3)])
    print(work.look(0)[2] == "refused", work.look(0)[1] == (0, 65534, 0))
    os.seteuid(0)
    print([work.look(i)[2] for i in range(3)])
    os.setuid(65534)
    print(work.look(0)[2] == "refused", work.look(0)[1] == (65534,) * 3)
else:  # it has nothing to give up
    for line in ([0, 1, 2], "True True", ["kept"] * 3, "True True"):
        print(line)
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
