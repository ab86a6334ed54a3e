#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A filesystem that hangs: the second Ctrl-C ends the run, with what was measured until then.
# shellcheck source=tests/cli/lib.sh
. "${REGIO_SOURCE_ROOT:-.}/tests/cli/lib.sh"

if ! is_root || ! command -v mkfs.ext4 >/dev/null || ! command -v fsfreeze >/dev/null; then
	skip 'a hung filesystem' 'needs root, mkfs.ext4 and fsfreeze'
	done_testing
fi
make_loop 64 && mkfs.ext4 -q "$loop" && mkdir "$tmp/mnt" && mount "$loop" "$tmp/mnt" || exit 1
is_frozen=
cleanup_mount() {
	[ -z "$is_frozen" ] || fsfreeze -u "$tmp/mnt"
	umount "$tmp/mnt"
	cleanup
}
trap cleanup_mount EXIT

# until CONDITION: within 20 s
until_true() {
	for _ in $(seq 200); do
		eval "$1" && return 0
		sleep 0.1
	done
	return 1
}

"$REGIO" run --no-save --monitors=none --name=hang --directory="$tmp/mnt" --rw=write --size=4m \
	--time_based --runtime=600 --ioengine=psync >"$tmp/out" 2>"$tmp/err" &
pid=$!
until_true '[ -s "$tmp/mnt/hang.0.0" ]'
sleep 1
fsfreeze -f "$tmp/mnt" && is_frozen=1
ok 'the filesystem is frozen under a running job'
sleep 0.5
kill -INT "$pid"
sleep 2
! grep -q 'issued rwts' "$tmp/out"
ok 'the first signal waits for I/O in flight'
kill -INT "$pid"
until_true 'grep -q "issued rwts" "$tmp/out"'
ok 'the second one does not: the report is there'
grep -q 'does not come back from the kernel' "$tmp/err" &&
	grep -Eq 'issued rwts: total=0,[1-9][0-9]*,0,0' "$tmp/out"
ok 'it has what was counted, and says that an I/O hangs'
fsfreeze -u "$tmp/mnt" && is_frozen=
status=0
wait "$pid" || status=$?
[ "$status" -eq 4 ] || [ "$status" -eq 7 ]
ok 'the exit status is that of a failure'
done_testing
