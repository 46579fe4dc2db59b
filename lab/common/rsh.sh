#!/bin/sh
# What starts the daemons of MPI and PVM on a machine of the lab's network, in place of ssh: its words
# are a machine and text for a shell there.
machine=$1
shift
exec sh "$(dirname "$0")/there.sh" "$machine" sh -c "$*"
