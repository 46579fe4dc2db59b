# The client starts other programs between its calls and reads what they print.
# file: other.py
import sys

print("other says", sys.argv[1:])
# file: work.py
def f(x):
    return x * 3
# file: main.py
import subprocess
import sys

import work

for i in range(2):
    done = subprocess.run(
        [sys.executable, "other.py", str(work.f(i))], capture_output=True, text=True, check=True
    )
    print(done.stdout, work.f(len(done.stdout)))
try:
    subprocess.run([sys.executable, "-c", "raise SystemExit(3)"], check=True)
except subprocess.CalledProcessError as error:
    print(error.returncode, work.f(error.returncode))
