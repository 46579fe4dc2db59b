# A search that fills a grid and empties it again, over many more states than it will ever see.
# file: work.py
def options(row, col, box):
    return sorted(set(range(1, 5)) - set(row) - set(col) - set(box))
# file: main.py
import work
grid = [[1, 0, 0, 0], [0, 0, 3, 0], [3, 0, 0, 0], [0, 0, 0, 2]]
steps = 0
def solve():
    global steps
    for r in range(4):
        for c in range(4):
            if grid[r][c] == 0:
                row, col = grid[r], [grid[i][c] for i in range(4)]
                br, bc = r // 2 * 2, c // 2 * 2
                box = [grid[i][j] for i in range(br, br + 2) for j in range(bc, bc + 2)]
                for v in work.options(row, col, box):
                    steps += 1
                    grid[r][c] = v
                    if solve(): return True
                    grid[r][c] = 0
                return False
    return True
print(solve(), steps)
for r in grid: print(*r)
