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

run_job --size=1m --rw=write --max_latency=1ns
expect 4 'Connection timed out' 'max_latency: a slower I/O fails the job'
run_job --size=1m --ioengine=libaio --iodepth=4 --rw=write --max_latency=1ns
expect 4 'Connection timed out' 'max_latency: likewise with an asynchronous engine'
run_job --size=1m --rw=write --max_latency=1h
expect_ok 'max_latency: faster ones do not'
done_testing
