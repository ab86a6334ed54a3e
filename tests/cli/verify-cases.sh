#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What fio's own tests of verification (t0003, t0005, t0006, t0008, t0025 to t0029, t0036) ask for,
# on jobs of our own.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

run_job() {
	run_regio run --no-save --name=job --filename=f "$@"
}

# kib DIRECTION: what the last report says
kib() {
	python3 -c 'import json, sys
jobs = json.load(open(sys.argv[1]))["jobs"]
print(jobs[-1][sys.argv[2]]["io_kbytes"])' out "$1"
}

run_job --rw=write --size=1m --bs=512 --verify=md5 --do_verify=0
run_job --rw=read --size=10m --bs=1m --verify=md5
[ "$status" -ne 0 ] && [ -s err ]
ok 't0003: other blocks than were written fail, and say so'

run_job --rw=write --size=4m --verify=md5 --verify_backlog=32 --output-format=json
[ "$status" -eq 0 ] && [ "$(kib read)" -eq 4096 ] && [ "$(kib write)" -eq 4096 ]
ok 't0005: all that is written is read back with a backlog'

run_job --rw=randrw --size=32m --ioengine=libaio --iodepth=32 --verify=meta --verify_backlog=1024 \
	--verify_pattern=0xaaa --output-format=json
[ "$status" -eq 0 ] && reads=$(kib read) && [ "$reads" -eq 32768 ]
ok 't0006: reads are those of the job and one for each write'

run_job --rw=rw --size=32m --verify=crc32c --verify_backlog=1 --output-format=json
[ "$status" -eq 0 ] && [ "$(kib read)" -eq 32768 ] && writes=$(kib write) &&
	[ "$writes" -gt 15800 ] && [ "$writes" -lt 16900 ]
ok 't0008: a backlog of one'

run_job --rw=write --size=128k --bs=4k --verify=crc32c --experimental_verify=1 --output-format=json
[ "$status" -eq 0 ] && [ "$(kib read)" -eq 128 ]
ok 't0025: experimental_verify'
run_job --rw=randrw --size=128k --time_based --runtime=300ms --verify=crc32c --loops=3 \
	--experimental_verify=1
expect_ok 't0026: time_based with loops'

head -c 16384 /dev/urandom >content
rm -f f
run_job --rw=write --size=16k --bs=16k --verify_pattern="'content'"
[ "$status" -eq 0 ] && cmp -s f content
ok 't0027: the file is the pattern'
run_job --rw=read --size=16k --bs=16k --verify=pattern --verify_pattern="'content'"
expect_ok 't0027: and is recognised'

run_job --rw=write --size=4k --verify=md5
run_job --rw=read --size=4k --verify=md5 --loops=2 --output-format=json
[ "$status" -eq 0 ] && [ "$(kib read)" -eq 8 ]
ok 't0029: both loops of a job that reads'

run_job --rw=write --size=64k --verify=md5 --verify_state_save=1 --do_verify=0
run_job --rw=read --size=64k --verify=md5 --verify_state_load=1
expect_ok 't0036: a state is saved and loaded'
done_testing
