# Rows of an array are computed from another one's, which then takes its place.
# overlap: 3
# file: main.py
import numpy as np
import work

here = np.arange(100.0).reshape(20, 5)
there = here.copy()
for sweep in range(3):
    for i in range(1, 19):
        there[i] = work.nap_all(list(here[i - 1] + here[i + 1])) / 10
    here, there = there, here
    print(sweep, here.sum().round(3))
