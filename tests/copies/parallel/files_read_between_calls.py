# What is sent is read from open files by a library, and other files are opened on the way.
# overlap: 4
# file: lib/reading.py
import os


def each(path, function):
    with open(path) as lines:
        for line in lines:
            with open(f"weight{int(line) % 3}.txt") as weight:
                yield function(int(line), int(weight.read()) + os.path.getsize(path) % 3)
# file: main.py
import sys

sys.path.append("lib")
import reading
import work

with open("numbers.txt", "w") as numbers:
    numbers.write("\n".join(map(str, range(40))))
for number in range(3):
    with open(f"weight{number}.txt", "w") as weight:
        weight.write(str(number))
print(list(reading.each("numbers.txt", work.nap)))
