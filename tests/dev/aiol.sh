#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# aiol: the system calls of stress-ng --aiol, its counting, and what regio adds to it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

# pattern TRACE: of each io_submit the operation, offsets, sizes and number of descriptors
pattern() {
	python3 - "$1" <<'EOF'
import re, sys
for line in open(sys.argv[1]):
    if 'io_submit(' not in line:
        continue
    one = r'aio_lio_opcode=IOCB_CMD_(\w+), aio_fildes=(\d+)(.*?)(?=, \{aio_data|\]\))'
    blocks = re.findall(one, line)
    number = lambda key, text: (re.search(key + r'=(\d+)', text) or [None, '-'])[1]
    fds = len({fd for _, fd, _ in blocks})
    print(fds, *(f'{op}@{number("aio_offset", rest)}+{number("aio_nbytes", rest)}'
                 f'{re.findall("iov_len=([0-9]+)", rest)}' for op, _, rest in blocks))
EOF
}

# trace FILE COMMAND..
trace() {
	trace_file=$1
	shift
	strace -f -s 16 -o "$trace_file" -e trace=io_submit "$@" >"$tmp/out" 2>"$tmp/err"
}

value() {
	sed -n "s/^$1  *\([0-9.]*\).*/\1/p" "$tmp/out"
}

mkdir "$tmp/files"
if ! (cd "$tmp/files" && "$REGIO" run aiol --requests 1 --ops 6 --no-save --monitors none >"$tmp/out" 2>&1); then
	echo '1..0 # SKIP no asynchronous I/O here'
	exit 0
fi

if ! command -v strace >/dev/null || ! strace -o "$tmp/t" true 2>/dev/null; then
	skip 'system calls' 'strace is missing or not allowed'
else
	if command -v stress-ng >/dev/null; then
		# 786 operations are 131 loops: the calls that must fail, of loop 127, too
		trace "$tmp/theirs" stress-ng --no-rand-seed --aiol 1 --aiol-requests 3 --aiol-ops 786 \
			--temp-path "$tmp/files" --timeout 60
		trace "$tmp/ours" "$REGIO" run aiol --like-stress-ng --requests 3 --ops 786 \
			--directory "$tmp/files" --timeout 60s --no-save --monitors none
		pattern "$tmp/theirs" >"$tmp/theirs.pattern"
		pattern "$tmp/ours" >"$tmp/ours.pattern"
		# its generator also depends on the number of waits: the first two windows do not
		head -n 10 "$tmp/theirs.pattern" >"$tmp/theirs.head"
		head -n 10 "$tmp/ours.pattern" | cmp -s - "$tmp/theirs.head"
		ok 'the first two loops are the calls of stress-ng: operations, offsets, sizes, descriptors'
		# of all others the place within the window
		for side in theirs ours; do
			python3 - "$tmp/$side.pattern" <<'EOF' >"$tmp/$side.relative"
import re, sys
for line in open(sys.argv[1]):
    base = None
    def relative(found):
        global base
        base = int(found[1]) if base is None else base
        return '@%d' % (int(found[1]) - base)
    print(re.sub(r'@(\d+)', relative, line), end='')
EOF
		done
		[ "$(wc -l <"$tmp/ours.relative")" -gt 600 ] && cmp -s "$tmp/theirs.relative" "$tmp/ours.relative"
		ok 'so are 131 loops, but for where the windows lie'
	else
		skip 'the calls of stress-ng' 'stress-ng is missing'
	fi
	for seed in 5 5 6; do
		trace "$tmp/seed" "$REGIO" run aiol --requests 4 --ops 120 --directory "$tmp/files" \
			--seed $seed --no-save --monitors none
		pattern "$tmp/seed" | cksum
	done >"$tmp/sums"
	[ "$(sed -n 1p "$tmp/sums")" = "$(sed -n 2p "$tmp/sums")" ]
	ok 'the same seed gives the same offsets'
	[ "$(sed -n 1p "$tmp/sums")" != "$(sed -n 3p "$tmp/sums")" ]
	ok 'another seed gives others'
	! pattern "$tmp/seed" | grep -q POLL
	ok 'without --like-stress-ng there are no calls that must fail'
fi

run_regio run aiol --requests 16 --instances 2 --ops 120 --directory "$tmp/files" --no-save --monitors none
expect_ok 'a run'
[ "$(value aiol.ops)" = 120 ] && [ "$(value aiol.loops)" = 20 ] && [ "$(value aiol.batches)" = 80 ]
ok '6 operations and 4 batches a loop'
[ "$(value 'aiol.async_I\/O_events_completed')" = 1280 ] && [ "$(value total.total_ios)" = 1280 ]
ok 'every completion is an I/O that was counted'
run_regio run aiol --set job.requests=8 --ops 60 --directory "$tmp/files" --output-format=archive --no-save
python3 -c "import json, sys
result = json.load(open('$tmp/out'))
options = [dict(job['options']) for job in result['jobs']]
sys.exit([o['requests'] for o in options] != ['8'] * 4 or not result['workload'].startswith('aiol --ops'))"
ok 'a job setting is an option; the result says what was run'
[ -z "$(ls -A "$tmp/files")" ]
ok 'no file is left'

"$REGIO" run aiol --timeout 60s --instances 2 --directory "$tmp/files" --no-save >"$tmp/out" 2>"$tmp/err" &
pid=$!
sleep 1
kill -INT $pid
wait $pid
[ $? -eq 7 ] && grep -q '^aiol.ops ' "$tmp/out"
ok 'SIGINT ends it with what was measured'
"$REGIO" run aiol --timeout 60s --instances 2 --directory "$tmp/files" --no-save >"$tmp/out" 2>"$tmp/err" &
pid=$!
sleep 1
children=$(pgrep -P $pid | tr '\n' ' ')
kill -KILL $pid
wait $pid 2>/dev/null
waited=0
# shellcheck disable=SC2086 # several words on purpose
while kill -0 $children 2>/dev/null && [ $waited -lt 50 ]; do
	sleep 0.1
	waited=$((waited + 1))
done
# shellcheck disable=SC2086
[ -n "$children" ] && ! kill -0 $children 2>/dev/null
ok 'after kill -9 no process goes on'

run_regio run aiol --directory "$tmp/nosuch" --no-save
expect 4 "create a file in '$tmp/nosuch': No such file" 'a folder that is not there'
run_regio run aiol --directory /proc --timeout 1s --no-save
[ "$status" -ne 0 ]
ok 'a folder where no file can be'
run_regio run aiol --requests 5000
expect 2 'requests: 5000 is not 1 to 4096' 'too many requests'
run_regio run aiol --sync
expect 2 "aiol: unknown option '--sync'" 'an option that it does not have'
if is_root && command -v mkfs.ext4 >/dev/null; then
	run_regio run aiol --stack loop:32M:sparse=on,ext4 --ops 12000 --timeout 60s --no-save --monitors none
	expect 4 'No space left on device' 'a full device'
	run_regio run aiol --stack loop:32M
	expect 2 'needs a filesystem' 'a stack without a filesystem'
else
	skip 'a full device' 'needs root and mkfs.ext4'
fi
done_testing
