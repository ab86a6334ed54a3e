#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The I/Os and bytes of size-bound and number_ios jobs are those of the installed fio.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

if ! command -v fio >/dev/null 2>&1; then
	skip 'counts equal those of fio' 'fio is not installed'
	done_testing
fi

# counts FILE: "R,W,T bytes" of all jobs in a report that holds both text and JSON
counts() {
	sed -n 's/.*issued rwts: total=\([0-9]*,[0-9]*,[0-9]*\),.*/\1/p' "$1" | tr '\n' ' '
	tr ',' '\n' <"$1" | sed -n 's/.*"io_bytes" *: *\([0-9]*\).*/\1/p' |
		awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# same OPTIONS: one job run by both
same() {
	rm -f job.*.*
	fio --thread --name=job "$@" --output-format=json,normal >fio.out 2>fio.err
	rm -f job.*.*
	run_regio run --no-save --name=job "$@" --output-format=normal,archive
	[ "$status" -eq 0 ] && [ -n "$(counts fio.out)" ] && [ "$(counts fio.out)" = "$(counts out)" ]
	ok "$*"
	[ "$tap_status" -eq 0 ] || echo "# fio $(counts fio.out), regio $(counts out)"
}

null_cases='--size=100k --bs=8k
--size=100k --bs=8k --rw=randread
--size=100k --bs=8k --nrfiles=3
--size=100k --bs=8k --nrfiles=3 --rw=randread
--size=1m --bs=4k --rw=write --nrfiles=5
--size=1000k --bs=4k --rw=write --nrfiles=7
--size=1m --number_ios=10
--size=1m --number_ios=10 --loops=3
--size=1m --number_ios=1000
--size=1m --number_ios=1000 --loops=2
--size=1m --number_ios=1000 --io_size=10m
--size=1m --nrfiles=3 --number_ios=50
--size=1m --loops=3
--size=1m --loops=3 --rw=randwrite
--size=1m --loops=3 --io_size=300k
--size=1m --io_size=301k
--size=1m --io_size=2500k
--size=1m --io_size=2500k --rw=randread
--size=1m --io_size=2500k --bs=3k --rw=randread
--size=1m --nrfiles=3 --io_size=2m --rw=randread
--size=8m --bs=1m --rw=read:1m
--size=128m --bs=1m --rw=read:512k
--size=8m --bs=1m --rw=read:-2m
--size=8m --bs=1m --rw=read:-1m
--size=1m --rw=write:12k
--size=1m --rw=write:-8k --loops=2
--size=1m --rw=randread:8
--size=1m --rw=trim
--size=1m --rw=randtrim --loops=3
--size=1m --rw=trimwrite
--size=1m --rw=randtrimwrite
--size=1m --rw=trimwrite --io_size=300k
--size=1m --rw=trimwrite --number_ios=100
--size=1m --rw=randrw --rwmixread=100
--size=1m --rw=randwrite --norandommap --io_size=3m
--size=1002k --rw=randwrite --norandommap
--size=1m --rw=write --fsync=7
--size=1m --rw=write --end_fsync=1
--size=1m --iodepth=32 --rw=randread --loops=2
--size=1m --iodepth=32 --iodepth_batch=8 --iodepth_batch_complete=8 --rw=randwrite
--size=1m --iodepth=32 --iodepth_low=4 --number_ios=77
--size=4m --zonemode=strided --zonesize=64k --zonerange=256k
--size=2m --zonemode=strided --zonesize=64k --zonerange=256k --zoneskip=256k --rw=randwrite
--size=1m --zonemode=strided --zonesize=64k --zonerange=32k --zoneskip=32k
--size=1m --rw=randread --blockalign=512
--size=1m --rw=randread --random_generator=lfsr
--size=1m --rw=randread --random_distribution=zipf:1.2
--size=1m --rw=randwrite --random_distribution=zoned:60/10:30/20:10/70
--size=1m --rw=randread --percentage_random=30
--size=1m --rw=randread:8 --rw_sequencer=identical
--size=1m --rw=write --bssplit=8k/100
--size=1m --numjobs=3
--size=1m --numjobs=3 --group_reporting'

file_cases='--ioengine=psync --size=100k --bs=8k
--ioengine=psync --nrfiles=4 --filesize=256k --rw=write
--ioengine=psync --nrfiles=4 --filesize=256k --size=512k --rw=randwrite
--ioengine=psync --nrfiles=4 --filesize=256k --size=9m --rw=write
--ioengine=psync --nrfiles=6 --filesize=256k --openfiles=2 --rw=write --file_service_type=sequential
--ioengine=psync --nrfiles=6 --size=3m --openfiles=1 --rw=randread
--ioengine=psync --nrfiles=6 --size=3m --file_service_type=random:4 --rw=write
--ioengine=psync --nrfiles=6 --size=3m --file_service_type=roundrobin:8 --rw=randwrite
--ioengine=psync --size=1m --rw=randwrite --overwrite=1
--ioengine=psync --size=1m --rw=write --fsync_on_close=1 --fadvise_hint=sequential
--ioengine=psync --size=1m --rw=read --pre_read=1 --create_fsync=0
--ioengine=psync --size=1m --rw=write --fsync=16 --loops=2
--ioengine=sync --size=1m --rw=randwrite --nrfiles=3
--ioengine=libaio --size=1m --rw=randread --iodepth=8 --offset=64k
--ioengine=libaio --size=1m --rw=write --iodepth=8 --fsync=5
--ioengine=mmap --size=1m --rw=randwrite --number_ios=100
--ioengine=psync --size=1m --rw=randread --numjobs=2 --offset_increment=512k'

while IFS= read -r options; do
	# shellcheck disable=SC2086 # several words on purpose
	same --ioengine=null $options
done <<EOF
$null_cases
EOF
while IFS= read -r options; do
	# shellcheck disable=SC2086 # several words on purpose
	same $options
done <<EOF
$file_cases
EOF

done_testing
