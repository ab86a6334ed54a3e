#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio bisect --settings on a loop device: of eight settings that differ the one that matters is
# named, two that matter only together are, and everything is as it was afterwards.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
cd "$tmp" || exit 1

is_root || {
	skip 'settings of a loop device' 'needs root'
	done_testing
}
make_loop 16 || {
	skip 'settings of a loop device' 'no loop device'
	done_testing
}
name=${loop#/dev/}
queue=/sys/block/$name/queue
grep -q mq-deadline "$queue/scheduler" || {
	skip 'settings of a loop device' 'no mq-deadline'
	done_testing
}
# Here, and not for each trial, which takes long. The device keeps it when it is detached.
scheduler=$(sed 's/.*\[\(.*\)\].*/\1/' "$queue/scheduler")
trap 'echo "$scheduler" >"$queue/scheduler"; cleanup' EXIT
echo mq-deadline >"$queue/scheduler"
state() {
	(cd "$queue" && grep . scheduler nomerges rq_affinity add_random read_ahead_kb nr_requests)
	cat /proc/sys/vm/dirty_ratio /proc/sys/vm/swappiness
}
state >before

# environment FILE NOMERGES READ_AHEAD OTHERS..
environment() {
	cat >"$1" <<END
{"queue.nomerges@$name": $2, "queue.read_ahead_kb@$name": $3, "queue.rq_affinity@$name": $4,
 "queue.add_random@$name": $5, "queue.nr_requests@$name": "$6", "iosched.fifo_batch@$name": $7,
 "sysctl.vm.dirty_ratio": $8, "sysctl.vm.swappiness": $9}
END
}
environment base.json 0 128 1 0 128 16 20 60
environment new.json 2 4 2 1 64 8 15 50
bisect() {
	run_regio bisect --monitors=none --seed=3 "$@"
}

# How often the disk was asked follows from read-ahead alone, however busy the machine is.
bisect --settings base.json new.json --max-pairs=10 --metric="disk.$name.read_ios" \
	--direction=higher -- --name=r --filename="$loop" --rw=read --bs=4k --size=2m --ioengine=psync
[ "$status" -eq 1 ] && grep -q "^queue.read_ahead_kb@$name makes the difference, of 8 settings" out
ok 'a real job: read-ahead, of eight settings that differ'
grep -q '^All other settings together against none: .* in [0-9]* pairs\.$' out &&
	grep -Eq "^queue.nomerges@$name +0 -> 2$" out
ok 'and what all others do together'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err
state >after
cmp -s before after
ok 'all of them are as they were'

# What a command says follows from what is set, with 4 % of noise.
cat >probe.sh <<'END'
value=1000
[ "$(cat "$1/nomerges")" = 2 ] && [ "$(cat "$1/read_ahead_kb")" = 4 ] && value=700
awk -v v=$value -v s="$REGIO_SEED" 'BEGIN {
	srand(s % 1000003); print "speed", v * (0.98 + 0.04 * rand()), "1/s" }'
END
# Killed and gone on with: the journal takes back what was set.
"$REGIO" bisect --monitors=none --seed=3 --max-pairs=10 --settings base.json new.json \
	--exec="sh probe.sh $queue" >out 2>err &
pid=$!
sleep 1
kill -KILL $pid
wait $pid 2>/dev/null
run_regio bisect --resume --json
[ "$status" -eq 1 ] && grep -q '"interplay": "together"' out
ok 'two settings that matter only together; killed and gone on with'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' err
if command -v python3 >/dev/null 2>&1; then
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
names = sorted(s.split("@")[0] for m in d["members"] for s in m["settings"])
assert names == ["queue.nomerges", "queue.read_ahead_kb"], names
assert d["reproducible"] and d["candidates"] == 8
assert 0.65 < d["effect"]["ratio"] < 0.75
assert not any(m["counts_alone"] for m in d["members"])
assert len(d["settings"]) == 8 and d["verdict"] == "regression"
' out
	ok '--json names both, and nothing else'
else
	skip '--json names both' 'python3 is not installed'
fi
run_regio bisect --log
cp out settings.log
run_regio bisect --replay settings.log --json
[ "$status" -eq 1 ] && grep -q '"interplay": "together"' out
ok 'its log comes to the same answer'

state >after
cmp -s before after
ok 'and nothing is left changed'

# Two stored results, with all that regio knows of their machines.
for side in base new; do
	value=0
	[ $side = new ] && value=2
	run_regio run --monitors=none --label=$side --set="queue.nomerges=$value" --name=r \
		--filename="$loop" --rw=read --bs=64k --size=2m --direct=1 --ioengine=psync
done
bisect --settings base new --max-pairs=8 --metric=ios -- --name=r --filename="$loop" --rw=read --bs=64k \
	--size=2m --direct=1 --ioengine=psync
[ "$status" -eq 0 ] && grep -q 'not reproducible: no difference between all and none of 1 setting' out
ok 'two labels of the store: one difference, which does nothing'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err

# Somebody else uses the device for a while.
"$REGIO" run --monitors=none --no-save --set=queue.nomerges=1 --name=r --filename="$loop" --rw=read --size=2m \
	--ioengine=psync --time_based --runtime=60 >/dev/null 2>&1 &
pid=$!
while kill -0 $pid 2>/dev/null && [ "$(cat "/sys/block/$name/queue/nomerges")" != 1 ]; do
	sleep 0.05
done
bisect --settings base new --max-pairs=8 --metric=ios -- --name=r --filename="$loop" --rw=read --bs=64k \
	--size=2m --direct=1 --ioengine=psync
expect 4 'another regio \(process [0-9]*\) has changed queue.nomerges' 'settings that another regio has changed'
kill -INT $pid
wait $pid
bisect --resume
[ "$status" -eq 0 ] && grep -q 'not reproducible: no difference' out
ok 'when it has ended, --resume goes on'
# The new one sets what the base left as it was, and other things follow from that.
run_regio run --monitors=none --label=more --set="queue.nomerges@$name=2,queue.nr_requests@$name=32" \
	--name=r --filename="$loop" --rw=read --bs=64k --size=2m --direct=1 --ioengine=psync
bisect --settings base more --max-pairs=8 --no-save --json --metric=ios -- --name=r \
	--filename="$loop" --rw=read --bs=64k --size=2m --direct=1 --ioengine=psync
sed -n '/"settings": \[/,/\]/p' out | grep -c '"key"' >count
grep -q "nr_requests@$name" out && [ "$(cat count)" -eq 2 ] && ! grep -A3 'other_differences' out | grep nr_requests
ok 'what is tried stands there once, and not among what was left alone'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err
bisect --settings base.json new.json --max-pairs=8 --max-runs=1 --no-save --exec="sh probe.sh $queue"
[ "$status" -eq 10 ] && grep -q 'Still open, and how probable it is that it is the first one:' out &&
	grep -Eq "queue.nomerges@$name *0 -> 2 *[0-9.]+ %" out
ok 'the budget is used up: what is still open'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err

# ---- one line each ----
bisect --settings base.json base.json --exec=true
expect 3 'differ in no setting that can be set' 'the same environment twice'
bisect --settings base.json --exec=true
expect 2 'the new environment is missing' 'only one environment'
bisect --settings base.json nowhere --exec=true
expect 2 'nowhere' 'an environment that is not there'
printf '# all\nqueue.nomerges@%s=0\n\n' "$name" >lines
bisect --settings lines lines --exec=true
expect 3 'differ in no setting that can be set' 'files with lines KEY=VALUE'
echo '{"queue.nomerges": [1]}' >odd.json
bisect --settings base.json odd.json --exec=true
[ "$status" -ne 0 ] && [ "$(grep -c 'regio: error:' err)" -eq 1 ]
ok 'a file that is no environment'
echo "{\"queue.scheduler@$name\": \"none\"}" >good.json
echo "{\"queue.scheduler@$name\": \"nosuch\"}" >bad.json
bisect --settings good.json bad.json --exec="sh probe.sh $queue"
expect 2 "$name has no scheduler 'nosuch'" 'a value that the kernel does not have'
state >after
cmp -s before after
ok 'nothing is left changed by all that'
done_testing
