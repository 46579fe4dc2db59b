# Prints the Pythons of this machine that Cord runs on, one a line, as VERSION=PATH: 3.12=/usr/bin/...
# or 3.14t=... Of one version the first that is found, in PATH and then in pyenv.
set -eu

pyenv=${PYENV_ROOT:-$HOME/.pyenv}
candidates() {
    for version in 3.11 3.12 3.13 3.14 3.14t; do
        command -v "python$version" || true
    done
    ls -d "$pyenv"/versions/3.*/bin/python3 2>/dev/null | sort -rV
}

tell='
import sys, sysconfig
import ensurepip, venv
if sys.version_info >= (3, 11):
    free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    print("%d.%d%s=%s" % (*sys.version_info[:2], free, sys.executable))
'

candidates | while read -r python; do
    # a shim of pyenv for a version that is not chosen fails
    "$python" -c "$tell" 2>/dev/null || true
done | sort -t = -V -k1,1 -s | awk -F = '!seen[$1]++'
