#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Options that decide when and with what depth a job runs, what is done around it, and what its files
# are between its loops. What fio does alike is compared in tests/compat.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

run_job() {
	run_regio run --no-save --monitors=none --progress=never --name=job "$@"
}

# refused OPTIONS REGEX
refused() {
	# shellcheck disable=SC2086 # several words on purpose
	run_job --ioengine=null --size=1m $1
	expect 2 "$2" "$1 is refused"
}

refused --steadystate=iops "steadystate: 'iops' has no limit"
refused --steadystate=speed:1 "'speed:1' does not begin with one of: iops iops_slope bw"
refused --ss=iops:much "the limit of 'iops:much' is not a number"
refused '--ss_dur=10 --ss_interval=1ms' 'less than 10 ms are not possible'
refused '--ss_dur=365d' 'more than 86400 samples'
refused --latency_percentile=101 "'101' is not in 0..100"
refused --sync_file_range=later "'later' is not a list of wait_before, write, wait_after"
refused --sync_file_range=write:x "'x' is not"
refused --size=4z "size: '4z' needs a zonesize"
refused '--zonemode=strided --zonesize=64k --io_size=0z' "'0z' is not a number of zones"
refused '--zonemode=strided --zonesize=1t --io_size=4294967295z' "io_size: '4294967295z' is too large"
refused --priohint=1024 'priohint: 1024 is not in 0..1023'
refused --flow=1001 'flow: 1001 is not in 0..1000'
run_job --ioengine=null --size=1m --write_iops_log=x --log_store_compressed=1
expect 6 "log_store_compressed: '1' is a value of fio that regio does not support yet" \
	'log_store_compressed'
run_job --ioengine=null --size=64k --write_iops_log=x --log_compression=64k --log_compression_cpus=0
[ "$status" -eq 0 ] && [ "$(wc -l <x_iops.1.log)" -eq 16 ]
ok 'log_compression: the log is the same'

# The search for a depth.
run_job --ioengine=null --iodepth=32 --size=1g --rate_iops=5000 --latency_target=1h \
	--latency_window=20ms --write_iops_log=search
expect_ok 'latency_target that any depth keeps'
grep -q 'latency *: target=3600000000000, window=20000, percentile=100.00%, depth=32' out
ok 'latency_target: the largest depth'
ios=$(sed -n 's/.*total=\([0-9]*\),.*/\1/p' out)
[ "$ios" -gt 0 ] && [ "$(wc -l <search_iops.1.log)" -gt "$((ios * 3))" ]
ok 'latency_target: only the last of seven windows is reported'
run_job --ioengine=null --iodepth=32 --size=1g --rate_iops=5000 --latency_target=1h \
	--latency_window=20ms --json
grep -q '"latency_target.depth": 32' out
ok 'latency_target: the depth is a metric'
run_job --ioengine=null --iodepth=32 --size=1g --rate_iops=1000 --latency_target=1ns \
	--latency_percentile=50 --latency_window=5ms --runtime=200ms --time_based
[ "$status" -eq 0 ] && grep -q 'percentile=50.00%, depth=1$' out
ok 'latency_target out of reach: the runtime ends it'
run_job --ioengine=null --iodepth=8 --size=1g --rate_iops=1000 --latency_target=1h \
	--latency_window=5ms --latency_run=1 --runtime=200ms --time_based --bwavgtime=20
[ "$status" -eq 0 ] && grep -q 'depth=8$' out &&
	[ "$(sed -n 's/.*read: .*\/\([0-9]*\)msec)/\1/p' out)" -ge 200 ]
ok 'latency_run goes on until the end'
run_job --ioengine=libaio --iodepth=16 --filename=f --size=256k --io_size=1g --rw=randrw --verify=crc32c \
	--latency_target=1h --latency_window=1ms --fsync=3
expect_ok 'latency_target with verify and fsync'

# Ends when it has settled.
cat >steady.fio <<'JOB'
[global]
ioengine=null
size=1g
rate_iops=1000
time_based
runtime=20
group_reporting
ss=lat_slope:1000000
ss_dur=500ms
ss_interval=100ms
[a]
[b]
stonewall
ss=bw:50%
JOB
run_regio run --no-save --monitors=none steady.fio
expect_ok 'steadystate'
[ "$(grep -c 'steadystate  : attained=yes, bw=[34][0-9]*KiB/s ([34][0-9]*kB/s), iops=' out)" -eq 2 ] &&
	grep -q 'lat slope=' out && grep -q 'bw mean dev=[0-9.]*%' out
ok 'steadystate: by latency and by bandwidth, one phase after the other'
run_regio run --no-save --monitors=none --output-format=json steady.fio
python3 -c 'import json, sys
for job in json.load(open("out"))["jobs"]:
    data = job["steadystate"]["data"]
    assert len(data["iops"]) == len(data["bw"]) == 5, data
    assert ("lat" in data) == (job["jobname"] == "a") and job["job_runtime"] < 19000'
ok 'steadystate: its samples in JSON'
sed -i '/^stonewall/d' steady.fio
run_regio run --no-save steady.fio
expect 3 "steadystate is another than that of job 'a'" 'steadystate: a group is judged in one way'
run_job --ioengine=null --size=64k --ss=iops:1%
[ "$status" -eq 0 ] && grep -q 'ignored without a steadystate_duration' err
ok 'steadystate without a duration'

# Weights: the slow job paces the other one, whatever the engine. Counted while all of them run.
# in_time LOG: its I/Os between 100 and 400 ms
in_time() {
	awk -F, '$1 >= 100 && $1 < 400' "$1" | wc -l
}
run_regio run --no-save --monitors=none --size=1g --runtime=500ms --time_based --write_iops_log=flow \
	--name=slow --ioengine=null --rate_iops=1000 --flow=2 --name=fast --ioengine=null --iodepth=4 \
	--flow=6 --flow_sleep=50 --name=other --ioengine=null --rate_iops=100 --flow=1 --flow_id=1
slow=$(in_time flow_iops.1.log)
fast=$(in_time flow_iops.2.log)
other=$(in_time flow_iops.3.log)
[ "$fast" -gt $((slow * 5 / 2)) ] && [ "$fast" -lt $((slow * 7 / 2)) ] && [ "$other" -lt 100 ]
ok "flow: I/Os by weight, of one flow_id: $slow, $fast, $other"

# Around the job.
run_job --filename=f --rw=write --size=64k --numjobs=2 \
	'--exec_prerun=echo "a; b" | tr a c; echo oops >&2 # all of it' '--exec_postrun=ls f'
expect_ok 'exec_prerun and exec_postrun'
[ "$(cat job.prerun.txt)" = "$(printf 'c; b\noops')" ] && [ "$(cat job.postrun.txt)" = f ]
ok 'exec_prerun: what is printed is in the files'
rm -f f job.postrun.txt
run_job --filename=g --create_on_open=1 --rw=write --size=64k '--exec_prerun=echo no >&2; exit 3' \
	--exec_postrun=true
expect 4 "exec_prerun 'echo no >&2; exit 3'.*Operation canceled" 'a prerun that fails is the error'
[ ! -e g ] && [ ! -e job.postrun.txt ]
ok 'exec_prerun that fails: nothing else is done'
"$REGIO" run --no-save --monitors=none --name=x --ioengine=psync --filename=h --rw=write --size=64k \
	'--exec_prerun=touch begun; sleep 100' >out 2>err &
pid=$!
while kill -0 $pid 2>/dev/null && [ ! -e begun ]; do
	sleep 0.05
done
kill -INT $pid
status=0
wait $pid || status=$?
expect 7 'interrupted' 'an interrupted exec_prerun is no error of the job'
run_job --filename=f --rw=write --size=64k --exec_postrun=false
expect 4 "exec_postrun 'false'" 'a postrun that fails is an error, too'
grep -q 'total=0,16,0,0' out
ok 'exec_postrun that fails: the numbers are there'

# Files between loops.
for engine in psync libaio io_uring mmap; do
	rm -f f
	run_job --filename=f --rw=write --size=64k --loops=3 --unlink_each_loop=1 --ioengine=$engine \
		--iodepth=2
	[ "$status" -eq 0 ] && grep -q 'total=0,48,0,0' out && [ "$(stat -c %s f)" -eq 65536 ]
	ok "unlink_each_loop with $engine"
done
run_job --filename=made --rw=randwrite --size=64k --loops=3 --unlink_each_loop=1 --create_on_open=1 \
	--number_ios=20
[ "$status" -eq 0 ] && grep -q 'total=0,48,0,0' out && [ -e made ]
ok 'unlink_each_loop with create_on_open'
run_job --filename=f --rw=read --size=64k --loops=2 --unlink_each_loop=1
expect 4 "open 'f'.*No such file" 'unlink_each_loop of a job that reads'

# A lost write is found, unless nobody asks for the newest one.
rm -f f
run_job --filename=f --rw=write --size=64k --verify=crc32c --do_verify=0 --loops=2 --verify_state_save=1
cp f second
run_job --filename=f --rw=write --size=64k --verify=crc32c --do_verify=0
dd if=f of=second bs=4k skip=5 seek=5 count=1 conv=notrunc status=none
mv second f
run_job --filename=f --rw=read --size=64k --verify=crc32c --verify_state_load=1
expect 4 'bad header numberio' 'an old block is found'
run_job --filename=f --rw=read --size=64k --verify=crc32c --verify_state_load=1 \
	--verify_write_sequence=0
expect_ok 'verify_write_sequence=0: and is as good as any'

# Writes that are never torn need a device that can; none is half done elsewhere.
for engine in pvsync2 libaio io_uring; do
	run_job --filename=f --rw=write --size=64k --atomic=1 --ioengine=$engine
	[ "$status" -eq 0 ] || grep -Eq 'not supported|Invalid argument' err
	ok "atomic with $engine: done, or told"
done
refused --atomic=1 "atomic: ioengine 'null' has no such option"
done_testing
