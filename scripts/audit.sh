# Looks whether what Cord is built of has known faults: cargo-deny for the crates, pip-audit for what pip installs.
# A tool that is not installed, or a database that cannot be had offline, is passed over with a word.
# Usage: sh scripts/audit.sh PYTHON
set -u

failed=0
skip() {
    echo "audit: $1"
}

if ! command -v cargo-deny >/dev/null 2>&1; then
    skip "the crates are not looked at: cargo-deny is not installed (cargo install cargo-deny)"
elif cargo deny --log-level error fetch db >/dev/null 2>&1; then
    echo "cargo deny check advisories"
    cargo deny --log-level error check advisories || failed=1
elif cargo deny --log-level error --offline check advisories >/dev/null 2>&1; then
    skip "the crates have no fault that the database from before knows: there is no newer one offline"
else
    skip "the crates are not looked at: there is no database of faults offline, or it knows one (cargo deny check advisories)"
fi

if ! "$1" -c 'import pip_audit' 2>/dev/null; then
    skip "the Python packages are not looked at: pip-audit is not installed (pip install pip-audit)"
    exit $failed
fi
for file in requirements/*.txt; do
    echo "pip-audit $file"
    said=$("$1" -m pip_audit --progress-spinner off --disable-pip --require-hashes -r "$file" 2>&1) && continue
    case "$said" in
        *ConnectionError* | *ServiceError* | *"Max retries"* | *"Failed to"*)
            skip "$file is not looked at: the database of faults cannot be reached"
            ;;
        *)
            echo "$said"
            failed=1
            ;;
    esac
done
exit $failed
