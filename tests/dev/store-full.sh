#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The filesystem of the store runs full in the middle of ab: one line, and nothing is lost of what
# was told before.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1

if ! is_root || ! command -v sqlite3 >/dev/null; then
	echo '1..0 # SKIP needs root and sqlite3'
	exit 0
fi
mkdir small
mount -t tmpfs -o size=1200k regio-test small || {
	echo '1..0 # SKIP cannot mount a tmpfs here'
	exit 0
}
cleanup_mount() {
	umount "$tmp/small"
	cleanup
}
trap cleanup_mount EXIT
REGIO_STORE=$tmp/small/regio.db
job='--name=x --ioengine=null --rw=randread --size=64m'

# shellcheck disable=SC2086 # several words on purpose
run_ab() {
	run_regio ab $job --min-effect=0 --progress=never --monitors=none "$@"
}
for nr in 1 2 3 4 5 6 7 8; do
	run_ab --max-pairs=60
	[ "$status" -eq 4 ] && break
done
echo "# full in session $nr"
expect 4 "store '.*/small/regio.db': cannot keep the result: No space left on device" 'ab: the store is full'
[ "$(sqlite3 "$REGIO_STORE" 'PRAGMA integrity_check')" = ok ]
ok 'the store is whole'
runs=$(sqlite3 "$REGIO_STORE" 'SELECT count(*) FROM run')
whole=$(sqlite3 "$REGIO_STORE" 'SELECT count(DISTINCT run.id) FROM run JOIN archive ON archive.run_id = run.id
	JOIN metric_value ON metric_value.run_id = run.id')
[ "$runs" -gt 5 ] && [ "$runs" -eq "$whole" ]
ok "all of its $runs runs are whole"
run_regio compare "$nr:A" "$nr:B"
[ "$status" -ne 4 ] && grep -q 'read.iops' out
ok 'what was kept of the session can be compared'
mount -o remount,size=16m "$tmp/small"
run_ab --max-pairs=5
[ "$status" -ne 4 ] && [ "$(sqlite3 "$REGIO_STORE" 'SELECT count(*) FROM run')" -gt "$runs" ]
ok 'with more room it goes on'

# on a full disk nothing is begun
mount -o remount,size=17m "$tmp/small"
head -c 17m /dev/zero >small/fill 2>/dev/null
run_ab --max-pairs=5
expect 4 "store '.*/small/regio.db': .*No space left on device" 'ab on a full disk'
trap - EXIT
umount "$tmp/small"
trap cleanup EXIT
done_testing
