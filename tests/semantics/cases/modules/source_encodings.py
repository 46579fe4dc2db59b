# Source with a byte order of its own: coding cookie, tabs, form feed, continuation lines.
# stderr: whole
# file: work.py
# -*- coding: latin-1 -*-
def f(x): return x, len("é")
# file: main.py
# -*- coding: latin-1 -*-
import work; from work import \
	f
def run(n):
	for i in range(n):
		if i % 2: print(work.f("é"), \
			f(i)); continue
		else: r = work.f(
			i
		); print(r, "ü" "ö")

run(3); x = [f(i) for i in (1,
    2)]; print(x)
run(1) ; [0][f(5)[0]]
