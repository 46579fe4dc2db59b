# Loops and comprehensions that make no turn at all, and a program whose calls never happen.
# file: work.py
def boom(x):
    raise RuntimeError("must not run")
# file: main.py
import work

for x in []:
    work.boom(x)
else:
    print("empty")
print([work.boom(x) for x in ()], sum(work.boom(x) for x in range(0)))
while False:
    work.boom(0)
if len("abc") == 2:
    work.boom(1)
print([work.boom(x) for x in range(9) if x > 20])
