# Rows of a picture computed remotely, written to a file as they come.
# file: work.py
import time


def row(y, width, height):
    time.sleep(y % 3 / 1000)
    line = ""
    for x in range(width):
        c, z, n = complex(x / width * 3 - 2, y / height * 2 - 1), 0, 0
        while abs(z) < 2 and n < 9:
            z, n = z * z + c, n + 1
        line += " .:-=+*#%@"[n]
    return line
# file: main.py
import work

W, H = 60, 24
with open("picture.txt", "w") as picture:
    for y in range(H):
        line = work.row(y, W, H)
        picture.write(line + "\n")
        if y % 8 == 0:
            print(f"{y / H:4.0%}", line.count("@"))
print(open("picture.txt").read())
