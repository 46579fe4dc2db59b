"""Be an agent on a machine whose processor lacks what LACKS names."""

import os
import sys

from cord.cli.main import run_command
from cord.engines.nodes import facts

had = facts.flags()
facts.flags = lambda: had - set(os.environ["LACKS"].split())
sys.exit(run_command(sys.argv[sys.argv.index("agent") :]))
