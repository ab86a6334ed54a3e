#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# verify: blocks are written, read back and recognised; corruption that is planted is found, located
# and dumped, for each method; where fio is installed, each checks what the other wrote.
# In memory: it is all fsynced again and again.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

sums='md5 crc64 crc32 crc32c crc32c-intel crc16 crc7 sha1 sha256 sha512 sha3-224 sha3-256 sha3-384
sha3-512 xxhash'
all="meta $sums pattern pattern_hdr"

# pattern_of METHOD: the option that it needs
pattern_of() {
	case $1 in pattern*) echo '--verify_pattern=0xdeadbeef%o"xyz"-12' ;; esac
}

# run_job OPTIONS: one job on the file f
run_job() {
	run_regio run --no-save --name=job --filename=f "$@"
}

# write_blocks METHOD [OPTIONS]: 16 blocks, not read back
write_blocks() {
	rm -f f
	run_job --rw=write --size=64k --do_verify=0 $(pattern_of "$1") --verify="$@"
	[ "$status" -eq 0 ] || echo "# cannot write with $1: $(head -c 300 err)"
}

# read_blocks METHOD [OPTIONS]
read_blocks() {
	run_job --rw=read --size=64k $(pattern_of "$1") --verify="$@"
}

# put BYTES AT: printf format at an offset of f
put() {
	# shellcheck disable=SC2059
	printf "$1" | dd of=f bs=1 seek="$2" conv=notrunc status=none
}

# counts: reads and writes of the last report
counts() {
	sed -n 's/^ *issued rwts: total=\([0-9]*,[0-9]*\),.*/\1/p' "$tmp/out" | tr '\n' ' '
}

# found OFFSET: the last run failed there, with EILSEQ
found() {
	[ "$status" -eq 4 ] && grep -Eq "(file f|trim).* offset $1, length" err && grep -q 'err=84' out
}

# Written, read back, and read by a second job.
failed=
for method in $all null; do
	rm -f f
	run_job --rw=randwrite --size=64k --verify="$method" $(pattern_of "$method")
	[ "$status" -eq 0 ] && [ "$(counts)" = '16,16 ' ] || failed="$failed $method"
	read_blocks "$method"
	[ "$status" -eq 0 ] && [ "$(counts)" = '16,0 ' ] || failed="$failed $method-read"
done
[ -z "$failed" ]
ok 'every method writes 16 blocks and reads them back'
[ -z "$failed" ] || echo "# failed:$failed"

# One bit of the data, in block 2.
failed=
for method in $sums pattern pattern_hdr; do
	write_blocks "$method"
	byte=$(dd if=f bs=1 skip=10000 count=1 status=none | od -An -tu1)
	put "\\$(printf %o $((byte ^ 4)))" 10000
	read_blocks "$method" --verify_dump=1
	found 8192 && grep -q 'block 2: expected [0-9a-f]*, received [0-9a-f]*' err ||
		failed="$failed $method"
	[ -f f.8192.received ] && [ -f f.8192.expected ] || failed="$failed $method-dump"
	dd if=f bs=4k skip=2 count=1 status=none | cmp -s - f.8192.received ||
		failed="$failed $method-received"
	[ "$(cmp -l f.8192.received f.8192.expected | wc -l)" -eq 1 ] ||
		failed="$failed $method-expected"
	rm -f f.8192.*
done
[ -z "$failed" ]
ok 'a flipped bit is found, located and dumped beside what should be there, for every method'
[ -z "$failed" ] || echo "# failed:$failed"

# Damage of headers and whole blocks, which every method with a header finds.
failed=
for method in meta $sums pattern_hdr; do
	write_blocks "$method"
	cp f good
	put '\377' 8192
	read_blocks "$method" --verify_dump=1
	found 8192 && grep -q 'bad magic header [0-9a-f]*, wanted acca' err && [ -f f.8192.hdr_fail ] ||
		failed="$failed $method-magic"
	cp good f
	put '\377' 8218
	read_blocks "$method"
	found 8192 && grep -q 'bad header crc' err || failed="$failed $method-header"
	cp good f
	dd if=good of=f bs=4k skip=3 seek=2 count=1 conv=notrunc status=none
	read_blocks "$method"
	found 8192 && grep -q 'bad header offset 12288, wanted 8192' err ||
		failed="$failed $method-swapped"
	cp good f
	dd if=/dev/zero of=f bs=4k seek=2 count=1 conv=notrunc status=none
	read_blocks "$method"
	found 8192 || failed="$failed $method-zeroed"
	cp good f
	truncate -s 10000 f
	read_blocks "$method"
	found 8192 && grep -q 'block 2: the file ends after 1808 bytes' err && [ "$(wc -c <f)" -eq 10000 ] ||
		failed="$failed $method-cut"
	truncate -s 8192 f
	read_blocks "$method"
	found 8192 || failed="$failed $method-cut-between"
	rm -f f.8192.*
done
[ -z "$failed" ]
ok 'broken headers, swapped, zeroed and cut blocks are found, for every method with a header'
[ -z "$failed" ] || echo "# failed:$failed"

# A lost write: the first generation stands where the second should be.
failed=
for method in meta $sums pattern_hdr; do
	rm -f f
	run_job --rw=write --size=64k --verify="$method" --do_verify=0 --loops=2 $(pattern_of "$method") \
		--verify_state_save=1
	run_job --rw=write --size=64k --verify="$method" --verify_only --verify_state_load=1 \
		$(pattern_of "$method")
	[ "$status" -eq 0 ] || failed="$failed $method-good"
	cp f second
	run_job --rw=write --size=64k --verify="$method" --do_verify=0 $(pattern_of "$method")
	dd if=f of=second bs=4k skip=5 seek=5 count=1 conv=notrunc status=none
	mv second f
	run_job --rw=read --size=64k --verify="$method" --verify_state_load=1 $(pattern_of "$method")
	found 20480 && grep -q 'bad header numberio 5, wanted 21' err || failed="$failed $method"
done
[ -z "$failed" ]
ok 'a lost write is found by the number of the newest one, for every method with a header'
[ -z "$failed" ] || echo "# failed:$failed"
rm -f ./*.state

# Several wrong intervals of one I/O.
write_blocks crc32c --verify_interval=512
put x 9000
put x 10000
put x 20000
read_blocks crc32c --verify_interval=512
found 8704 && grep -q 'offset 9728' err && ! grep -q 'offset 19968' err
ok 'all wrong intervals of an I/O are told, then the job ends'
read_blocks crc32c --verify_interval=512 --verify_fatal=1
found 8704 && ! grep -q 'offset 9728' err
ok 'verify_fatal: the first one is enough'
read_blocks crc32c --verify_interval=512 --continue_on_error=verify
[ "$status" -eq 0 ] && grep -q 'offset 8704' "$tmp/err" && grep -q 'offset 19968' "$tmp/err" &&
	grep -q 'err=84' out && grep -q 'total=2, first_error=84' out && [ "$(counts)" = '16,0 ' ]
ok 'continue_on_error=verify: all are told, and the job goes on'
read_blocks crc32c --verify_interval=512 --verify_async=2 --verify_async_cpus=0
[ "$status" -eq 4 ] && grep -q 'offset 8704' err
ok 'verify_async finds them as well'
ln -s /proc/self/nothing f.8704.received
read_blocks crc32c --verify_interval=512 --verify_dump=1
[ "$status" -eq 4 ] && grep -q 'received data not dumped as f.8704.received: ' err
ok 'a dump that cannot be written is told, and the failure too'
rm -f f.*

# Repeated blocks, mixed directions, sizes, loops, depths.
check_counts() {
	expect_ok "$1"
	[ "$(counts)" = "$2" ]
	ok "$1: counts $2"
	[ "$tap_status" -eq 0 ] || echo "# got $(counts)"
}
rm -f f
run_job --rw=randwrite --norandommap --io_size=1m --size=64k --verify=crc32c
expect_ok 'random writes to the same blocks: the newest counts'
run_job --rw=randrw --norandommap --size=256k --verify=md5 --loops=3 --iodepth=16 --ioengine=libaio
expect_ok 'randrw with norandommap, three loops, depth 16'
run_job --rw=randwrite --bsrange=1k-16k --norandommap --io_size=2m --size=256k --verify=sha1
expect_ok 'blocks of several sizes that overwrite parts of each other'
run_job --rw=randwrite --bssplit=1k/30:3k/30:8k/ --norandommap --io_size=2m --size=256k \
	--verify=crc32c --iodepth=4 --ioengine=libaio
expect_ok 'bssplit'
run_job --rw=randwrite --bsrange=1k-16k --norandommap --io_size=2m --size=256k --verify=pattern \
	--verify_pattern='0xdeadbeef%o"xyz"-12'
expect_ok 'likewise with a pattern that does not divide them'
run_job --rw=write --size=64k --loops=2 --verify=crc32c
check_counts 'each loop is read back' '32,32 '
run_job --rw=write --size=64k --verify=crc32c --verify_backlog=4
check_counts 'verify_backlog' '16,16 '
run_job --rw=randwrite --size=256k --verify=crc32c --verify_backlog=8 --verify_backlog_batch=3 \
	--iodepth=8 --ioengine=io_uring --verify_async=2
check_counts 'verify_backlog_batch, the rest at the end' '64,64 '
run_job --rw=randwrite --size=64k --verify=meta --time_based --runtime=300ms --rate_iops=100 \
	--verify_backlog=1
reads=$(counts)
[ "$status" -eq 0 ] && [ "${reads%%,*}" -gt 1 ]
ok 'time_based: checked within the run'
run_job --rw=randwrite --size=64k --verify=meta --time_based --runtime=300ms --rate_iops=100
[ "$status" -eq 0 ] && grep -q 'before all that it wrote was read back' "$tmp/err"
ok 'time_based without verify_backlog: a note'
run_job --rw=write --size=64k --verify=crc32c --do_verify=0
check_counts 'do_verify=0' '0,16 '
run_job --rw=write --size=64k --verify=crc32c --verify_only
check_counts 'verify_only writes nothing' '16,0 '
run_job --rw=write --size=64k --numjobs=3 --verify=crc32c --verify_dump=1
[ "$status" -eq 0 ] && grep -q 'cannot know which write was the last' err
ok 'several writers to the same blocks pass, with a note'
for engine in sync psync vsync pvsync mmap libaio io_uring null; do
	run_job --rw=randrw --size=256k --verify=crc32c --ioengine=$engine --iodepth=4 \
		--verify_backlog=7 --serialize_overlap=1
	expect_ok "ioengine=$engine"
done
run_job --rw=write --size=64k --verify_pattern='"abcd"-120xdeadface'
expect_ok 'verify_pattern alone is verify=pattern'
[ "$(dd if=f bs=12 count=1 status=none | od -An -tx1 | tr -d ' ')" = '61626364f4ffffffdeadface' ]
ok 'parts of a pattern'
printf 'from a file' >content
run_job --rw=write --size=64k --verify_pattern="'content'"
expect_ok 'a pattern from a file'
[ "$(head -c 22 f)" = 'from a filefrom a file' ]
ok 'it is the content'

# Bad input.
rm -f f
refused() { # STATUS REGEX OPTION..
	wanted=$1
	regex=$2
	shift 2
	run_job --size=64k --rw=write "$@"
	expect "$wanted" "$regex" "refused: $*"
}
refused 2 "verify: 'crc33' is not one of" --verify=crc33
refused 2 'needs a verify_pattern' --verify=pattern
refused 2 'no room for a header of 56' --verify=md5 --verify_interval=50 --bs=200
refused 2 'within the header' --verify=md5 --verify_offset=20
refused 2 'ends within the header' --verify=md5 --verify_offset=4090
refused 2 'with bs_unaligned no block' --verify=md5 --bs_unaligned --bsrange=1k-4k
refused 2 'not a multiple of the verify_interval' --verify=md5 --rw=write:100
for pattern in '"abc' "'abc" 0xabg 0x abc %x 99999999999 - "'no-such-file'"; do
	refused 2 verify_pattern --verify_pattern="$pattern"
done
head -c 140000 /dev/zero >long
refused 2 'longer than 131072 bytes' --verify_pattern="'long'"
[ ! -e f ]
ok 'nothing was written'
run_job --rw=read --size=64k --verify=md5
[ "$status" -ne 0 ] && [ ! -e f ] && grep -q "No such file" err
ok 'a job that reads does not make the file that it should verify'
head -c 65536 /dev/urandom >f
cp f before
read_blocks md5
found 0 && cmp -s f before
ok 'a file that was never written with verify fails at its first block and stays as it is'
run_job --rw=write --size=64k --verify=md5 --verify_interval=5000
[ "$status" -eq 0 ] && grep -q 'no multiple of verify_interval 5000' err
ok 'a verify_interval that does not divide bs: a note'
for state in '' short; do
	rm -f ./*.state
	[ -z "$state" ] || echo "$state" >local-job-0-verify.state
	run_job --rw=read --size=64k --verify=md5 --verify_state_load=1
	[ "$status" -ne 0 ] && grep -q "verify state 'local-job-0-verify.state'" err
	ok "verify_state_load of a ${state:-missing} state"
done
rm -f ./*.state
run_job --rw=write --size=64k --verify=md5 --verify_state_save=1
run_job --rw=read --size=64k --bs=8k --verify=md5 --verify_state_load=1
[ "$status" -ne 0 ] && grep -q "other files, sizes or verify_interval\|another job or cut" err
ok 'a state of a job with another verify_interval'
put x 20
printf x | dd of=local-job-0-verify.state bs=1 seek=33 conv=notrunc status=none
run_job --rw=read --size=64k --verify=md5 --verify_state_load=1
[ "$status" -ne 0 ] && grep -q "damaged" err
ok 'a damaged state'
rm -f ./*.state

# kill -9 in the middle of a run: the state tells what was written.
rm -f f
"$REGIO" run --no-save --name=job --filename=f --rw=randwrite --norandommap --size=4m --bs=4k \
	--verify=crc32c --verify_state_save=1 --time_based --runtime=60 --rate_iops=2000 \
	>/dev/null 2>&1 &
pid=$!
sleep 1
kill -9 $pid
wait $pid 2>/dev/null
run_job --rw=randwrite --norandommap --size=4m --bs=4k --verify=crc32c --verify_only \
	--verify_state_load=1
expect_ok 'after kill -9: what was written is right'
reads=$(counts)
[ "${reads%%,*}" -gt 100 ]
ok 'and it was read'
dd if=/dev/zero of=f bs=1M count=4 conv=notrunc status=none
run_job --rw=randwrite --norandommap --size=4m --bs=4k --verify=crc32c --verify_only \
	--verify_state_load=1
[ "$status" -eq 4 ] && grep -q 'bad magic header 0' err
ok 'after kill -9: what was lost is found'
rm -f ./*.state

# The reported dm-cache workload, scaled down: four writers with their own files.
cache=$(mktemp -d /tmp/regio-test.XXXXXX) # direct=1 needs a disk
export cache
cat >cache.fio <<-'END'
	[global]
	randrepeat=0
	ioengine=sync
	iodepth=32
	direct=1
	size=2m
	numjobs=4
	verify_fatal=1
	verify_dump=1
	directory=${cache}
	[randrw]
	blocksize=64k
	rw=randrw
	rwmixread=20
	rwmixwrite=80
	verify=meta
END
run_regio run --no-save cache.fio
expect_ok 'randrw with verify=meta and four writers'
rm -rf "$cache"

# Trims, on a device that reads as zeros afterwards.
if is_root && make_loop 16; then
	run_regio run --no-save --name=job --filename="$loop" --rw=randwrite --size=4m --direct=1 \
		--verify=crc32c --trim_percentage=50 --trim_backlog=16 \
		--allow-destructive="$loop"
	expect_ok 'trimmed blocks read as zeros'
	trims=$(sed -n 's/^ *issued rwts: total=[0-9]*,[0-9]*,\([0-9]*\),.*/\1/p' out)
	[ "$trims" -gt 300 ] && [ "$trims" -lt 700 ]
	ok 'about half of the blocks were trimmed'
	run_regio run --no-save --name=job --filename="$loop" --rw=trimwrite --size=4m --direct=1 \
		--verify=crc32c --allow-destructive="$loop"
	expect_ok 'trimwrite: the write after the trim counts'
else
	skip 'trims' 'needs root and a loop device'
fi

# fio: each checks what the other wrote.
if command -v fio >/dev/null && fio --version | grep -q 'fio-3\.3[0-9]$'; then
	failed=
	for method in meta $sums pattern null; do
		for form in '--bs=4k --verify_interval=512 --verify_offset=200' --bs=676; do
			rm -f f
			run_job --rw=write --size=64k --verify="$method" $form $(pattern_of "$method")
			fio --name=job --filename=f --rw=read --size=64k --verify="$method" $form \
				$(pattern_of "$method") >fio.out 2>fio.err && [ ! -s fio.err ] ||
				failed="$failed fio($method,$form)"
			rm -f f
			fio --name=job --filename=f --rw=randwrite --size=64k --verify="$method" \
				--verify_state_save=0 $form $(pattern_of "$method") >fio.out 2>&1
			run_job --rw=read --size=64k --verify="$method" $form $(pattern_of "$method")
			[ "$status" -eq 0 ] || failed="$failed regio($method,$form)"
		done
	done
	[ -z "$failed" ]
	ok 'fio checks what regio wrote and regio what fio wrote, every method'
	[ -z "$failed" ] || echo "# failed:$failed"
else
	skip 'blocks of fio' 'needs fio 3.30 to 3.39'
fi
done_testing
