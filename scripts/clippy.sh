#!/bin/sh
# The compiler of `make test`, as cargo's RUSTC_WORKSPACE_WRAPPER: it compiles and lints at once, so that the crates are
# not gone through once more only to be linted. Called as `clippy.sh rustc ARGS`; a warning is an error.
exec clippy-driver "$@" --deny warnings
