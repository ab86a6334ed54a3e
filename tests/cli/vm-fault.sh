#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What goes wrong with guests from outside: one clear line, no QEMU left behind, no file.
# shellcheck source=tests/cli/vm-lib.sh
. "$(dirname "$0")/vm-lib.sh"
mkdir own

# leaves_nothing WHAT: neither QEMU nor a file
leaves_nothing() {
	guest_is_gone
	ok "$1: no QEMU is left"
	[ -z "$(ls own)" ]
	ok "$1: no file is left"
}

# end_of_victim: as expect() wants it
end_of_victim() {
	status=0
	wait "$victim" || status=$?
}

# Two at once, beside what a killed process left, and none of them finds the kernel unpacked.
mkdir -p "$XDG_CACHE_HOME/regio/kernels/0123.part/tree"
# And a kernel of long ago, beside which nothing has room.
ancient=$XDG_CACHE_HOME/regio/kernels/0123456789abcdef0123456789abcdef
mkdir "$ancient"
echo 2.6.32 >"$ancient/info"
touch -d 2010-01-01 "$ancient"
export REGIO_KERNEL_CACHE_MAX=1
TMPDIR=$tmp/own "$REGIO" vm boot --time=virtual "$old" >first.out 2>first.err &
TMPDIR=$tmp/own "$REGIO" vm boot --time=virtual "$old" >second.out 2>second.err &&
	wait "$!"
ok 'two at once boot one kernel that both would unpack'
run_regio vm cache --json
[ "$(grep -c '"hash":' out)" -eq 1 ] && ! find "$XDG_CACHE_HOME" -name '*.part' | grep -q .
ok 'and it is in the cache once, alone'
unset REGIO_KERNEL_CACHE_MAX
[ -z "$(ls own)" ]
ok 'nothing else is left'

start_victim
kill -INT "$victim"
end_of_victim
expect 7 'interrupted' 'Ctrl-C while a guest runs'
grep -q "warning: job 'j' runs for 10h00m of a guest's virtual time, .*; bound it by number_ios" err
ok 'a job that runs for a time is told to take long in virtual time'
leaves_nothing 'Ctrl-C'

start_victim
kill -9 "$victim"
wait "$victim" 2>/dev/null
leaves_nothing 'kill -9'

start_victim
kill -9 "$guest_pid"
end_of_victim
expect 4 'QEMU was ended by signal 9' 'a killed QEMU'
leaves_nothing 'a killed QEMU'

start_victim --vm-timeout=2s
end_of_victim
expect 4 'the guest did not end in time; its console: ' 'a guest that does not end'
leaves_nothing 'the time limit'

guest run --set "kernel=$old" --stack brd:1G --vm-memory=128 --name=j --rw=write --bs=1m --no-save
expect 4 'the guest ran out of memory: 128 MiB, give more by --vm-memory; its console: ' 'no memory left'

# A cache without room: a filesystem of its own.
if is_root && mkdir full && mount -t tmpfs -o size=4m regio-test full 2>/dev/null; then
	trap 'umount "$tmp/full" 2>/dev/null; cleanup' EXIT
	XDG_CACHE_HOME=$tmp/full
	run_regio vm boot --time=virtual "$old"
	expect 4 'No space left on device' 'no room for the unpacked kernel'
	[ -z "$(find full -type f -size +0)" ]
	ok 'of which nothing is left'
	XDG_CACHE_HOME=$tmp/cache
	umount full
else
	skip 'a full cache' 'needs root and tmpfs'
fi
done_testing
