#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Notes from the run to the store: a clean run has none, one with a doubt says so everywhere.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

# quiet_job ARGS..: 5 million I/Os to nowhere, enough for every percentile
quiet_job() {
	run_regio run --name=job --ioengine=null --size=20g --bs=4k --rw=read --progress=never "$@"
}
has() {
	grep -q "\"id\": *\"$1\"" out
}

"$REGIO" --list-notes >out
[ "$(wc -l <out)" -gt 40 ] && grep -q "^page-cache$(printf '\t')" out &&
	awk -F '\t' 'NF != 3 || $1 !~ /^[a-z-]+$/ || $3 == "" { exit 1 }' out
ok 'the list of notes has a name, a reason and an advice in each line'

# the machine of the test may be short of CPU time or memory: that is told, too
quiet_job --output-format=archive --no-save
expect_ok 'a clean run'
for note in other-io page-cache writes-in-memory small-region shared-device filesystem-full \
	odd-device few-ios monitor-cost unwatched not-independent; do
	! has "$note"
	ok "it has no note $note"
done

quiet_job --output-format=archive --no-save --monitors=none
has unwatched && grep -q 'warning: nothing watched for: stolen CPU time, paging, other I/O' err
ok 'without monitors nobody can tell'

# at a terminal, where both streams are read together
if command -v script >/dev/null 2>&1; then
	script -qec "$REGIO run --name=job --ioengine=null --size=1m --rw=read --no-save --monitors=none" \
		/dev/null >both 2>&1 </dev/null
	[ "$(grep -c 'nothing watched for' both)" -eq 1 ]
	ok 'a terminal shows a note once'
else
	skip 'a terminal shows a note once' 'script is not installed'
fi

# in a log, too
"$REGIO" run --name=job --ioengine=null --size=1m --rw=read --no-save --monitors=none >both 2>&1
[ "$(grep -c 'nothing watched for' both)" -eq 1 ]
ok 'so does a file that gets both streams'
"$REGIO" run --name=job --ioengine=null --size=1m --rw=read --no-save --monitors=none 2>&1 | cat >both
[ "$(grep -c 'nothing watched for' both)" -eq 1 ]
ok 'and a pipe'

run_regio run --name=job --ioengine=null --size=1m --rw=randread --progress=never --label=short \
	--output-format=archive
has few-ios && grep -q "256 reads of job 'job' say nothing of p90 and above" out
ok 'a short run says nothing of its high percentiles'
! grep -q 'say nothing of' err
ok 'which is told with the percentiles, and not beside them'
sqlite3 "$REGIO_STORE" "SELECT text FROM note WHERE kind = 'few-ios'" >stored 2>sql_err ||
	echo "# $(cat sql_err)"
if command -v sqlite3 >/dev/null; then
	grep -q '^256 reads of job' stored
	ok 'the note is stored with the result'
else
	skip 'the note is stored with the result' 'no sqlite3'
fi

run_regio ab --name=job --ioengine=null --size=1m --rw=randread --monitors=none --progress=never \
	--max-pairs=5 --no-save
grep -q '^note: 10 of 10 runs (A 5, B 5), in the first of them: nothing watched for' out
ok 'a comparison tells it once, with the number of runs of each side'
run_regio ab --name=job --ioengine=null --size=1m --rw=randread --monitors=none --progress=never \
	--max-pairs=5 --no-save --json
[ "$(grep -c '"id": "unwatched"' out)" -eq 1 ]
ok 'also in JSON'

for i in 1 2 3; do
	run_regio run --name=job --ioengine=null --size="$((i + 1))m" --rw=randread --progress=never \
		--label=a
	run_regio run --name=job --ioengine=null --size="$((i + 1))m" --rw=randread --progress=never \
		--label=b
done
run_regio compare a b --format=markdown
! grep -q few-ios out && ! grep -q 'reads of .* say nothing' out
ok 'few I/Os are no matter for a comparison, which leaves such percentiles out'

# Needs a disk under the folder; most containers have one, tmpfs has not.
run_regio run --name=job --filename=file --size=16m --rw=write --bs=64k --progress=never --no-save \
	--output-format=archive
if grep -q '"disks": *\[\]' out; then
	skip 'writes that are in memory' 'no disk under the folder'
	skip 'reads from the page cache' 'no disk under the folder'
	skip 'direct I/O comes to the disk' 'no disk under the folder'
else
	has writes-in-memory
	ok 'writes that are in memory'
	run_regio run --name=job --filename=file --size=16m --rw=read --bs=64k --progress=never \
		--no-save --output-format=archive --loops=20 --invalidate=0
	has page-cache
	ok 'reads from the page cache'
	run_regio run --name=job --filename=file --size=16m --rw=read --bs=64k --progress=never \
		--no-save --output-format=archive --loops=5 --direct=1
	{ ! has page-cache && ! has writes-in-memory; } || [ "$status" -ne 0 ]
	ok 'direct I/O comes to the disk'
fi
run_regio run --name=job --filename=file --size=16m --rw=rw --bs=64k --progress=never --no-save \
	--output-format=archive --ioengine=null
{ ! has page-cache && ! has writes-in-memory; } && [ "$status" -eq 0 ]
ok 'the null engine has nothing to do with disks and caches'

done_testing
