# Names that the program puts into builtins are there for calls.
# file: work.py
def greet(i):
    return shout(_("hello")) + str(i) if LOUD else _("hello") + str(i)
# file: main.py
import builtins
import gettext

builtins.LOUD = False
import work

gettext.install("app")
builtins.shout = str.upper
for i in range(6):
    print(work.greet(i))
    builtins.LOUD = i % 2 == 0
