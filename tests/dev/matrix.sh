#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A matrix of filesystems and schedulers under aiol on loop devices: it completes after Ctrl-C and
# kill -9, and leaves no device, mount or changed setting behind.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1

is_root || {
	skip 'a matrix on loop devices' 'needs root'
	done_testing
}
for program in mkfs.btrfs mkfs.ext4 mkfs.xfs; do
	command -v $program >/dev/null 2>&1 || {
		skip 'a matrix on loop devices' "$program is not installed"
		done_testing
	}
done

cat >plan.yaml <<'EOF'
name: aiol everywhere
workload: aiol
options: {requests: 4, instances: 1, timeout: 30ms}
stack: loop:320M,{fs}
factors:
  fs: [btrfs, ext4, xfs]
  scheduler: [none, mq-deadline, kyber, bfq]
metric: aiol.ops_per_sec
repeats: 2
warmup: 0
seed: 4
EOF

# What a matrix could leave: its own mounts and loop devices (others may come and go meanwhile),
# files of its folder, and the queues of the loop devices that nobody has.
state() {
	grep -c "$TMPDIR" /proc/mounts || :
	losetup -a | grep -c "$TMPDIR" || :
	for queue in /sys/block/loop*/queue; do
		device=$(basename "$(dirname "$queue")")
		losetup "/dev/$device" >/dev/null 2>&1 && continue
		echo "$device $(cat "$queue/scheduler" "$queue/nomerges" | tr '\n' ' ')"
	done | sort >"$1"
}
TMPDIR=$tmp/work
mkdir "$TMPDIR"
export TMPDIR
# Devices are there before, so that the list of them is the same after.
state before >counts.before

finished() {
	sqlite3 "$REGIO_STORE" 'SELECT count(*) FROM trial' 2>/dev/null || echo 0
}

command -v sqlite3 >/dev/null 2>&1 || {
	skip 'a matrix on loop devices' 'sqlite3 is not installed'
	done_testing
}

"$REGIO" matrix --monitors=none plan.yaml >out 2>err &
pid=$!
while kill -0 $pid 2>/dev/null && [ "$(finished)" -lt 3 ]; do sleep 0.2; done
kill -INT $pid
wait $pid
[ $? -eq 7 ] && grep -q 'Not complete: interrupted' out
ok 'Ctrl-C: exit status 7 and what is known'
state after >counts.after
cmp -s counts.before counts.after
ok 'after Ctrl-C no mount and no loop device is left'
interrupted=$(finished)

"$REGIO" matrix --monitors=none plan.yaml >out 2>err &
pid=$!
while kill -0 $pid 2>/dev/null && [ "$(finished)" -lt $((interrupted + 3)) ]; do sleep 0.2; done
sleep 0.3 # somewhere within a trial
kill -KILL $pid
wait $pid 2>/dev/null
killed=$(finished)
[ "$killed" -ge $((interrupted + 3)) ]
ok 'killed after some more trials'

run_regio matrix --monitors=none plan.yaml --json
[ "$status" -eq 0 ] && grep -q '"complete": *true' out
ok 'the same command ends it'
[ "$tap_status" -eq 0 ] || head -5 err | sed 's/^/# /'
grep -Eq "of which $killed trials are stored" err
ok 'what was measured before was not measured again'
[ "$(finished)" -eq 24 ] &&
	[ "$(sqlite3 "$REGIO_STORE" 'SELECT count(*) FROM run WHERE used = 1')" -eq 24 ]
ok '24 trials, each once'
sqlite3 "$REGIO_STORE" "SELECT DISTINCT key, value FROM setting WHERE key LIKE 'queue.scheduler%'" >seen
[ "$(cut -d'|' -f2 seen | sort -u | wc -l)" -eq 4 ]
ok 'every scheduler was read back during a trial'
state after >counts.after
cmp -s counts.before counts.after
ok 'no mount and no loop device is left'
comm -13 before after | grep -vE '^loop[0-9]+ \[none\]|^loop[0-9]+ none \[mq-deadline\]' >changed || :
[ ! -s changed ]
ok 'no free loop device has another scheduler than the kernel gives'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' changed
[ -z "$(ls -A "$TMPDIR")" ]
ok 'no file is left'
run_regio restore --dry-run
grep -q 'nothing to restore' out
ok 'nothing is left to restore'
done_testing
