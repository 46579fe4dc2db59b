#!/bin/sh
# Run a command on the first machines of the lab's network, but the client's: everywhere.sh COUNT ...
count=$1
shift
for number in $(seq "$count"); do
	sh "$(dirname "$0")/there.sh" "cordlab$number" "$@" &
done
wait
