"""Be an agent on a machine that does not have the program's folder, in a namespace of its own.

Where no namespace can be made, it ends with 77.
"""

import os
import subprocess
import sys

FOLDER = os.getcwd()
HIDE = 'mount -t tmpfs none "$0" && cd / && exec "$@"'
if subprocess.call(["unshare", "-m", "true"], stderr=subprocess.DEVNULL) != 0:
    sys.exit(77)
os.execvp("unshare", ["unshare", "-m", "sh", "-c", HIDE, FOLDER, *sys.argv[1:]])
