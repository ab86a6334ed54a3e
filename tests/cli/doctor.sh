#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio doctor: verdict, exit status and numbers agree; it leaves nothing behind.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

null_job() {
	run_regio doctor --name=n --ioengine=null --size=1g --rw=randread --progress=never "$@"
}

# The noise of the machine of the test decides the verdict: with this it is always too noisy, or
# never.
null_job --time=5s --pairs=5 --min-effect=0.001% --json
[ "$status" -eq 1 ]
ok 'unfit is exit status 1'
python3 - <<'END'
import json, math
doc = json.load(open('out'))
assert doc['schema'] == 'regio.doctor' and doc['version'] == 1, doc
assert doc['fit'] is False and 'noise' in doc['reasons'], doc['reasons']
assert doc['metric'] == 'read.iops' and doc['effects_in'] == 'percent'
assert len(doc['a']) == len(doc['b']) == doc['pairs'] == 5
if not doc['paired']:
    logs = [math.log(value) for value in doc['a'] + doc['b']]
    steps = sorted(abs(x - y) for i, x in enumerate(logs) for y in logs[:i])
    middle = (steps[len(steps) // 2] + steps[(len(steps) - 1) // 2]) / 2
    assert math.isclose(doc['spread'], 104.83 * middle, rel_tol=1e-6), (doc['spread'], middle)
assert [row['pairs'] for row in doc['comparisons']] == [10, 30, 60]
for row in doc['comparisons']:
    expected = 100 * -math.expm1(-1.05 * doc['spread'] / 100 * math.sqrt(25 / row['pairs']))
    assert math.isclose(row['finds'], expected, rel_tol=1e-9), row
    assert row['rules_out'] > row['finds'] and row['seconds'] > 0
assert doc['advice']
END
ok 'the JSON form: what it promises follows from the runs'

null_job --time=5s --pairs=5 --min-effect=99.9%
! grep -q 'Too noisy' out && grep -q '^ *30 ' out && grep -q '^What would help most: ' out
ok 'the report has a table and one advice'
{ [ "$status" -eq 0 ] && head -n 1 out | grep -q ': fit to measure'; } ||
	{ [ "$status" -eq 1 ] && head -n 1 out | grep -q ': not fit' && grep -q '^Not clean: ' out; }
ok 'the first line is the verdict, and a reason stands below if it is bad'

mkdir folder
run_regio doctor folder --time=25s --pairs=5 --progress=never --json
[ "$status" -le 1 ] && grep -q '"subject": "folder"' out
ok 'a folder'
[ -z "$(ls -A folder)" ] && [ ! -e "$REGIO_STORE" ]
ok 'nothing is left there, and nothing was stored'

"$REGIO" doctor folder --time=60s --progress=never >out 2>err &
pid=$!
for _ in $(seq 100); do
	[ -n "$(ls -A folder)" ] && break
	sleep 0.1
done
sleep 1
kill -INT "$pid"
wait "$pid"
[ $? -eq 7 ] && grep -q 'error: interrupted after 0 pairs' err && [ -z "$(ls -A folder)" ]
ok 'nor after a signal'

"$REGIO" doctor folder --time=60s --progress=never >out 2>err &
pid=$!
for _ in $(seq 100); do
	[ -n "$(ls -A folder)" ] && break
	sleep 0.1
done
kill -KILL "$pid"
wait "$pid" 2>wait_err
[ -n "$(ls -A folder)" ] && run_regio restore && [ -z "$(ls -A folder)" ] &&
	grep -q 'the file of regio doctor' out
ok 'what a killed doctor left is taken away by restore'

run_regio doctor --time=4s
expect 2 '--time: less than 5 s' 'too little time is refused'
run_regio doctor --pairs=4
expect 2 '--pairs: 4 is not in 5..60' 'too few pairs are refused'
run_regio doctor --min-effect=0
expect 2 '--min-effect: 0 % is not between' 'an effect of nothing is refused'
run_regio doctor nothing-here
expect 4 "'nothing-here': No such file" 'a path that does not exist'
run_regio doctor --nonsense=1 --name=x
expect 2 'nonsense' 'an unknown job option'
null_job --metric=nonsense --time=5s --pairs=5
expect 2 "unknown metric 'nonsense'" 'an unknown metric'
printf '[w]\nrw=write\nsize=1m\n' >writes.fio
run_regio doctor writes.fio --readonly
expect 2 'readonly' 'a job that writes, but must not'
run_regio doctor --help
expect_ok 'help'
grep -q 'DEVICE | FOLDER | JOB' out
ok 'it says what may be examined'

done_testing
