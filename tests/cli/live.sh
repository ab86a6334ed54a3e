#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What run prints while its jobs run: fio's line, reports in between, the bandwidth of all.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

cat >job.fio <<'EOF'
[global]
size=1m
ioengine=null
time_based
[a]
rw=randread
rate_iops=100
runtime=3
numjobs=2
[b]
stonewall
rw=write
rate_iops=50
runtime=1
EOF

run_regio run --no-save --monitors=none --eta=always job.fio
expect_ok 'a run with --eta=always'
tr '\r' '\n' <"$tmp/out" | grep -Eq \
	'^Jobs: 2 \(f=[0-9]+\), 0-200 IOPS: \[r\(2\),P\(1\)\]\[[0-9.]+%\]\[r=[0-9.]+[KM]iB/s\]\[r=[0-9.]+ IOPS\]\[eta 00m:[0-9]+s\]'
ok 'the line has jobs, files, limits, states, share, rates and rest as fio has them'
if command -v fio >/dev/null 2>&1; then
	form() {
		tr '\r' '\n' | grep '^Jobs: 2.*r(2),P(1).*%.*IOPS].*eta 00m' | head -n 1 |
			sed 's/[0-9.][0-9.]*/N/g; s/ *$//'
	}
	fio --eta=always job.fio 2>/dev/null | form >fio.line
	form <"$tmp/out" >our.line
	[ -s fio.line ] && cmp -s fio.line our.line
	ok 'it is the form of the installed fio'
	[ "$tap_status" -eq 0 ] || sed 's/^/# /' fio.line our.line
else
	skip 'it is the form of the installed fio' 'fio is not installed'
fi

run_regio run --no-save --monitors=none --eta=never job.fio
! grep -q '^Jobs:' "$tmp/out" && [ "$status" -eq 0 ]
ok '--eta=never prints no line'
run_regio run --no-save --monitors=none --eta=auto job.fio
! grep -q '^Jobs:' "$tmp/out" && [ "$status" -eq 0 ]
ok '--eta=auto prints none into a file'
run_regio run --no-save --eta=sometimes job.fio
expect 2 "'sometimes' is not auto" 'another word is refused'
run_regio run --no-save --eta=always --eta-interval=100 job.fio
expect 2 'shorter than 250 ms' 'an interval of 100 ms is refused'
run_regio run --no-save --status-interval=soon job.fio
expect 2 "'soon' is no time" 'an interval that is no time is refused'

run_regio run --no-save --monitors=none --status-interval=1 --output-format=json+ job.fio
expect_ok 'a run with --status-interval'
cp "$tmp/out" status
[ "$(wc -l <status)" -ge 3 ] && [ "$(grep -c '^{.*}$' status)" -eq "$(wc -l <status)" ]
ok 'JSON is a document a line, the last one whole'
grep -o '"total_ios" : [0-9]*' status | head -1 | grep -qv ' : 0$'
ok 'the first of them has I/Os'
# of each document: the counts of the histograms are the numbers of latencies
python3 - status <<'EOF'
import json
import sys
before = 0
for line in open(sys.argv[1], encoding="utf-8"):
    jobs = json.loads(line)["jobs"]
    for job in jobs:
        for key in ("read", "write"):
            clat = job[key]["clat_ns"]
            assert sum(clat.get("bins", {}).values()) == clat["N"], (key, clat)
            assert job[key]["total_ios"] - clat["N"] in (0, 1), (job[key]["total_ios"], clat["N"])
    total = sum(job[key]["total_ios"] for job in jobs for key in ("read", "write"))
    assert total >= before, (total, before)
    before = total
assert before == 300 * 2 + 50, before
EOF
ok 'counts grow, and latencies and histograms go with them'

"$REGIO" run --no-save --monitors=none job.fio >usr1 2>/dev/null &
pid=$!
while ! grep -q '^Starting' usr1; do
	kill -0 "$pid" || break
	sleep 0.1
done
sleep 0.5
kill -USR1 "$pid"
wait "$pid"
ok 'SIGUSR1 ends nothing'
[ "$(grep -c '^Run status group 0' usr1)" -eq 2 ]
ok 'it prints one report more'

run_regio run --no-save --monitors=none --bandwidth-log=all job.fio
[ "$status" -eq 0 ] && [ -s all-read_bw.log ] && [ -s all-write_bw.log ] && [ -e all-trim_bw.log ] &&
	! grep -Evq '^[0-9]+, [0-9]+, 0, 0, 0$' all-read_bw.log
ok '--bandwidth-log has the bandwidth of all jobs'
run_regio run --no-save --bandwidth-log=nowhere/all job.fio
expect 4 "log file 'nowhere/all-read_bw.log': No such file" 'one that cannot be written is refused'

run_regio run --no-save --monitors=none --name=x --rw=read --ioengine=null --size=1m --write_lat_log=/dev/full/x
expect 4 "log file '/dev/full/x_" 'a log of a job that cannot be written is refused'
printf '[x]\nrw=read\nioengine=null\nsize=256m\nwrite_lat_log=x\nper_job_logs=0\n' >full.fio
ln -s /dev/full x_clat.log
run_regio run --no-save --monitors=none full.fio
[ "$status" -eq 4 ] && grep -q "log file 'x_clat.log' is incomplete: No space left" "$tmp/err" &&
	grep -q 'issued rwts: total=65536' "$tmp/out"
ok 'a log on a full disk fails the run and not the job'
done_testing
