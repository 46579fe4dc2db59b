#!/bin/sh
# Run a command on a machine of the lab's network: there.sh MACHINE COMMAND WORDS...
# MACHINE is its name or its address.
machine=$1
shift
case $machine in
10.78.0.*) machine=cordlab$((${machine##*.} - 1)) ;;
esac
exec ip netns exec "$machine" unshare --uts sh -c 'hostname "$0"; exec "$@"' "$machine" "$@"
