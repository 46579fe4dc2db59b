# Calls with effects run beside each other, over all replicas.
# overlap: 6
# file: cord.toml
[remote.work]
replicas = 8
callstyle = "async"
independent = true
# file: main.py
from work import nap

done = []
for name in range(40):
    done.append(nap(name))
print(done)
print(sum(done))
