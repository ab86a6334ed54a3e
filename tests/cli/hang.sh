#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# I/O that does not come back: a frozen filesystem. One Ctrl-C waits for it, the second one ends the
# run with what was measured until then.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

if ! is_root || ! command -v fsfreeze >/dev/null || ! command -v mkfs.ext4 >/dev/null ||
	! make_loop 64; then
	echo '1..0 # SKIP needs root, a loop device, ext4 and fsfreeze'
	exit 0
fi
# what a thread in the kernel may still use is kept on purpose
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
mkdir mnt
mkfs.ext4 -q "$loop" && mount "$loop" mnt || exit 1
# shellcheck disable=SC2317 # called by the trap
thaw() {
	fsfreeze --unfreeze mnt 2>/dev/null
	umount mnt 2>/dev/null
}
trap 'thaw; cleanup' EXIT

# has_report: there is one within 8 s
has_report() {
	for _ in $(seq 80); do
		grep -q '"jobs"' out && return 0
		sleep 0.1
	done
	return 1
}

"$REGIO" run --no-save --monitors=none --progress=never --output-format=json --output=out --name=x \
	--directory=mnt --rw=write --bs=4k --size=8m --time_based --runtime=600 --thinktime=1ms \
	--numjobs=2 2>err &
pid=$!
while [ ! -s mnt/x.1.0 ]; do
	kill -0 "$pid" || break
	sleep 0.1
done
sleep 0.5
fsfreeze --freeze mnt
sleep 0.3
kill -INT "$pid"
sleep 1.5
! grep -q '"jobs"' out && kill -0 "$pid"
ok 'the first Ctrl-C waits for the I/O in flight'
kill -INT "$pid"
has_report
ok 'the second one ends the run while the I/O hangs'
fsfreeze --unfreeze mnt
status=0
wait "$pid" || status=$?
[ "$status" -eq 7 ] || [ "$status" -eq 4 ]
ok 'the status tells'
grep -q '"total_ios" : [1-9]' out && python3 -c 'import json; json.load(open("out"))'
ok 'the report has what was measured until then, whole'
done_testing
