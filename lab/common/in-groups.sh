#!/bin/sh
# Run a command in each of the control groups that LAB_MACHINES names, in their order, at once.
for group in $LAB_MACHINES; do
	sh "$(dirname "$0")/group.sh" "$group" "$@" &
	sleep 0.2
done
wait
