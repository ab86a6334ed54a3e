#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio import: what is found, what is stored, and that nothing is stored by half.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
data=${REGIO_SOURCE_ROOT:?}/tests/data/compare
cd "$tmp" || exit 1
cp "$data/two-kernels.txt" mail.txt
cp "$data/runs-base.json" base.json

# count SQL: one number out of the store
count() {
	sqlite3 "$REGIO_STORE" "$1"
}
have_sqlite=
command -v sqlite3 >/dev/null 2>&1 && have_sqlite=1

# stored N DESCRIPTION
stored() {
	if [ -z "$have_sqlite" ]; then
		skip "$2" 'sqlite3 is not installed'
		return
	fi
	[ "$(count 'SELECT count(*) FROM run')" -eq "$1" ]
	ok "$2"
}

# ---- what is shown ----

run_regio import --dry-run mail.txt
expect_ok 'a mail with two outputs'
grep -Eq '^mail.txt:11 .*fio 3.33 .*after the throttling change .*write 3731 IOPS' out
ok 'place, program, label and numbers of the first'
grep -Eq '^mail.txt:51 .*with the change reverted .*write 4985 IOPS, write 623 MiB/s' out
ok 'and of the second'
[ ! -e "$REGIO_STORE" ]
ok '--dry-run makes no store'

run_regio import --dry-run base.json
grep -Eq '^base.json:1 .* 8 +write 19[0-9.]+ \.\. 20[0-9.]+ IOPS' out
ok 'eight runs are one line'

# ---- what is stored ----

run_regio import mail.txt
[ "$status" -eq 0 ] && grep -q '2 results stored' out
ok 'two results are stored'
stored 2 'they are in the store'
run_regio import mail.txt
[ "$status" -eq 0 ] && grep -q '2 results are in the store already, the first one as run 1' out
ok 'the second time it says that they are there'
stored 2 'and stores nothing'
run_regio import --again mail.txt
[ "$status" -eq 0 ] && grep -q '2 results stored' out
ok '--again does'
run_regio import --label=mine mail.txt
[ "$status" -eq 0 ] && [ "$(grep -c ' mine ' out)" -ge 1 ]
ok '--label is the label of all'
"$REGIO" import - <base.json >out 2>err
ok 'standard input'
grep -q '^stdin:1 ' out
ok 'is called stdin'

# ---- JSON, and the way back out of the store ----

run_regio import --json --dry-run mail.txt
expect_ok '--json'
if command -v python3 >/dev/null 2>&1; then
	cat >check.py <<'EOF'
import json, sys
d = json.load(open("out"))
assert d["schema"] == "regio.import" and d["version"] == 1
first, second = d["results"]
assert first["label"] == "after the throttling change"
assert first["tool"] == "fio" and first["tool_version"] == "3.33"
assert first["source"] == {"file": "mail.txt", "line": 11}
assert first["jobs"][0]["name"] == "job" and first["jobs"][0]["error"] == 0
assert first["metrics"]["write.iops"] == 3731
assert first["metrics"]["write.bw_bytes_per_sec"] == 466 * 1048576
assert first["jobs"][0]["metrics"]["write.iops"] == 3731
assert first["notes"] == [] or "id" in first["notes"][0]
EOF
	python3 check.py
	ok '--json: schema, source, jobs, metrics'
	"$REGIO" compare --json 'with the change reverted' mine >stored.json 2>/dev/null
	"$REGIO" compare --json mail.txt >direct.json 2>/dev/null
	cat >check.py <<'EOF'
import json
direct = json.load(open("direct.json"))
stored = json.load(open("stored.json"))
bases = [{m["metric"]: m["base"]["values"] for m in d["metrics"]} for d in (direct, stored)]
for metric, values in bases[0].items():
    assert bases[1][metric] == values, metric
EOF
	python3 check.py
	ok 'a stored result has the numbers of the file, to the last digit'
else
	skip '--json: schema, source, jobs, metrics' 'python3 is not installed'
	skip 'a stored result has the numbers of the file, to the last digit' 'python3 is not installed'
fi

# ---- nothing by half ----

rm -f "$REGIO_STORE"*
printf 'nothing of interest\n' >prose.txt
run_regio import mail.txt prose.txt
expect 3 'prose.txt:1: no result' 'a second file without results'
stored 0 'then the first one is not stored either'
for format in json archive normal; do
	run_regio import mail.txt prose.txt --output-format=$format --output=here
	[ "$status" -eq 3 ] && [ ! -s out ] && [ ! -s here ]
	ok "nor printed by half as $format, to a file"
	run_regio import mail.txt prose.txt --output-format=$format
	[ "$status" -eq 3 ] && [ ! -s out ]
	ok 'nor to stdout'
done
run_regio import mail.txt --output-format=archive --output=here --dry-run
[ "$status" -eq 0 ] && grep -q 3.33 here
ok 'what is whole is printed'
run_regio import mail.txt --output-format=archive --output=/dev/full --dry-run
expect 4 '/dev/full.*No space left' 'what cannot be printed is told'
head -c 4096 /dev/urandom >binary
run_regio import binary
expect 3 'binary:[0-9]+: ' 'binary data'
: >empty
run_regio import empty
expect 3 'empty:1: ' 'an empty file'
run_regio import missing.txt
expect 4 'missing.txt.*No such file' 'a missing file'
run_regio import "$tmp"
expect 3 "$tmp: is a directory" 'a directory'
head -c 10000000 /dev/zero | tr '\0' x >long
run_regio import long
expect 3 'long:1: ' 'a line of 10 MB'
run_regio import
expect 2 'no file given' 'no file'
run_regio import --from=fio-txt mail.txt
expect 2 "unknown format 'fio-txt', did you mean 'fio-text'" 'mistyped format'
run_regio import --from=stress-ng mail.txt
expect 3 'no result' 'a format that is not there'
stored 0 'all of that stored nothing'
run_regio import --from=help
grep -q '^fio-json ' out
ok '--from=help lists the formats'
done_testing
