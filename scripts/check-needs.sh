# Prints one line that says what this machine lacks to build Cord; nothing if it has all.
# Usage: [PYTHON=python3] sh scripts/check-needs.sh [python] [rust] [lint]
set -eu

lacks() {
    echo "$1"
    exit 1
}

check_python() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null 2>&1 ||
        lacks "$python not found: Cord needs Python 3.11 or newer (choose one with make PYTHON=...)"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        lacks "$python is $("$python" --version 2>&1): Cord needs Python 3.11 or newer (choose one with make PYTHON=...)"
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        lacks "$python has no venv module: install it (on Debian: apt-get install python3-venv)"
}

check_rust() {
    command -v cargo >/dev/null 2>&1 ||
        lacks "cargo not found: Cord needs a Rust toolchain, 1.85 or newer (rustup, or your distribution's)"
    version=$(cargo --version 2>/dev/null | cut -d ' ' -f 2)
    major=${version%%.*}
    rest=${version#*.}
    minor=${rest%%.*}
    case "$major$minor" in
        '' | *[!0-9]*) lacks "cargo --version fails: Cord needs a working Rust toolchain, 1.85 or newer" ;;
    esac
    if [ "$major" -lt 1 ] || { [ "$major" -eq 1 ] && [ "$minor" -lt 85 ]; }; then
        lacks "cargo is $version: Cord needs Rust 1.85 or newer"
    fi
    command -v cc >/dev/null 2>&1 ||
        lacks "cc not found: Rust needs a C linker (on Debian: apt-get install gcc libc6-dev)"
}

check_lint() {
    for tool in fmt clippy; do
        cargo "$tool" --version >/dev/null 2>&1 ||
            lacks "cargo $tool not found: the tests need it (rustup component add rustfmt clippy)"
    done
}

[ "$(uname -s)" = Linux ] || lacks "Cord runs on Linux only, and this is $(uname -s)"
for need in "$@"; do
    "check_$need"
done
