#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What compare says about whole reports that were posted: read in place (beside $REGIO_CORPUS, or
# beside ../shared/corpus), skipped where they are not.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
corpus=${REGIO_CORPUS:-${REGIO_SOURCE_ROOT:?}/../shared/corpus}
reports=$corpus/../seeds
cd "$tmp" || exit 1
if [ ! -d "$reports" ]; then
	skip 'reports' 'no reports: set REGIO_CORPUS'
	done_testing
fi

# says REGEX DESCRIPTION: the last output has a line like that
says() {
	grep -Eq -- "$1" out
	ok "$2"
	[ "$tap_status" -eq 0 ] || head -n 30 out | sed 's/^/# /'
}

# ---- multipath, sequential write ----
run_regio compare "$reports/mq-deadline-multipath-seqwrite.txt"
[ "$status" -eq 10 ]
ok 'multipath: undecided'
says "Revert .* was taken as the base: its heading says 'revert'" 'the revert is the base'
says 'bandwidth 315 -> 236 MiB/s .*IOPS 2518 -> 1884 \(-25.2 %\): no verdict: 1 run a side' 'the loss'
says 'IOPS 3695 -> 3582 .*no verdict: 1 run a side' 'the read samples'
says 'disk.dm-0.write_merges +493981 +27056' 'merges are gone'

# ---- dm-cache, random reads and writes ----
run_regio compare "$reports/dm-cache-smq-randrw.txt"
[ "$status" -eq 10 ]
ok 'dm-cache: undecided'
says "'3.10/mq' was taken as the base" 'samples are called as in the mail'
says '2 things were changed at once' 'two changes at once'
says 'read: bandwidth 12.65 -> 13.1 MiB/s' 'reads of all jobs'
says 'write: bandwidth 12.07 -> 12.05 MiB/s' 'writes of all jobs'
says '^randrw #1 +read.bw_bytes_per_sec +3.164MiB/s +4.563MiB/s +\+44.2 %' 'reads of one job'
says '^randrw #4 +write.bw_bytes_per_sec ' 'writes of another one'
says 'iodepth=32 with ioengine=sync' 'the depth has no effect'
says 'several jobs write the same blocks' 'writers overlap'
says 'read.lat_ns: max .* do not fit' 'latencies that cannot be true are left out'

# ---- aiol, raw arrays and tables ----
thread=$reports/plug-reorder-aiol-lkp-thread.txt
run_regio compare --json "$thread:a3396b9999" "$thread:e70c301fae"
[ "$status" -eq 1 ]
ok 'aiol: regression'
cp out bad.json
run_regio compare --json "$thread:v6.12-rc4" "$thread:a3396b9999"
cp out good.json
if command -v python3 >/dev/null 2>&1; then
	cat >check.py <<'EOF'
import json

def rows(name):
    found = [m for m in json.load(open(name))["metrics"]
             if m["metric"] == "aiol.ops_per_sec" and m["base"]["values"]]
    return {"none" if "none-scheduler" in m["workload"] else "mq-deadline": m for m in found}

def check(row, ratio, lo, hi, p, verdict):
    for got, wanted in ((row["ratio"], ratio), (row["interval"][0], lo), (row["interval"][1], hi)):
        assert abs(got - wanted) < 0.0006, (got, wanted)
    assert abs(row["p"] / p - 1) < 0.1, row["p"]
    assert row["verdict"] == verdict, row["verdict"]

bad, good = rows("bad.json"), rows("good.json")
assert len(bad["mq-deadline"]["base"]["values"]) == 16
check(bad["mq-deadline"], 0.555, 0.516, 0.578, 6.7e-9, "regression")
check(bad["none"], 0.650, 0.594, 0.793, 1.6e-5, "regression")
check(good["mq-deadline"], 1.001, 0.982, 1.017, 0.88, "no_difference")
check(good["none"], 1.012, 0.943, 1.065, 0.65, "undecided")
EOF
	python3 check.py
	ok 'aiol: ratios, intervals, p and verdicts'
else
	skip 'aiol: ratios, intervals, p and verdicts' 'python3 is not installed'
fi
run_regio compare --format=lkp "$thread"
says '^    187.64 ±  5%      -0.6%     186.48 ±  7%     -47.6%      98.29 ± 17%  stress-ng.aiol.ops_per_sec$' 'with mq-deadline, in the form of LKP'
says '^    114.62 ± 19%      -1.9%     112.49 ± 17%     -32.4%      77.47 ± 21%  stress-ng.aiol.ops_per_sec$' 'with none'

says '1HDD/xfs/' 'a workload that the base lacks has its table too'

# ---- wbt, a table of means ----
run_regio compare "$reports/wbt-btrfs-randread-lkp.txt"
[ "$status" -eq 10 ]
ok 'wbt: undecided'
says 'IOPS 1254 -> 1121 \(-10.6 %\): no verdict: means only' 'means give an effect and no verdict'
run_regio compare --format=lkp "$reports/wbt-btrfs-randread-lkp.txt"
# the mail has no-break spaces
nbsp=$(printf '\302\240')
row='^[0-9].* (fio|perf|numa|sched|proc|vmstat|iostat|cpuidle)[-.a-z_]*\.'
sed -n "s/$nbsp/ /g; s/^>> *\(.*[^ ]\) *\$/\1/p" "$reports/wbt-btrfs-randread-lkp.txt" |
	grep -E "$row" >posted
sed 's/^ *//' out | grep -E "$row" >printed
[ "$(wc -l <posted)" -eq 63 ] && cmp -s posted printed
ok 'all 63 posted rows come out as they went in'
[ "$tap_status" -eq 0 ] || diff posted printed | head -n 10 | sed 's/^/# /'
done_testing
