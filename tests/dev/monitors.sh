#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The disk monitor of the whole program on loop and zram devices: what it saw is what the counters
# of the devices say, and what the job did. tests/dev/test_monitor.c compares with iostat.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1
zram=
remove_zram() {
	for _ in $(seq 50); do
		[ -z "$zram" ] && return
		{ echo "$zram" >/sys/class/zram-control/hot_remove; } 2>/dev/null && return
		sleep 0.1
	done
	echo "# could not remove zram$zram"
}
trap 'remove_zram; cleanup' EXIT

if ! is_root; then
	skip 'the disk monitor on devices' 'needs root'
	done_testing
fi

# check.py DEVICE READS WRITES: rates times the window are the counts of the job and of the device
cat >check.py <<'END'
import json
import sys

device, reads, writes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
result = json.load(open('out'))
seen = {name.removeprefix(f'iostat.{device}.'): value
        for name, value in result['monitored'].items()}
disk = next(disk for disk in result['disks'] if disk['name'] == device)
window = result['monitored']['monitor.window_ms'] / 1000
bad = 0


def check(what, ours, expected, tolerance):
    global bad
    good = abs(ours - expected) <= tolerance
    bad += not good
    print(f'# {what}: {ours:.3f}, expected {expected:.3f}{"" if good else ": BAD"}')


# both read the counters right before the workers start and right after they have ended
for letter, dir, count in (('r', 0, reads), ('w', 1, writes)):
    check(f'{letter}/s', seen[f'{letter}/s'] * window, disk['ios'][dir], 0.01 * count + 1)
    check(f'{letter}/s of the job', seen[f'{letter}/s'] * window, count, 0.01 * count + 1)
    check(f'{letter}kB/s', seen[f'{letter}kB/s'] * window, 4 * count, 0.04 * count + 4)
    check(f'{letter}areq-sz', seen[f'{letter}areq-sz'], 4, 0.1)
    check(f'{letter}_await', seen[f'{letter}_await'], disk['ticks_ms'][dir] / disk['ios'][dir],
          0.01 + 0.05 * seen[f'{letter}_await'])
check('util', seen['util'] * window * 10, disk['io_ticks_ms'], 10 + 0.05 * disk['io_ticks_ms'])
check('aqu-sz', seen['aqu-sz'] * window * 1000, disk['in_queue_ms'],
      10 + 0.05 * disk['in_queue_ms'])
sys.exit(bad)
END

# measure DEVICE: 2000 reads and 2000 writes of 4 KiB
measure() {
	run_regio run --no-save --progress=never --name=r --filename="/dev/$1" --rw=randread \
		--bs=4k --direct=1 --ioengine=libaio --iodepth=8 --number_ios=2000 \
		--name=w --filename="/dev/$1" --rw=randwrite --bs=4k --direct=1 \
		--ioengine=libaio --iodepth=8 --number_ios=2000 \
		--monitors=disk --output-format=archive
	[ "$status" -eq 0 ] || head -c 2000 err | sed 's/^/# /'
	[ "$status" -eq 0 ] && python3 check.py "$1" 2000 2000
}

if make_loop 64; then
	measure "$(basename "$loop")"
	ok 'on a loop device'
	run_regio run --no-save --progress=never --name=r --filename="$loop" --rw=read --bs=64k \
		--direct=1 --monitors=disk,cpu --output-format=archive
	name=$(basename "$loop")
	grep -q "\"iostat.$name.r/s\":" out && ! grep -q "\"iostat.$name.w_await\":" out &&
		! grep -q "\"iostat.loop9999" out
	ok 'a mean wait of no writes is absent'
	mkfs.ext4 -q -F "$loop" 2>err && mkdir mnt && mount "$loop" mnt && {
		run_regio run --no-save --progress=never --name=f --directory=mnt --rw=write \
			--bs=64k --size=8m --end_fsync=1 --monitors=disk --output-format=archive
		grep -q "\"iostat.$name.wkB/s\":" out
		ok 'a file: the disk under its filesystem is watched'
		umount mnt
	}
else
	skip 'on a loop device' 'no loop device'
fi

if zram=$(cat /sys/class/zram-control/hot_add 2>/dev/null) &&
	echo 64M >"/sys/block/zram$zram/disksize"; then
	measure "zram$zram"
	ok 'on a zram device'
else
	skip 'on a zram device' 'no zram'
fi

done_testing
