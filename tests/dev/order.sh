#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --order on loop devices: orders that are known, and one that the kernel's own trace tells.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1
tracefs=/sys/kernel/tracing
instance=$tracefs/instances/regio-test-$$
trap 'rmdir "$instance" 2>/dev/null; cleanup' EXIT

if ! is_root || [ ! -e $tracefs/events/block/block_rq_issue/id ]; then
	skip 'order of dispatch' 'needs root and tracefs'
	done_testing
fi

# check.py DEVICE NAME=VALUE..: what the archive has of that device
cat >check.py <<'END'
import json
import sys

seen = json.load(open('out'))['monitored']
bad = 0
for word in sys.argv[2:]:
    name, expected = word.split('=')
    value = seen[f'order.{sys.argv[1]}.{name}']
    if abs(value - float(expected)) > 1e-6 * abs(float(expected)):
        print(f'# {name}: {value}, expected {expected}')
        bad = 1
sys.exit(bad)
END

# order JOB-OPTIONS..: 200 direct I/Os of 4 KiB
order() {
	run_regio run --order --monitors=none --name=j --filename="$loop" --direct=1 --bs=4k \
		--number_ios=200 --output-format=archive --no-save "$@"
}

make_loop 64
echo none >"/sys/block/${loop#/dev/}/queue/scheduler"
order --rw=read --ioengine=psync
expect_ok 'sequential reads are watched'
python3 check.py "${loop#/dev/}" requests=200 sequential%=100 backwards%=0 seek_bytes.mean=0 \
	seek_bytes.median=0
ok 'all of them go on where the one before ended'

order --rw=read:12k --ioengine=psync
python3 check.py "${loop#/dev/}" requests=200 sequential%=0 backwards%=0 seek_bytes.mean=12288 \
	seek_bytes.median=12288
ok 'with a step between them none does'

# The same through the trace buffer, as text.
mkdir "$instance"
dev=$(awk -F: '{ print $1 * 1048576 + $2 }' "/sys/block/${loop#/dev/}/dev")
echo "dev == $dev" >"$instance/events/block/block_rq_issue/filter"
echo 1 >"$instance/events/block/block_rq_issue/enable"
order --rw=randread --ioengine=libaio --iodepth=8
expect_ok 'random reads are watched'
echo 0 >"$instance/events/block/block_rq_issue/enable"
# "...: block_rq_issue: 7,0 R 4096 () 1024 + 8 be,0,4 [regio]"
python3 - "$instance/trace" <<'END' >expected
import re
import statistics
import sys

issues = [(int(m[1]), int(m[2]))
          for m in re.finditer(r'block_rq_issue: \S+ R\S* \d+ \(.*?\) (\d+) \+ (\d+)',
                               open(sys.argv[1]).read())]
steps = [b[0] - a[0] - a[1] for a, b in zip(issues, issues[1:])]
print(f'requests={len(issues)}')
print(f'sequential%={100 * steps.count(0) / len(steps)}')
print(f'backwards%={100 * sum(step < 0 for step in steps) / len(steps)}')
print(f'seek_bytes.mean={512 * statistics.fmean(map(abs, steps))}')
END
rmdir "$instance"
grep -q '^requests=200$' expected
ok 'the trace has all of them'
# shellcheck disable=SC2046
python3 check.py "${loop#/dev/}" $(cat expected)
ok 'and the same order'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' expected

run_regio run --monitors=order --name=j --ioengine=null --size=4k --rw=read --no-save
grep -q 'nothing to watch here for: order (no block device under the job)' out err
ok 'a job without a disk says so'
done_testing
