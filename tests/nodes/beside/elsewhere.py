"""Be an agent that starts in another folder, where there is nothing of the program."""

import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    sys.exit(subprocess.call(sys.argv[1:], cwd=folder))
