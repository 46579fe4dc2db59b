"""Be an agent on a machine whose processor has one feature more."""

import sys

from cord.cli.main import run_command
from cord.engines.nodes import facts

had = facts.cpu_features()
facts.cpu_features = lambda: [*had, "sve2"]
sys.exit(run_command(sys.argv[sys.argv.index("agent") :]))
