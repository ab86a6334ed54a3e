#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio ab on the null engine: verdicts, exit status, JSON, repeatability.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

job='--name=x --ioengine=null --rw=randread --size=1g --time_based --runtime=100ms --bs=4k'

# shellcheck disable=SC2086 # several words on purpose
run_ab() {
	run_regio ab $job --seed=7 "$@"
}

run_ab --a job.rate_iops=20000 --b job.rate_iops=18000
[ "$status" -eq 1 ]
ok 'a planted loss of 10 % is a regression: exit status 1'
grep -q 'read.iops' out && grep -q 'regression' out
ok 'the table names metric and verdict'
grep -q 'regio ab .*--seed=7' out
ok 'the command to repeat it stands at the end'
grep -Eq '^ *[0-9]+( ± *[0-9]+%)?  +[-+][0-9.]+%  +[0-9]+( ± *[0-9]+%)?  +read.iops$' out
ok 'the LKP line'

run_ab --a job.rate_iops=18000 --b job.rate_iops=20000
[ "$status" -eq 0 ] && grep -q 'improvement' out
ok 'the other way round it is an improvement: exit status 0'

run_regio ab --name=x --ioengine=null --rw=randread --size=1m --metric=read.total_ios
[ "$status" -eq 0 ] && grep -q 'no difference' out
ok 'the same on both sides, in a metric without noise: no difference'

run_ab --a job.rate_iops=20000 --b job.rate_iops=10000 --json
[ "$status" -eq 1 ]
ok '--json: exit status by verdict'
for key in '"schema": *"regio.ab"' '"metric": *"read.iops"' '"unit": *"1/s"' '"base"' '"new"' \
	'"ratio"' '"interval"' '"confidence"' '"alpha"' '"min_effect"' '"pairs": *5' \
	'"verdict": *"regression"' '"notes"' '"repeat_command"'; do
	grep -Eq "$key" out
	ok "--json has $key"
done
if command -v python3 >/dev/null 2>&1; then
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert 0.4 < d["ratio"] < 0.6, d["ratio"]
assert d["base"]["n"] == d["new"]["n"] == len(d["base"]["values"]) == d["pairs"]
assert d["interval"][0] <= d["ratio"] <= d["interval"][1]
bw = next(m for m in d["other_metrics"] if m["metric"] == "read.bw_bytes_per_sec")
assert abs(bw["ratio"] / d["ratio"] - 1) < 1e-6, "bandwidth of one block size follows IOPS"
assert bw["interval"] == d["interval"] or abs(bw["interval"][0] / d["interval"][0] - 1) < 1e-6
' out
	ok '--json: one document, ratio one half'
else
	skip '--json: one document, ratio one half' 'python3 is not installed'
fi

run_ab --metric=clat_p99 --max-pairs=5
grep -q 'read.clat_ns.p99' out
ok 'a latency percentile as the metric'

run_ab --a job.size=0 --b job.size=1m
[ "$status" -eq 2 ] && grep -q 'error:.*size' err
ok 'a side that cannot run: error, no verdict'
done_testing
