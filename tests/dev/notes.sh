#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Notes on devices of their own: each cause made for real, and the silence without it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1
zram=
background=
take_down() {
	[ -z "$background" ] || kill "$background" 2>/dev/null
	mountpoint -q "$tmp/mnt" && umount "$tmp/mnt"
	for _ in $(seq 50); do
		[ -z "$zram" ] && return
		{ echo "$zram" >/sys/class/zram-control/hot_remove; } 2>/dev/null && return
		sleep 0.1
	done
	echo "# could not remove zram$zram"
}
trap 'take_down; cleanup' EXIT

if ! is_root || ! make_loop 256; then
	skip 'notes on devices' 'needs root and loop devices'
	done_testing
fi
mkdir mnt
name=$(basename "$loop")

# job ARGS..: a second of random reads by default, as archive in $tmp/out
job() {
	run_regio run --no-save --progress=never --output-format=archive --name=job --rw=randread \
		--bs=4k --direct=1 --ioengine=libaio --iodepth=4 --time_based --runtime=1 "$@"
	[ "$status" -eq 0 ] || head -c 2000 err | sed 's/^/# /'
}
has() {
	grep -q "\"id\": *\"$1\"" out
}
# silent NOTE..: the last job has none of these
silent() {
	for note; do
		! has "$note" || return 1
	done
}
# meanwhile COMMAND: again and again, until stopped
meanwhile() {
	while :; do
		"$@"
	done >meanwhile_out 2>&1 &
	background=$!
	sleep 0.5
}
stop() {
	kill "$background"
	wait "$background" 2>wait_err
	background=
}

job --filename="$loop"
has small-region && grep -q "$name keeps its file in the page cache" out
ok 'a loop device in the page cache'
losetup --direct-io=on "$loop" 2>err
if [ "$(cat "/sys/block/$name/loop/dio")" = 1 ]; then
	sleep 1 # whoever looks at a changed device has done so
	job --filename="$loop"
	silent small-region odd-device other-io page-cache writes-in-memory discard shared-device \
		filesystem-full unwatched
	ok 'a clean device with direct I/O: silence'
else
	skip 'a clean device with direct I/O: silence' 'the folder has no direct I/O'
fi

meanwhile dd if="$loop" of=/dev/null bs=1M iflag=direct
job --filename="$loop" --rate_iops=100
has other-io
ok 'somebody else reads the disk'
run_regio doctor "$loop" --time=5s --pairs=5 --progress=never --json
[ "$status" -eq 1 ] && grep -q '^ *"other-io"' out &&
	grep -q 'before any run: the disk is in use while nothing is measured' out
ok 'the doctor sees it before anything is measured, and says unfit'
stop

if blkdiscard "$loop" 2>err; then
	meanwhile blkdiscard --length=1M "$loop"
	job --filename="$loop"
	stop
	has discard
	ok 'discards of somebody else'
else
	skip 'discards of somebody else' 'no discard here'
fi

job --filename="$loop" --name=rival --rw=randread --filename="$loop" --time_based --runtime=1
has shared-device && grep -q "jobs 'job' and 'rival' ran at once" out
ok 'two jobs on one device'
job --filename="$loop" --numjobs=2
silent shared-device
ok 'two clones of one job are one'

if mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$loop" 2>err && mount "$loop" mnt; then
	job --directory=mnt --size=16m
	silent filesystem-full page-cache
	ok 'an empty filesystem: silence'
	job --directory=mnt --filename=small --size=1m --direct=0 --invalidate=0 --ioengine=psync
	has page-cache
	ok 'reads that never came to the disk'
	run_regio run --no-save --progress=never --output-format=archive --name=job --rw=write \
		--bs=64k --size=16m --directory=mnt --filename=w
	has writes-in-memory
	ok 'writes that had not come to the disk'
	run_regio run --no-save --progress=never --output-format=archive --name=job --rw=write \
		--bs=64k --size=16m --directory=mnt --filename=w --end_fsync=1
	silent writes-in-memory
	ok 'writes that had'
	dd if=/dev/zero of=mnt/fill bs=1M count=400 2>err
	job --directory=mnt --filename=w --size=16m
	has filesystem-full
	ok 'a filesystem that is full'
	umount mnt
else
	skip 'notes of filesystems' 'no ext4'
fi

if mkfs.btrfs -q -f "$loop" >mkfs_out 2>&1 && mount -o compress=zstd "$loop" mnt 2>err; then
	job --directory=mnt --size=16m
	has odd-device && grep -q 'the filesystem compresses: compress=zstd' out
	ok 'a filesystem that compresses'
	umount mnt
else
	head -n 3 mkfs_out err | sed "s,^,# ,"
	skip 'a filesystem that compresses' 'no btrfs'
fi

if zram=$(cat /sys/class/zram-control/hot_add 2>/dev/null) &&
	echo 64M >"/sys/block/zram$zram/disksize"; then
	job --filename="/dev/zram$zram"
	has odd-device && [ "$(grep -o 'is memory, compressed' out | wc -l)" -eq 1 ]
	ok 'a device that compresses, told once'
else
	skip 'a device that compresses, told once' 'no zram'
fi

done_testing
