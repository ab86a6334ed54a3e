#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The job files of five real reports, scaled down by overrides, on loop devices.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

if ! is_root; then
	echo '1..0 # SKIP needs root to make loop devices'
	exit 0
fi
if ! make_loop 64; then
	echo '1..0 # SKIP cannot make a loop device here'
	exit 0
fi
first=$loop
make_loop 64
second=$loop
jobs=${REGIO_SOURCE_ROOT:-.}/tests/data/jobs

# totals: the "issued rwts" of every report entry
totals() {
	sed -n 's/^ *issued rwts: total=\([0-9,]*\) .*/\1/p' "$tmp/out"
}

# 1. sequential writes with fsync on two devices, two sections named [job]
sed "s|/dev/dm-0|$first|; s|/dev/dm-1|$second|" "$jobs/multipath-seqwrite.fio" >"$tmp/multipath.fio"
run_regio run "$tmp/multipath.fio" --size=16m --numjobs=2 --iodepth=8
expect_ok 'multipath: sequential writes with fsync'
[ "$(grep -c '^job: (groupid=0, jobs=4)' "$tmp/out")" -eq 1 ]
ok 'multipath: both sections and all clones in one entry'
# 2 devices x 2 clones x 16 MiB / 128 KiB, and an fsync after each but those past the end
totals | grep -Eq '^0,512,0,(50[0-9]|51[0-2])$'
ok 'multipath: 512 writes, an fsync after each'
grep -q 'fsync/fdatasync' "$tmp/out"
ok 'multipath: latency of fsync apart'

# 2. random reads, everything from the command line, scheduler none
sed "s|/dev/sdb|$first|; s|/dev/sdc|$second|" "$jobs/raid0-two-volumes.fio" >"$tmp/raid0.fio"
run_regio run "$tmp/raid0.fio" --bs=4k --iodepth=128 -rw=randread --group_report \
	--ioscheduler=none --numjobs=4 --runtime=1
expect_ok 'raid0: single dashes, abbreviated option, ioscheduler'
grep -q '(groupid=0, jobs=8)' "$tmp/out" && grep -q 'iodepth=128' "$tmp/out"
ok 'raid0: two volumes of four clones in one group'

# 3. random reads of a filesystem, 8 tasks
mkfs.ext4 -q -F "$second" >/dev/null 2>&1
mkdir -p "$tmp/mnt"
if mount "$second" "$tmp/mnt"; then
	run_regio run "$jobs/btrfs-randread.fio" --directory="$tmp/mnt" --size=4m --io_size=4m --runtime=5
	expect_ok 'btrfs-wbt: 2 MiB random reads by 8 tasks'
	totals | grep -q '^16,0,0,0$'
	ok 'btrfs-wbt: 16 reads'
	grep -q "warning:.*iodepth" "$tmp/err"
	ok 'btrfs-wbt: iodepth with ioengine=sync is warned of'

	# 4. the dm-cache job: mixed 20/80, four writers
	run_regio run "$jobs/dmcache-randrw.fio" --directory="$tmp/mnt" --size=4m
	expect_ok 'dm-cache: 64 KiB mixed I/O'
	[ "$(totals | tr ',' '\n' | awk '{ sum += $1 } END { print sum }')" -eq 256 ]
	ok 'dm-cache: 64 I/Os in each of four clones'
	run_regio run "$jobs/dmcache-randrw-verify.fio" --directory="$tmp/mnt" --size=4m
	expect_ok 'dm-cache: verify=meta finds nothing wrong'

	# 5. asynchronous I/O in small windows at several depths (the shape of stress-ng aiol)
	run_regio --name=aiol --directory="$tmp/mnt" --size=1m --bs=4k --ioengine=libaio \
		--iodepth=16 --direct=1 --rw=randrw --numjobs=2 --group_reporting
	expect_ok 'aiol: libaio in small files'
	umount "$tmp/mnt"
else
	skip 'btrfs-wbt: 2 MiB random reads by 8 tasks' 'cannot mount ext4 here'
fi
done_testing
