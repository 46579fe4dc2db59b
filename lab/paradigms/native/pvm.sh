#!/bin/sh
# Run a PVM program with daemons of its own, which end with it: pvm.sh PROGRAM WORDS...
# LAB_PVM_HERE and LAB_PVM_HOST are the addresses of this machine and of another one, if there is one.
export PVM_ROOT=${PVM_ROOT:-/usr/lib/pvm3} PVM_ALLOW_ROOT=1
PVM_TMP=$(mktemp -d)
export PVM_TMP
daemon=$PVM_ROOT/lib/pvmd
if [ -n "$LAB_PVM_HOST" ]; then
	echo "$LAB_PVM_HOST dx=$daemon" >"$PVM_TMP/hosts"
	"$daemon" "-n$LAB_PVM_HERE" "$PVM_TMP/hosts" >"$PVM_TMP/said" 2>&1 </dev/null &
else
	"$daemon" >"$PVM_TMP/said" 2>&1 </dev/null &
fi
daemon=$!
tries=0
until grep -qs ready "$PVM_TMP"/pvml.*; do
	tries=$((tries + 1))
	[ $tries -lt 200 ] || { echo "pvmd did not start: $(cat "$PVM_TMP/said")" >&2; exit 1; }
	sleep 0.05
done
"$@"
status=$?
kill $daemon
wait $daemon 2>/dev/null
rm -rf "$PVM_TMP"
exit $status
