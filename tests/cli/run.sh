#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio run: jobs on temporary files, its output, its exit status, the store.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

# field FILTER: from the archive JSON in $tmp/out
counts() {
	sed -n 's/^ *issued rwts: total=\([0-9,]*\).*/\1/p' "$tmp/out"
}

run_regio --version
expect_ok 'version'
grep -Eq '^regio-[0-9]+\.[0-9]+' out
ok 'version has the form regio-X.Y'
run_regio --help
expect_ok 'help'
for command in $("$REGIO" --list-commands); do
	run_regio "$command" --help
	expect_ok "$command --help"
	"$REGIO" --list-options "$command" | while read -r option; do
		grep -q -- "$option" out || echo "$option" >>missing
	done
	[ ! -e missing ]
	ok "$command --help shows every option that completion offers"
done

run_regio --name=x --rw=write --bs=4k --size=1m --filename=f
expect_ok 'a write job as fio would take it'
[ "$(stat -c %s f)" -eq 1048576 ] && [ "$(counts)" = 0,256,0,0 ]
ok 'wrote 256 blocks of 4 KiB'
grep -q '^  write: IOPS=' out && grep -q '^Run status group 0 (all jobs):' out
ok "output in fio's form"

cat >two.fio <<'JOB'
[global]
size=1m
bs=16k
[job]
filename=f
rw=read
[job]
filename=g
rw=write
fsync=8
JOB
run_regio run two.fio
expect_ok 'two sections of one name'
[ "$(grep -c '^job: (groupid=0' out)" -eq 2 ]
ok 'both are reported as job'
[ "$(counts | sort | tr '\n' ' ')" = '0,64,0,8 64,0,0,0 ' ]
ok 'fsync after every eighth write, counted apart'

run_regio run two.fio --size=256k
[ "$(counts | sort | tr '\n' ' ')" = '0,16,0,2 16,0,0,0 ' ]
ok 'an option of the command line wins over the file'
run_regio run two.fio --size=256k --fio-strict
[ "$(counts | sort | tr '\n' ' ')" = '0,64,0,8 64,0,0,0 ' ]
ok 'with --fio-strict the file wins'
run_regio run two.fio --set job.size=512k
[ "$(counts | sort | tr '\n' ' ')" = '0,32,0,4 32,0,0,0 ' ]
ok 'a setting job.size wins over everything'

run_regio --name=x --rw=randread --ioengine=sync --iodepth=32 --size=1m --filename=f
expect_ok 'iodepth with a synchronous engine runs'
grep -q 'warning:.*iodepth' err
ok 'and warns'

run_regio run two.fio --output-format=archive
expect_ok 'archive format'
grep -q '"schema": *"regio.result"' out
ok 'archive names its schema'

run_regio --name=x --rw=randread --ioengine=null --size=1g --number_ios=1000 --repeat=3
expect_ok 'repeat'
[ "$(grep -c '^  read: IOPS' out)" -eq 3 ]
ok 'three results'
if command -v sqlite3 >/dev/null 2>&1; then
	[ "$(sqlite3 "$REGIO_STORE" 'PRAGMA integrity_check')" = ok ]
	ok 'the store is whole'
	[ "$(sqlite3 "$REGIO_STORE" 'SELECT count(*) FROM run')" -ge 9 ]
	ok 'every result is in the store'
else
	skip 'the store is whole' 'sqlite3 is not installed'
fi
rm -f "$REGIO_STORE"
run_regio --name=x --rw=randread --ioengine=null --size=1m --no-save
[ ! -e "$REGIO_STORE" ]
ok '--no-save leaves no store'

"$REGIO" --name=x --rw=randread --ioengine=null --size=1m --time_based --runtime=60 >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
[ $? -eq 7 ]
ok 'SIGINT ends a run with status 7'
grep -q '^  read: IOPS=' out && grep -q interrupted err
ok 'and the partial result is printed'

nohup "$REGIO" --no-save --name=x --ioengine=null --rw=randread --size=1m --time_based --runtime=2 \
	>alive 2>err </dev/null &
pid=$!
waited=0
while ! grep -q '^Starting' alive 2>/dev/null && [ $waited -lt 100 ]; do
	sleep 0.1
	waited=$((waited + 1))
done
kill -HUP $pid
wait $pid
ok 'under nohup a run survives SIGHUP'
run_regio run --name=x --ioengine=null --rw=read --size=64k --repeat=2 --json
expect_ok 'run --json'
[ "$(grep -c '"schema": "regio.import"' out)" -eq 1 ] && [ "$(grep -c '"label"' out)" -eq 2 ] &&
	{ ! command -v python3 >/dev/null || python3 -m json.tool <out >/dev/null; }
ok 'is one document with both results'
status=0
"$REGIO" run --no-save --name=x --ioengine=null --rw=read --size=64k --write_lat_log=closed >&- 2>&- || status=$?
[ "$status" -eq 4 ] && [ "$(wc -l <closed_lat.1.log)" -eq 16 ] && ! cat closed_*.log | grep -qv '^[0-9, ]*$'
ok 'closed standard files: status 4, and nothing printed into a log'
(
	ulimit -f 0
	"$REGIO" --list-notes >small 2>/dev/null
)
[ $? -eq 4 ]
ok 'output beyond the limit of a file is an error, no signal'
run_regio run --name=x --ioengine=null --rw=read --size=64k --json --output-format=terse
expect 2 'one of them' '--json with another form'
done_testing
