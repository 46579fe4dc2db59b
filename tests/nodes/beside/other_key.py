"""Be an agent of another run: one that has another key."""

import os
import subprocess
import sys

from cord import _core

sys.exit(subprocess.call(sys.argv[1:], env={**os.environ, "CORD_AGENT_KEY": _core.new_key().hex()}))
