# Sources with carriage returns, a byte order mark, tabs and another encoding.
# file: work.py
def f(x): return x
# file: make.py
pass
# file: main.py
src = "\ufeffimport work\r\nfor i in range(3):\r\n\tprint(work.f(i),\r\n\t\t'''a\r\nb''')\r\nprint(work.f('\u00e9'))"
open("gen.py", "wb").write(src.encode())
import gen
open("lat.py", "wb").write(b"# -*- coding: latin-1 -*-\nfrom work import f\ns = '\xe9\xff'\nprint(f(s), len(s))\nraise ValueError(f(s))")
try: import lat
except ValueError as e: print(ascii(str(e)))
exec(compile(open("gen.py", encoding="utf-8-sig").read(), "gen.py", "exec"))
