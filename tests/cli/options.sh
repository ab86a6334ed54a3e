#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What single job options do, on temporary files; where fio is installed, the same as fio.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

# counts: "R,W,T,S" of all jobs in $tmp/out
counts() {
	sed -n 's/^ *issued rwts: total=\([0-9,]*\).*/\1/p' "$tmp/out" | tr '\n' ' '
}

# run_job OPTIONS: one job, its report in $tmp/out
run_job() {
	run_regio run --no-save --name=job "$@"
}

# refused OPTION REGEX: a usage error that says so
refused() {
	run_job --size=1m "--$1"
	expect 2 "$2" "$1 is refused"
}

refused bssplit=4k/60:8k/50 'bssplit: the percentages add up to 110'
refused bssplit=4k/x "bssplit: 'x' is not a number"
refused random_distribution=zipf:1 'zipf: theta must not be 1'
refused random_distribution=pareto:1.5 "'1.5' is not in"
refused random_distribution=zoned:60/10:50/90 'add up to 110'
refused random_distribution=gamma "'gamma' is not one of"
refused zonemode=strided 'strided needs a zonesize'
run_job --size=1m --zonemode=zbd
expect 6 "zonemode: 'zbd' is a value of fio that regio does not support yet" 'zonemode=zbd is for later'
run_job --ioengine=null --size=1m --rw=randread --ba=512
expect_ok 'ba runs'
grep -q 'turns norandommap on' err
ok 'ba other than bs turns the map off and says so'

run_job --size=1m --rw=write --max_latency=1ns
expect 4 'Connection timed out' 'max_latency: a slower I/O fails the job'
run_job --size=1m --ioengine=libaio --iodepth=4 --rw=write --max_latency=1ns
expect 4 'Connection timed out' 'max_latency: likewise with an asynchronous engine'
run_job --size=1m --rw=write --max_latency=1h
expect_ok 'max_latency: faster ones do not'

run_job --filename=append --size=64k --rw=write
run_job --filename=append --size=64k --rw=write --file_append=1
expect_ok 'file_append'
[ "$(stat -c %s append)" -eq 131072 ]
ok 'file_append writes behind the end'

run_job --filename=absent --size=64k --rw=write --allow_file_create=0
expect 2 "'absent' is not there, and allow_file_create is 0" 'allow_file_create=0'

run_job --filename=laid --size=1m --rw=read --create_only=1
expect_ok 'create_only'
[ "$(stat -c %s laid)" -eq 1048576 ] && [ -z "$(counts)" ]
ok 'create_only lays out and does no I/O'

run_job --filename=over --size=1m --rw=randwrite --number_ios=1 --overwrite=1 --fallocate=none
[ "$(du -k over | cut -f1)" -ge 1024 ]
ok 'overwrite=1 lays out everything before a write job'
run_job --filename=sparse --size=1m --rw=randwrite --number_ios=1 --fallocate=none
[ "$(du -k sparse | cut -f1)" -lt 100 ]
ok 'without it the file has holes'

run_job --nrfiles=20 --filesize=64k-128k --rw=write --filename_format='range.$filenum'
expect_ok 'filesize=A-B'
sizes=$(stat -c %s range.* | sort -un)
[ "$(echo "$sizes" | head -n 1)" -ge 65536 ] && [ "$(echo "$sizes" | tail -n 1)" -le 131072 ] &&
	[ "$(echo "$sizes" | wc -l)" -gt 5 ]
ok 'filesize=A-B: sizes are drawn from the range'
rm -f range.*
run_job --nrfiles=20 --filesize=64k-128k --rw=write --filename_format='range.$filenum'
[ "$(stat -c %s range.* | sort -un)" = "$sizes" ]
ok 'filesize=A-B: the same in the next run'

if is_root && mkdir small && mount -t tmpfs -o size=2m none small 2>/dev/null; then
	run_job --directory=small --rw=write --bs=64k --fill_device=1
	fill_status=$status
	fill_bytes=$(stat -c %s small/job.0.0)
	umount small
	[ "$fill_status" -eq 0 ] && [ "$fill_bytes" -gt 1900000 ]
	ok 'fill_device ends well when the filesystem is full'
	tail -n 1 err
else
	skip 'fill_device ends well when the filesystem is full' 'no tmpfs can be mounted'
fi

for options in --cpus_allowed=0-1,--cpus_allowed_policy=split,--numjobs=3 --cpumask=1 --nice=5 \
	--prio=3 --prioclass=3 --numa_mem_policy=local --mem=shm --mem=mmapshared \
	--mem=mmap:backing,--numjobs=2 --iomem_align=2m --clocksource=clock_gettime; do
	# shellcheck disable=SC2046 # several words on purpose
	run_job --size=256k --rw=randrw --ioengine=libaio --iodepth=4 --direct=0 \
		$(echo "$options" | tr ',' ' ')
	expect_ok "$options"
done
rm -f job.*.*
refused nice=30 "nice: '30' is not in -20..19"
refused prio=9 'prio: 9 is not in 0..7'
refused numa_mem_policy=bind 'numa_mem_policy: bind needs nodes'
refused mem=ram "mem: 'ram' is not one of"
refused cpumask=0 'cpumask: a mask of 0 has no CPU'

run_job --size=256k --rw=write --gtod_reduce=1
[ "$(counts)" = '0,64,0,0 ' ] && ! grep -Eq '^ *(clat|lat|bw|iops)( |:)' out
ok 'gtod_reduce: no latency, no samples'
run_job --size=256k --rw=write --disable_clat=1
grep -q '^ *lat (' out && ! grep -q '^ *clat' out
ok 'disable_clat: lat is still there'

if is_root; then
	mkdir locked && chmod 755 locked
	run_job --directory=locked --size=64k --rw=write --create_on_open=1 --uid=65534 --gid=65534
	expect 4 'Permission denied' 'uid: files are opened with the rights of that user'
else
	skip 'uid: files are opened with the rights of that user' 'not root'
fi

full='--filename=/dev/full --size=64k --rw=write --ioengine=psync'
# shellcheck disable=SC2086 # several words on purpose
{
	run_job $full
	expect 4 'No space left on device' 'an error ends a job'
	run_job $full --continue_on_error=all
	expect 4 'No space left on device' 'continue_on_error: ENOSPC is not among the errors it means'
	run_job $full --ignore_error=,ENOSPC
	expect_ok 'ignore_error=,ENOSPC'
	[ "$(counts)" = '0,16,0,0 ' ] && grep -q 'errors *: total=16, first_error=28' out
	ok 'ignore_error: all I/Os are tried, errors are counted'
	run_job $full --ignore_error=,28 --ioengine=io_uring --iodepth=4
	expect_ok 'ignore_error with an asynchronous engine'
	[ "$(counts)" = '0,16,0,0 ' ]
	ok 'and it tries all of them, too'
}
refused ignore_error=ENOTHING "ignore_error: 'ENOTHING' is no error"
refused continue_on_error=some "'some' is not one of"

cat >exit.fio <<'JOB'
[global]
ioengine=null
size=1m
[first]
number_ios=20
thinktime=1ms
exitall
[endless]
time_based
runtime=1h
thinktime=1ms
[later]
stonewall
JOB
run_regio run --no-save exit.fio
expect_ok 'exitall ends its group'
[ "$(grep -c 'groupid=' out)" -eq 3 ] && grep -q 'total=256,0,0,0' out
ok 'exitall: what follows a stonewall runs'
sed 's/exitall/exitall\nexit_what=all/' exit.fio >exit-all.fio
run_regio run --no-save exit-all.fio
expect_ok 'exit_what=all'
! grep -q 'total=256,0,0,0' out
ok 'exit_what=all: nothing follows'
sed 's/exitall/exitall_on_error\nmax_latency=1ns/' exit.fio >exit-error.fio
run_regio run --no-save exit-error.fio
expect 4 'Connection timed out' 'exitall_on_error ends the others'

cat >wait.fio <<'JOB'
[global]
ioengine=null
size=1m
[second]
wait_for=first
exitall
[first]
number_ios=20
thinktime=1ms
JOB
run_regio run --no-save wait.fio
expect_ok 'wait_for'
grep -q 'total=20,0,0,0' out && grep -q 'total=256,0,0,0' out
ok 'wait_for: the second job did not end the first one, for it started later'
run_job --ioengine=null --size=1m --wait_for=nobody
expect 2 "wait_for: there is no job 'nobody'" 'wait_for: an unknown job'
run_job --ioengine=null --size=1m --wait_for=job
expect 2 "wait_for: 'job' waits for itself" 'wait_for: itself'
run_regio run --no-save --ioengine=null --size=1m --name=a --wait_for=b --name=b --wait_for=a
expect 2 'wait for each other' 'wait_for: a circle'

run_job --ioengine=null --size=1m --rate_iops=10 --rate_iops_min=1000 --runtime=20 --rate_cycle=200
expect 4 'less than the least rate' 'rate_iops_min: a job that is too slow fails'
run_job --ioengine=null --size=1g --time_based --runtime=1 --rate_iops=2000 --rate_process=poisson \
	--bssplit=4k/50:64k/50
ios=$(counts | cut -d, -f1)
[ "$ios" -gt 1500 ] && [ "$ios" -lt 2500 ]
ok 'rate_process=poisson: as many I/Os as the rate says'
run_job --ioengine=null --size=1m --thinktime=1ms --thinktime_iotime=1h
expect_ok 'thinktime_iotime: no pause before its time'

run_job --ioengine=null --size=1g --number_ios=300 --rate_iops=1000 --thinktime=50ms \
	--thinktime_blocks=100 --output-format=json
tr -d ' \n' <out | grep -q '"intended_ns":{"min":[0-9]*,"max":[0-9]\{8,\},'
ok 'rate: what should have started meanwhile is late by the pause'
run_job --ioengine=null --size=1m --output-format=json
! grep -q intended_ns out
ok 'without a rate there is no intended start'

run_job --filename=pattern --size=64k --rw=write --buffer_pattern='0xdeadbeef"ab"'
expect_ok 'buffer_pattern'
[ "$(head -c 12 pattern | od -An -tx1 | tr -d ' ')" = deadbeef6162deadbeef6162 ]
ok 'buffer_pattern is what the file has'

# what scripts ask of fio, under its name
ln -s "$REGIO" fio
case $(./fio --version) in
fio-3.*) true ;;
*) false ;;
esac
ok 'fio --version'
./fio --parse-only --terse-version=4 >out 2>err && [ ! -s out ] && [ ! -s err ]
ok 'fio --parse-only without a job'
./fio --parse-only --name=t --ioengine=pvsync2 --hipri=1 >out 2>err
ok 'fio --parse-only with an engine option'
./fio --cmdhelp=all | grep -q '^bssplit '
ok 'fio --cmdhelp=all begins lines with the option'
./fio --cmdhelp=zonemode | grep -q strided
ok 'fio --cmdhelp=zonemode names its values'
./fio --cmdhelp=zonemod >out 2>err
[ $? -eq 1 ] && grep -q "did you mean 'zonemode'" err
ok 'fio --cmdhelp of an unknown option'
./fio --enghelp | grep -q 'io_uring' && ./fio --enghelp=io_uring | grep -q '^fixedbufs '
ok 'fio --enghelp'
./fio -name=x -rw=write -size=64k -eta=never --eta-newline 5 --max-jobs=16 >out 2>err
[ $? -eq 0 ] && grep -q 'total=0,16,0,0' out
ok 'fio with single dashes and options about its progress line'
./fio --name=x --rw=write --size=64k --filename=/proc/x/y >out 2>err
[ $? -eq 1 ]
ok 'fio: a failure is 1'
printf '[a]\nrw=write\nsize=64k\nbs=8k\n[b]\nstonewall\n' >show.fio
[ "$(./fio --showcmd show.fio)" = \
	'fio --name=a --rw=write --size=64k --bs=8k --name=b --stonewall' ]
ok 'fio --showcmd'
./fio --warnings-fatal --parse-only --name=x --size=1m --time_based >out 2>err
[ $? -eq 1 ]
ok 'fio --warnings-fatal'
# ---- help ----
run_regio run aiol --help
grep -q -- '--requests' out && grep -q 'usage: regio run aiol' out && grep -q 'regio run --help' out
ok 'run aiol --help lists the options of aiol'
run_regio ab aiol --help
grep -q -- '--requests' out && grep -q 'regio ab --help' out
ok 'ab aiol --help too'
run_regio aiol --help
expect 2 "'aiol' is a workload: regio run aiol" 'aiol alone'
run_regio run --help
grep -q '^  aiol: .*regio run aiol --help' out
ok 'run --help names it'
run_regio vm --help
! grep -q -- '--seeds' out
ok 'vm --help has no option of ab'
mkdir bin
cat >bin/apt-cache <<'EOF'
#!/bin/sh
for release in 6.1.0-47-amd64 6.12.9-amd64 6.1.0-9-amd64 6.1.0-9-amd64-dbg 5.10.0-8-amd64; do
	echo "linux-image-$release - a kernel"
done
EOF
chmod +x bin/apt-cache
PATH=$PWD/bin:$PATH run_regio vm fetch list
printf '%s\n' 5.10.0-8-amd64 6.1.0-9-amd64 6.1.0-47-amd64 6.12.9-amd64 | cmp -s - out
ok 'vm fetch list: oldest first'
done_testing
