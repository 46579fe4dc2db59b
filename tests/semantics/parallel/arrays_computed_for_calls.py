# Functions of NumPy make the arguments, some of them into arrays that are there already.
# overlap: 3
# file: main.py
import numpy as np
import work

phases = np.linspace(0, 1, 8)
kept = np.zeros(8)
for k in range(24):
    wave = np.round(np.sin(2 * np.pi * k * phases), 3)
    print(round(work.nap_all(list(wave)), 3))
for k in range(8):
    np.multiply(phases, k, out=kept)
    print(round(work.nap_all(list(kept)), 3))
for part in np.array_split(np.arange(40, dtype=float), 8):
    print(work.nap_all(list(np.where(part > 9, part, np.zeros_like(part)))))
