#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Settings on a real loop device: applied, read back, undone; after kill -9 by regio restore.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

if ! is_root; then
	echo '1..0 # SKIP needs root to make a loop device'
	exit 0
fi
if ! make_loop 64; then
	echo '1..0 # SKIP cannot make a loop device here'
	exit 0
fi
queue=/sys/block/${loop##*/}/queue

# all attributes with their values, one a line
snapshot() {
	for file in "$queue"/* "$queue"/iosched/*; do
		[ -f "$file" ] && echo "$file $(cat "$file" 2>/dev/null)"
	done
}

scheduler() {
	sed 's/.*\[\(.*\)\].*/\1/' "$queue/scheduler"
}

read_job="--name=r --filename=$loop --rw=randread --size=16m --bs=4k"
before=$(scheduler)
other=mq-deadline
[ "$before" = mq-deadline ] && other=none
snapshot >"$tmp/before"

# shellcheck disable=SC2086 # several words on purpose
run_regio run $read_job --set "queue.scheduler=$other" --output-format=archive
expect_ok "a run with queue.scheduler=$other"
grep -q "\"$other\"" "$tmp/out"
ok 'the value read back is in the result'
snapshot | cmp -s - "$tmp/before"
ok 'all queue and iosched attributes are as before'

# shellcheck disable=SC2086
run_regio run $read_job --set queue.scheduler=nosuch
expect 2 "nosuch.*$other" 'a scheduler that the kernel does not have: the choices are listed'
# shellcheck disable=SC2086
run_regio run $read_job --set queue.nr_request=7
expect 2 "did you mean 'nr_requests'" 'a mistyped attribute'
# shellcheck disable=SC2086
run_regio run $read_job --ioscheduler="$other"
expect_ok "fio's ioscheduler="
snapshot | cmp -s - "$tmp/before"
ok 'ioscheduler is restored, unlike in fio'

# shellcheck disable=SC2086
"$REGIO" ab $read_job --time_based --runtime=60 --a queue.scheduler="$before" \
	--b queue.scheduler="$other" --b queue.nr_requests=32 >"$tmp/out" 2>"$tmp/err" &
pid=$!
waited=0
while [ "$(scheduler)" = "$before" ] && [ $waited -lt 900 ]; do
	sleep 0.1
	waited=$((waited + 1))
	# side A comes first in the warm-up: let it end
	[ $((waited % 20)) -eq 0 ] && kill -INT $pid 2>/dev/null && break
done
wait $pid
snapshot | cmp -s - "$tmp/before"
ok 'SIGINT during ab leaves everything as before'

# shellcheck disable=SC2086
"$REGIO" run $read_job --time_based --runtime=60 --set queue.scheduler="$other",queue.nr_requests=32 \
	>"$tmp/out" 2>"$tmp/err" &
pid=$!
waited=0
while [ "$(cat "$queue/nr_requests")" != 32 ] && [ $waited -lt 100 ]; do
	sleep 0.1
	waited=$((waited + 1))
done
kill -KILL $pid
wait $pid 2>/dev/null
[ "$(scheduler)" = "$other" ]
ok 'after kill -9 the scheduler is still the changed one'
# shellcheck disable=SC2086
run_regio run --name=n --ioengine=null --rw=read --size=4k
grep -q "left behind: .*scheduler.*; 'regio restore'" "$tmp/err"
ok 'the next start says so'
run_regio restore --dry-run
[ "$status" -eq 0 ] && [ "$(scheduler)" = "$other" ]
ok 'restore --dry-run changes nothing'
run_regio restore
expect_ok 'restore'
snapshot | cmp -s - "$tmp/before"
ok 'and everything is as before'
run_regio restore
[ "$status" -eq 0 ] && grep -q 'nothing to restore' "$tmp/out"
ok 'a second restore has nothing to do'
[ -z "$(ls -A "$REGIO_STATE_DIR/journal" 2>/dev/null)" ]
ok 'no journal is left'

# values that sysfs takes and makes others of: one line, and nothing is changed
# shellcheck disable=SC2086
run_regio run $read_job --set queue.nomerges=2,queue.nr_requests=1
expect 2 "setting 'queue.nr_requests=1': '1' was written to $queue/nr_requests, but it reads '4'" 'run: a value that reads back differently'
snapshot | cmp -s - "$tmp/before"
ok 'and everything is as before'
# shellcheck disable=SC2086
run_regio ab $read_job --a queue.read_ahead_kb=8 --b queue.read_ahead_kb=7
expect 2 "setting 'queue.read_ahead_kb=7': '7' was written to .*, but it reads '4'" 'ab: a value that reads back differently'
snapshot | cmp -s - "$tmp/before"
ok 'and everything is as before'
cat >"$tmp/plan.yaml" <<EOF
options: {name: r, filename: $loop, rw: randread, size: 1m}
set:
  queue.nomerges: 2
factors:
  queue.read_ahead_kb:
    [8, 7]
  bs: [4k, 8k]
repeats: 5
EOF
run_regio matrix "$tmp/plan.yaml" --monitors=none
expect 3 "plan.yaml:5: setting 'queue.read_ahead_kb=7': '7' was written to .*, but it reads '4'" 'matrix: the line of the plan is named'
snapshot | cmp -s - "$tmp/before"
ok 'and everything is as before'
printf '[r]\nfilename=%s\nrw=randread\nsize=1m\nioscheduler=nosuch\n' "$loop" >"$tmp/job.fio"
run_regio run "$tmp/job.fio"
expect 3 "job.fio:1: job 'r': setting 'queue.scheduler=nosuch': " 'a scheduler of a job file: its place is named'
if [ -e /sys/class/zram-control/hot_add ]; then
	run_regio run --name=r --rw=randread --size=1m --stack zram:16M --set queue.read_ahead_kb=7
	expect 2 "setting 'queue.read_ahead_kb=7': '7' was written to /sys/block/zram" 'on zram'
else
	skip 'on zram' 'no zram here'
fi

# two runs that change one attribute: the second would restore the value of the first
# shellcheck disable=SC2086
"$REGIO" run $read_job --time_based --runtime=60 --set queue.nomerges=1 >"$tmp/out" 2>"$tmp/err" &
pid=$!
waited=0
while [ "$(cat "$queue/nomerges")" != 1 ] && [ $waited -lt 100 ]; do
	sleep 0.1
	waited=$((waited + 1))
done
# shellcheck disable=SC2086
run_regio run $read_job --set queue.nomerges=2
expect 4 "another regio .process $pid. has changed queue.nomerges" 'one run at a time changes an attribute'
kill -TERM $pid
wait $pid
snapshot | cmp -s - "$tmp/before"
ok 'and everything is as before'

# killed again while it was undoing: the scheduler is back, its nr_requests is out of range now
echo none >"$queue/scheduler"
snapshot >"$tmp/before-none"
# shellcheck disable=SC2086
"$REGIO" run $read_job --time_based --runtime=60 --set queue.scheduler=mq-deadline,queue.nr_requests=32 \
	>"$tmp/out" 2>"$tmp/err" &
pid=$!
waited=0
while [ "$(cat "$queue/nr_requests")" != 32 ] && [ $waited -lt 100 ]; do
	sleep 0.1
	waited=$((waited + 1))
done
kill -KILL $pid
wait $pid 2>/dev/null
echo none >"$queue/scheduler"
run_regio restore
expect_ok 'restore after a kill in the middle of undoing'
snapshot | cmp -s - "$tmp/before-none"
ok 'and everything is as before'
echo "$before" >"$queue/scheduler"

printf 'x%.0s' 1 2 3 >"$tmp/seed"
mkfs.ext4 -q -F "$loop" >/dev/null 2>&1
write_job="--name=w --filename=$loop --rw=write --size=1m --bs=64k"
head -c 4096 "$loop" | cksum >"$tmp/head"
# shellcheck disable=SC2086
run_regio run $write_job
expect 5 "$loop.*ext4.*--allow-destructive=$loop" 'a device with a filesystem is refused for writing'
head -c 4096 "$loop" | cksum | cmp -s - "$tmp/head"
ok 'and nothing was written'
mkdir "$tmp/mnt"
mount "$loop" "$tmp/mnt"
# shellcheck disable=SC2086
run_regio run $write_job
expect 5 "$loop.*mounted" 'a mounted device is refused'
umount "$tmp/mnt"
# shellcheck disable=SC2086
run_regio run $write_job --allow-destructive="$loop"
expect_ok 'with --allow-destructive it is written'
# shellcheck disable=SC2086
run_regio run $read_job --offset=1g
expect 2 'offset' 'an offset beyond the device'
done_testing
