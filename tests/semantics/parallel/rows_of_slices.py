# Arguments are slices and small objects built in the turn.
# overlap: 3
# file: main.py
import work

grid = [[(i * 7 + j * 3) % 10 for j in range(6)] for i in range(16)]
out = []
for i in range(1, len(grid) - 1):
    out.append(work.nap_all(grid[i - 1][1:3] + grid[i][:4] + [grid[i + 1][0]]))
print(out)
