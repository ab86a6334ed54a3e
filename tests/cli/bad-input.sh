#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Bad input of every kind: one clear line, the right exit status, nothing changed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

# job TEXT..: writes the words as lines of j.fio
job() {
	printf '%s\n' "$@" >j.fio
}

run_regio
expect 2 'no command given' 'no command'
run_regio rnu
expect 2 "'rnu' is neither a command nor a job file; did you mean 'run'" 'mistyped command'
run_regio run
expect 2 'job' 'run without a job'
run_regio run missing.fio
expect 4 'missing.fio.*No such file' 'missing job file'
run_regio run --no-such-option j.fio
expect 2 'no-such-option' 'unknown option'
run_regio run "$tmp"
expect 3 'directory' 'a directory as job file'
run_regio --name=x --rw=randread --size=1m --set queue=1
expect 2 'queue' 'setting that is not K=V'
run_regio --name=x --rw=randread --size=1m --set nonsense.x=1
expect 2 'nonsense' 'setting of an unknown namespace'
run_regio --name=x --rw=randread --ioengine=null --size=1m --set sysctl.no.such=1
expect 2 'no.such' 'sysctl that does not exist'

job '[a]' 'rw=read' 'nosuchoption=1'
run_regio run j.fio
expect 3 "j.fio:3: .*unknown option 'nosuchoption'" 'unknown job option, with file and line'
job '[a]' 'rw=raed' 'size=1m'
run_regio run j.fio
expect 3 'j.fio:2: .*raed' 'bad value, with file and line'
job '[a]' 'rw=read' 'size=1m' 'cgroup=x'
run_regio run j.fio
expect 6 "j.fio:4: option 'cgroup' is a fio option that regio does not support yet" 'known, unsupported'
job '[a]' 'rw=read' 'size=1m' 'ioengine=nosuch'
run_regio run j.fio
expect 3 "j.fio:1: job 'a': unknown engine 'nosuch'" 'unknown engine'
job 'rw=read'
run_regio run j.fio
expect 3 'j.fio:1: ' 'option outside of a section'
: >empty.fio
run_regio run empty.fio
expect 3 'empty.fio' 'empty job file'
head -c 65536 /dev/urandom >garbage.fio
run_regio run garbage.fio
expect 3 'garbage.fio' 'garbage job file'
{ printf '[a]\nfilename='; head -c 1048576 /dev/zero | tr '\0' x; printf '\n'; } >long.fio
run_regio run long.fio
expect '3' 'long.fio:2' 'a line of 1 MiB'

run_regio --name=x --rw=randread --ioengine=null --size=1m --repeat=0
expect 2 'repeat' 'no run at all'

run_regio --name=x --rw=read --filename="$tmp"
expect 2 'is a directory' 'directory as data file'
status=0
setsid -w "$REGIO" --name=x --rw=read --size=1m --filename=/dev/tty >out 2>err || status=$?
expect 4 "open '/dev/tty': [A-Za-z ]*\$" 'a file that cannot be opened: its reason once'
run_regio --name=x --rw=write --size=0 --filename=f
expect 2 'size' 'size 0'
[ ! -e f ]
ok 'and no file was made'
run_regio --name=x --rw=read --filename=f
expect 2 'size' 'no size known'
run_regio --name=x --rw=read --size=1m --filename=/proc/version
expect 2 'a file of the kernel' 'a file of /proc is not laid out'
run_regio --name=x --rw=read --size=1m --directory=/no/such/folder
expect 4 '/no/such/folder' 'missing folder'
run_regio --name=x --rw=write --size=1m --bs=1000 --direct=1 --filename=f
expect 2 'bs 1000 is not a multiple of the logical block size' 'direct I/O in odd blocks'
run_regio --name=x --rw=write --size=1m --bs=4k --cpus_allowed=4000 --filename=f
expect 2 "cpus_allowed: '4000'" 'a CPU number out of range'
run_regio --readonly --name=x --rw=write --size=1m --filename=f
expect 2 'readonly' 'write job with --readonly'

head -c 1048576 /dev/urandom >keep
cp keep keep.orig
run_regio --name=x --rw=read --size=2m --filename=keep --bs=64k
head -c 1048576 keep | cmp -s - keep.orig
ok 'a file too short for a read job is extended, its data kept'

if is_root && make_loop 8; then
	printf 'not to be lost' | dd of="$loop" conv=notrunc 2>/dev/null
	run_regio --name=x --rw=randread --ioengine=null --size=1m --output="$loop"
	expect 5 'is a block device' '--output to a block device'
	[ "$(head -c 14 "$loop")" = 'not to be lost' ]
	ok '--output leaves the device as it was'
else
	skip '--output to a block device' 'needs root and a loop device'
fi
run_regio --name=x --rw=randread --ioengine=null --size=1m --output=/no/such/file
expect 4 '/no/such/file' 'output that cannot be opened'
if [ -e /dev/full ]; then
	status=0
	"$REGIO" --name=x --rw=randread --ioengine=null --size=1m >/dev/full 2>err || status=$?
	[ "$status" -eq 4 ] && grep -q 'No space left' err
	ok 'stdout that is full'
	run_regio --name=x --rw=randread --ioengine=null --size=1m --output=/dev/full
	expect 4 '/dev/full.*No space left' 'output file that is full'
fi
echo 'this is no database, this is a text that is long enough' >text.db
run_regio --store=text.db --name=x --rw=randread --ioengine=null --size=1m
expect 3 'text.db' 'a store that is not a database'
grep -q 'no database' text.db
ok 'and it was not touched'
run_regio --store="$tmp" --name=x --rw=randread --ioengine=null --size=1m
expect 3 'is a directory' 'a directory as store'

run_regio ab --name=x --rw=randread --ioengine=null --size=1m --max-pairs=3
expect 2 'pairs' 'ab: a budget too small'
run_regio ab --name=x --rw=randread --ioengine=null --size=1m --alpha=0.001
expect 2 'alpha' 'ab: alpha out of range'
run_regio ab --name=x --rw=randread --ioengine=null --size=1m --alpha=0.5
expect 2 '0.5 is neither 0.05 nor 0.01' 'ab: alpha for which there is no table'
run_regio ab --name=x --rw=randread --ioengine=null --size=1m --metric=nosuch
expect 2 'nosuch' 'ab: unknown metric'
run_regio ab --name=x --rw=randread --ioengine=null --size=1m --a job.nosuch=1
expect 2 "unknown option 'nosuch'" 'ab: unknown job option in a setting'

i=0
while [ $i -lt 10000 ]; do
	printf '[job%d]\nrw=randread\nioengine=null\nsize=4k\n' $i
	i=$((i + 1))
done >many.fio
run_regio run --parse-only many.fio
expect_ok '10,000 sections parse'
done_testing
