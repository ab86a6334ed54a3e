#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs on devices and on a full filesystem: what is refused, cut, ended, and what stays.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1
trap 'umount "$tmp/mnt" 2>/dev/null; cleanup' EXIT

if ! is_root; then
	skip 'jobs on loop devices' 'needs root'
	done_testing
fi
if ! make_loop 16; then
	skip 'jobs on loop devices' 'no loop device'
	done_testing
fi

run_job() {
	run_regio run --no-save --progress=never --name=job "$@"
}

run_job --filename="$loop" --rw=read --bs=64k
expect_ok 'without size= the whole device is read'
grep -q 'issued rwts: total=256,0,0,0' out
ok '256 blocks of 64 KiB in 16 MiB'

run_job --filename="$loop" --rw=read --bs=64k --size=64m --offset=4m --output-format=normal,archive
expect_ok 'a region that is larger than the device is cut'
grep -q 'issued rwts: total=192,0,0,0' out && grep -q 'region-clipped' out
ok '12 MiB are left after the offset, and a note says so'

run_job --filename="$loop" --rw=read --size=50% --offset=25%
expect_ok 'size and offset as shares'
grep -q 'issued rwts: total=2048,0,0,0' out
ok 'half of the device'

run_job --filename="$loop" --rw=read --size=1m --offset=16m
expect 2 "offset 16777216 is beyond the end of '$loop'" 'an offset beyond the device is refused'

run_job --filename="$loop" --rw=read --direct=1 --bs=768 --size=1m
expect 2 'direct=1: bs 768 is not a multiple of the logical block size 512' \
	'direct I/O in parts of a block is refused'

run_job --filename="$loop" --rw=randrw --direct=1 --ioengine=libaio --iodepth=8 --bs=4k \
	--number_ios=100 --fsync=10
expect_ok 'libaio writes to the device'

# a full filesystem
if mkfs.ext4 -q -F -b 1024 "$loop" 2>/dev/null && mkdir mnt && mount "$loop" mnt; then
	echo keep >mnt/keep
	run_job --directory=mnt --rw=read --size=32m
	expect 4 "lay out .*No space left on device" 'a full disk while laying out: one clear line'
	[ "$(find mnt -name 'job*' | wc -l)" -eq 0 ] && [ "$(cat mnt/keep)" = keep ]
	ok 'what was laid out is removed, what was there stays'

	run_job --directory=mnt --rw=read --size=1m --offset=9p
	expect 4 'bytes are missing, [0-9]* are free: No space left' \
		'a file that cannot fit is not begun'

	run_job --directory=mnt --rw=write --bs=64k --size=32m --fallocate=none --unlink=1
	[ "$status" -ne 0 ] && grep -q 'err=28' out
	ok 'a full disk ends a write job with ENOSPC'
	ios=$(sed -n 's/.*issued rwts: total=0,\([0-9]*\),.*/\1/p' out)
	[ "${ios:-0}" -gt 10 ]
	ok 'what was written before is reported'
	[ "$(find mnt -name 'job*' | wc -l)" -eq 0 ]
	ok 'unlink=1 removed the file'

	run_job --directory=mnt --rw=write --bs=64k --size=32m --fallocate=none --unlink=1 \
		--ioengine=io_uring --iodepth=16
	[ "$status" -ne 0 ] && grep -q 'err=28' out
	ok 'io_uring: in-flight I/O comes back, then the job ends with ENOSPC'
	umount mnt
else
	skip 'a full filesystem' 'no ext4'
fi

done_testing
