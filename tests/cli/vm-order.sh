#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Counters beside the time, in guests: order of dispatch on a disk with seeks, requests and merges of
# the legs of a stripe.
# shellcheck source=tests/cli/vm-lib.sh
. "$(dirname "$0")/vm-lib.sh"

if is_root && [ ! -e /sys/block/nbd0 ] && ! modprobe -n nbd 2>/dev/null; then
	run_regio run --stack hdd:1G --name=j --rw=read --size=1m --no-save
	expect 6 "layer 'hdd': nbd: this kernel has no such driver; use --on vm" 'a disk with seeks here'
else
	skip 'a disk with seeks here' 'this kernel has the driver, or this is not root'
fi

# on_disk KERNEL FILE: batches of separate writes on a disk that serves them as they come
on_disk() {
	"$REGIO" run --on=vm --time=virtual --vm-timeout=10m --no-save --order --monitors=none \
		--set "kernel=$1,queue.scheduler=none" --stack hdd:1G --name=j --rw=write:4k --bs=4k \
		--ioengine=libaio --iodepth=16 --iodepth_batch=16 --iodepth_batch_complete_min=16 \
		--direct=1 --number_ios=320 --output-format=archive >"$2" 2>"$2.err"
}

on_disk "$old" old &
on_disk "$new" new
ok 'a disk with seeks, kernel 6.12'
wait "$!"
ok 'a disk with seeks, kernel 6.1'
python3 - old new <<'EOF'
import json, sys
old, new = (json.load(open(name)) for name in sys.argv[1:])
for result in (old, new):
    disk, = result['disks']
    assert disk['name'] == 'nbd0' and disk['ios'][1] == 320, disk
    assert result['monitored']['order.nbd0.requests'] == 320, result['monitored']
share = [result['monitored']['order.nbd0.backwards%'] for result in (old, new)]
assert share[0] > 80 and share[1] < 5, share
EOF
ok '6.1 issues a batch backwards where there is no scheduler, 6.12 does not'
python3 - old new <<'EOF'
import json, sys
times = [json.load(open(name))['jobs'][0]['write']['runtime_ns'] for name in sys.argv[1:]]
assert times[0] > 1.3 * times[1], times
EOF
ok 'and that costs time'

guest run aiol --requests 16 --instances 1 --ops 32 --set "kernel=$new" \
	--stack null_blk:1G:memory_backed=on,ext4 --no-save --output-format=archive
expect_ok 'aiol in a guest'
grep -q '"aiol.ops": 32' out
ok 'does what it was asked for'
done_testing
