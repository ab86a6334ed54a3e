#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What single job options do, on temporary files; where fio is installed, the same as fio.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

# counts: "R,W,T,S" of all jobs in $tmp/out
counts() {
	sed -n 's/^ *issued rwts: total=\([0-9,]*\).*/\1/p' "$tmp/out" | tr '\n' ' '
}

# run_job OPTIONS: one job, its report in $tmp/out
run_job() {
	run_regio run --no-save --name=job "$@"
}

# refused OPTION REGEX: a usage error that says so
refused() {
	run_job --size=1m "--$1"
	expect 2 "$2" "$1 is refused"
}

refused bssplit=4k/60:8k/50 'bssplit: the percentages add up to 110'
refused bssplit=4k/x "bssplit: 'x' is not a number"
refused random_distribution=zipf:1 'zipf: theta must not be 1'
refused random_distribution=pareto:1.5 "'1.5' is not in"
refused random_distribution=zoned:60/10:50/90 'add up to 110'
refused random_distribution=gamma "'gamma' is not one of"
refused zonemode=strided 'strided needs a zonesize'
run_job --size=1m --zonemode=zbd
expect 6 "zonemode: 'zbd' is a value of fio that regio does not support yet" 'zonemode=zbd is for later'
run_job --ioengine=null --size=1m --rw=randread --ba=512
expect_ok 'ba runs'
grep -q 'turns norandommap on' err
ok 'ba other than bs turns the map off and says so'

run_job --size=1m --rw=write --max_latency=1ns
expect 4 'Connection timed out' 'max_latency: a slower I/O fails the job'
run_job --size=1m --ioengine=libaio --iodepth=4 --rw=write --max_latency=1ns
expect 4 'Connection timed out' 'max_latency: likewise with an asynchronous engine'
run_job --size=1m --rw=write --max_latency=1h
expect_ok 'max_latency: faster ones do not'
done_testing
