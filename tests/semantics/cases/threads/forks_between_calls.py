# The program forks in the middle of a loop of calls.
# file: work.py
def f(x): return x * 5
# file: main.py
import os, sys
from work import f
for i in range(4):
    r = f(i)
    if i == 1:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            for j in range(2): print("child", f(j), i)
            sys.stdout.flush()
            os._exit(3)
        print("waited", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    print("parent", i, r)
r, w = os.pipe()
if os.fork() == 0:
    os.close(r)
    os.write(w, str([f(i) for i in range(3)]).encode())
    sys.exit(f(1))
os.close(w)
print(os.read(r, 100), os.wait()[1])
