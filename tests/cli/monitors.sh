#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Monitors from the command line to the store: chosen, stored, compared, left out.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

run_job() {
	run_regio run --name=job --ioengine=null --size=1g --rw=randread --time_based --runtime=300ms \
		--progress=never "$@"
}

run_job --output-format=archive
expect_ok 'monitors are on by default'
grep -q '"monitored":' out && grep -q '"mpstat.cpu.all.usr%":' out &&
	grep -q '"vmstat.system.cs":' out && grep -q '"meminfo.MemFree":' out &&
	grep -q '"proc-vmstat.pgfault_per_sec":' out && grep -q '"time.user_time":' out
ok 'the archive has their metrics, by the names of LKP'
grep -q '"monitor.cpu_ms":' out && grep -q '"monitor.samples":' out &&
	grep -q '"monitor.late_samples":' out
ok 'and what they cost'
! grep -q '"iostat\.[a-z]*[0-9]*\.r/s"' out && ! grep -q 'monitor-absent' out
ok 'without a device there are no device metrics, and no complaint'

run_job --output-format=archive --monitors=none --no-save
expect_ok 'none'
! grep -q '"monitored"' out
ok 'nothing is watched'

run_job --output-format=archive --monitors=meminfo,cpu --no-save
expect_ok 'a list'
grep -q '"meminfo.MemFree":' out && ! grep -q '"vmstat' out
ok 'only these'

run_job --monitors=disk --no-save
expect_ok 'a monitor that has nothing to watch does not fail the run'
grep -q 'nothing to watch here for: disk' err
ok 'but says so'

run_job --monitors=cpus --no-save
expect 2 "there is no monitor 'cpus', did you mean 'cpu'" 'an unknown name is refused'
run_job --monitors= --no-save
expect 2 "there is no monitor ''" 'so is an empty one'

run_regio ab --name=job --ioengine=null --size=1g --rw=randread --time_based --runtime=300ms \
	--monitors=cpu,process --metric=time.maximum_resident_set_size --max-pairs=5 \
	--progress=never --json
[ "$status" -le 1 ] || [ "$status" -eq 10 ]
ok 'a comparison may be decided by what a monitor saw'
grep -q '"metric": "time.maximum_resident_set_size"' out
ok 'it is named'

run_regio ab --name=job --ioengine=null --size=1g --rw=randread --time_based --runtime=300ms \
	--monitors=cpu,process --max-pairs=5 --progress=never --all-metrics
grep -q '^time.elapsed_time ' out && grep -q '^mpstat.cpu.all.usr%' out
ok 'the table of all metrics has them'
run_regio ab --name=job --ioengine=null --size=1g --rw=randread --time_based --runtime=300ms \
	--monitors=cpu,process --max-pairs=5 --progress=never
! grep -q '^mpstat' out
ok 'the usual one has not'

run_regio run --name=job --ioengine=null --size=1g --rw=randread --number_ios=1000 --progress=never \
	--ramp_time=3600 --output-format=archive --no-save
expect_ok 'a job that ends within its ramp'
! grep -q '"monitored"' out
ok 'what was not measured was not watched either'

done_testing
