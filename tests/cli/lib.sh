# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the shell tests: a temporary folder, a store and a state folder of its own, TAP.
# REGIO is the program under test (set by meson).
# shellcheck shell=sh

set -u
: "${REGIO:?set REGIO to the regio program}"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/regio-test.XXXXXX")
REGIO_STORE=$tmp/regio.db
REGIO_STATE_DIR=$tmp/state
export REGIO_STORE REGIO_STATE_DIR
tap_nr=0
tap_failed=0
loop_devices=

cleanup() {
	trap - EXIT INT TERM
	for device in $loop_devices; do
		losetup -d "$device" || echo "# could not detach $device"
	done
	rm -rf "$tmp"
	[ "$tap_failed" -eq 0 ]
}
trap cleanup EXIT
trap 'exit 1' INT TERM

# ok DESCRIPTION: result of the command before it
ok() {
	tap_status=$?
	tap_nr=$((tap_nr + 1))
	if [ "$tap_status" -eq 0 ]; then
		echo "ok $tap_nr - $1"
	else
		echo "not ok $tap_nr - $1"
		tap_failed=1
	fi
}

# skip DESCRIPTION REASON
skip() {
	tap_nr=$((tap_nr + 1))
	echo "ok $tap_nr - $1 # SKIP $2"
}

done_testing() {
	echo "1..$tap_nr"
	exit "$tap_failed"
}

# run_regio ARGS..: stdout to $tmp/out, stderr to $tmp/err, exit status to $status
run_regio() {
	status=0
	"$REGIO" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
}

# expect STATUS REGEX DESCRIPTION: the last run ended so, with one error line that matches
expect() {
	[ "$status" -eq "$1" ] && grep -Eq -- "$2" "$tmp/err" &&
		[ "$(grep -c 'regio: error:' "$tmp/err")" -eq 1 ]
	ok "$3"
	if [ "$tap_status" -ne 0 ]; then
		echo "# expected exit status $1 and one error line matching: $2"
		echo "# got $status:"
		head -c 2000 "$tmp/err" | sed 's/^/# /'
	fi
}

# expect_ok DESCRIPTION: the last run ended with 0
expect_ok() {
	[ "$status" -eq 0 ]
	ok "$1"
	[ "$tap_status" -eq 0 ] || head -c 2000 "$tmp/err" | sed 's/^/# /'
}

is_root() {
	[ "$(id -u)" -eq 0 ]
}

# make_loop SIZE_MIB: sets $loop to a new loop device on a file of its own
make_loop() {
	loop_nr=$((${loop_nr:-0} + 1))
	truncate -s "${1}M" "$tmp/disk$loop_nr" &&
		loop=$(losetup --find --show "$tmp/disk$loop_nr") &&
		loop_devices="$loop_devices $loop"
}
