#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# External commands as workloads: what they print, how they end, what reaches them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

run_exec() {
	run_regio run --monitors=none "$@"
}

# has METRIC VALUE-REGEX
has() {
	grep -Eq "^$1 +$2\$" out
	ok "$1 is $2"
}

run_exec --exec 'echo ops 5 1/s; echo "lat: 3 ms" >&2'
expect_ok 'a command that prints values'
has ops_per_sec 5
has lat_ns 3.000ms
has time.elapsed_time '[0-9.]+[mun]?s'
has time.minor_page_faults '[0-9]+'
grep -q '^ops 5 1/s$' out
ok 'its output is shown'

run_exec --exec 'dd if=/dev/zero of=/dev/null bs=1M count=3000 2>/dev/null' --output-format=archive
if command -v python3 >/dev/null 2>&1; then
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
m = {row["name"]: row["value"] for row in r["monitored"]} if isinstance(r["monitored"], list) \
    and isinstance(r["monitored"][0], dict) else dict(r["monitored"])
assert m["time.user_time"] + m["time.system_time"] > 0, m
assert m["time.elapsed_time"] >= 0.5 * (m["time.user_time"] + m["time.system_time"]) / 2, m
assert r["command"].startswith("dd "), r["command"]
' out
	ok 'CPU time of the command, not of regio; the command stands in the result'
else
	skip 'CPU time of the command' 'python3 is not installed'
fi

run_exec --exec 'echo before; echo why >&2; exit 3'
expect 4 "command 'echo before; .*': exit status 3: why" 'an exit status is told, with the last line of stderr'
grep -q before out
ok 'the output of a failed command is kept'
# shellcheck disable=SC2016 # for the command
run_exec --exec 'kill -9 $$'
expect 4 'ended by signal 9 \(Killed\)' 'a signal is told'
run_exec --exec 'sleep 100' --exec-timeout=200ms
expect 4 'not finished after 200ms' 'a command that does not end is ended'
# shellcheck disable=SC2016 # for the command
run_exec --exec 'sleep 1000 & echo $! >left; echo speed 5 1/s'
[ "$status" -eq 0 ] && { ! kill -0 "$(cat left)" 2>/dev/null || grep -q '^State:[[:space:]]*Z' "/proc/$(cat left)/status"; }
ok 'what a command leaves behind ends with it'
run_exec --exec 'no-such-program-here'
expect 4 'exit status 127.*not found' 'a program that is not there'
run_exec --exec 'echo nothing of use'
[ "$status" -eq 0 ] && grep -q 'output-unknown\|printed no numbers' out
ok 'an output without numbers is no failure, but a note'

run_exec --exec ' '
expect 2 'there is no command' 'an empty command'
run_exec --exec true --readonly
expect 2 'readonly' '--readonly cannot be promised'
run_exec --exec true --section=x
expect 2 'section' 'a command has no sections'
run_exec --exec true job.fio
expect 2 "'job.fio'" 'a job beside a command'
run_exec --exec 'echo {job.bs} {queue.scheduler}' --set job.bs=4k
expect 2 "no setting 'queue.scheduler'" 'a placeholder without its setting'

# shellcheck disable=SC2016 # for the command
run_exec --set job.bs=4k --set job.x=1,job.x=2 --label=me --seed=7 --exec \
	'echo "a{bs}b{job.bs} {x} ${x} {print} $REGIO_JOB_BS $REGIO_LABEL $REGIO_SEED"'
grep -q '^a4kb4k 2  {print} 4k me 7$' out
ok 'placeholders, the last setting of a key, shell and awk braces, environment'
[ "$tap_status" -eq 0 ] || head -3 out | sed 's/^/# /'

run_regio ab --monitors=none --seed=3 --a job.rate=100 --b job.rate=80 \
	--exec 'echo done {rate} /s'
[ "$status" -eq 1 ] && grep -q 'done_per_sec of B against A.*regression: -20' out
ok 'ab: the first number that can be good or bad decides'
run_regio ab --monitors=none --max-pairs=5 --exec true
[ "$status" -ne 1 ] && grep -q 'time.elapsed_time of B' out
ok 'ab: time decides where nothing else is printed'
run_regio ab --monitors=none --max-pairs=5 --exec 'echo widgets 5; echo score 7'
expect 2 "printed 'widgets', 'score', and of none is known whether more is better: .*--metric=NAME and --better=higher" \
	'ab: numbers of which nobody knows which way they are good decide nothing'
run_regio ab --monitors=none --max-pairs=5 --better=more --exec 'echo score 7'
expect 2 "--better: 'more' is neither higher nor lower" 'ab: a word that --better does not know'
run_regio ab --monitors=none --seed=3 --a job.n=100 --b job.n=80 --better=higher --exec 'echo score {n}'
[ "$status" -eq 1 ] && grep -q '^score of B against A.*: regression: -20' out
ok 'ab: --better says which way'
run_regio ab --monitors=none --seed=3 --a job.n=100 --b job.n=80 --better=lower --exec 'echo widgets 5; echo score {n}' --metric=score
[ "$status" -eq 0 ] && grep -q '^score of B against A.*: improvement: -20' out
ok 'ab: of the one that is named'
run_regio ab --monitors=none --seed=3 --a job.n=100 --b job.n=80 --exec 'echo score {n}' --metric=score
[ "$status" -eq 10 ] && grep -q 'Whether score is good when it is higher is not known: --better' out
ok 'ab: lower is no verdict without'
run_regio ab --monitors=none --no-save --max-pairs=5 --exec 'echo lat 3 ms' --metric=lat
[ "$status" -eq 0 ] && grep -q '^lat_ns of B ' out
ok 'ab: a number under the name that the command gave it'
run_regio ab --monitors=none --no-save --max-pairs=5 --exec 'echo hit 97 %' --metric=hit_percent
grep -q '^hit_percent of B .* no difference >= 5 points: ' out
ok 'ab: percentages are compared in points'
printf 'old\nnew\n' >list
run_regio bisect --monitors=none --no-save --list=list --run='echo score 7'
expect 2 "printed 'score', and nothing tells whether more is better: .*--metric=NAME and --direction=lower" \
	'bisect: the same'
run_regio ab --monitors=none --better=lower --b job.s=1 --a job.s=0 --exec 'echo out; echo why {s} >&2; exit {s}'
expect 4 'side B failed 3 times; no comparison: .*exit status 1: why 1' 'ab: a side that always fails'
run_regio ab --monitors=none --b job.s=1 --a job.s=0 --exec '[ {s} = 0 ] || kill -9 $$' --no-save
expect 4 'side B failed 3 times; no comparison: .*ended by signal 9' 'ab: a side that is always killed'
cat >ng <<'EOF'
stress-ng: info:  [77] dispatching hogs: 1 aiol
stress-ng: metrc: [77] stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s CPU used per       RSS Max
stress-ng: metrc: [77]                           (secs)    (secs)    (secs)   (real time) (usr+sys time) instance (%)          (KB)
stress-ng: metrc: [77] aiol                1234      5.00      0.10      0.20       246.80        4113.33         6.00          2000
EOF
run_regio ab --monitors=none --max-pairs=5 --exec 'cat ng'
[ "$status" -ne 1 ] && grep -q '^aiol.ops_per_sec of B against A' out
ok 'ab: the rate of a stressor decides, not the time that it was told to run'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err | head -5

# ---- what cannot be undone ends the comparison, and stays for restore ----
run_regio ab --monitors=none --a job.s=0 --b 'cmd=true ::: echo cannot >&2; exit 3' --exec 'echo ops 5 1/s'
expect 4 "the machine is not as it was: cannot undo command 'true' by .*: exit status 3: cannot; kept in .*/journal/.*jsonl" \
	'ab: a change that cannot be undone'
[ "$(ls "$REGIO_STATE_DIR/journal" | wc -l)" -eq 1 ]
ok 'its journal is kept'
run_regio restore
expect 4 "cannot undo command 'true' by .*: exit status 3: cannot; kept in" 'restore tries again'
[ "$(cat out err | grep -c 'exit status 3')" -eq 1 ]
ok 'and says it once'
run_regio run --monitors=none --set 'cmd=true ::: exit 4' --exec 'echo ops 5 1/s' --no-save
expect 4 'the machine is not as it was' 'run: the same'
grep -q '^ops_per_sec' out
ok 'what was measured is shown'
rm -f "$REGIO_STATE_DIR"/journal/*
echo damaged >"$REGIO_STATE_DIR/journal/1-damage.jsonl"
chmod 600 "$REGIO_STATE_DIR/journal/1-damage.jsonl"
run_regio restore
expect 3 'undo journal .* is damaged' 'restore: a damaged journal'
[ "$(cat out err | grep -c 'is damaged')" -eq 1 ]
ok 'that is told once, too'
cp -p "$REGIO_STATE_DIR/journal/1-damage.jsonl" "$REGIO_STATE_DIR/journal/2-damage.jsonl"
run_regio restore
expect 3 'is damaged.*; and 1 more journals like it' 'restore: two of them'
rm -f "$REGIO_STATE_DIR"/journal/*

# ---- kill -9 of regio ends the command and what that has started ----
for command in ab run; do
	"$REGIO" $command --monitors=none --no-save --exec "sleep 1000 & echo \$! >$tmp/sleeper; sleep 1001" \
		>/dev/null 2>&1 &
	pid=$!
	waited=0
	until [ -s sleeper ] || [ $waited -gt 200 ]; do
		sleep 0.05
		waited=$((waited + 1))
	done
	sleeper=$(cat sleeper)
	kill -0 "$sleeper"
	ok "$command: the command runs"
	kill -KILL $pid
	wait $pid 2>/dev/null
	waited=0
	# dead, or not fetched yet by its new parent
	while grep -qs '^State:.[^Z]' "/proc/$sleeper/status" && [ $waited -lt 200 ]; do
		sleep 0.05
		waited=$((waited + 1))
	done
	[ $waited -lt 200 ]
	ok "$command: kill -9 of regio ends it"
	rm sleeper
done

if command -v fio >/dev/null 2>&1; then
	run_exec --exec 'fio --name=a --rw=randread --ioengine=null --size=1m --output-format=json'
	[ "$status" -eq 0 ] && grep -Eq '^read.total_ios +256$' out
	ok "fio's JSON is understood"
	run_exec --exec 'fio --name=a --rw=randread --ioengine=null --size=1m'
	[ "$status" -eq 0 ] && grep -Eq '^read.total_ios +256$' out
	ok "fio's text is understood"
	fio --name=a --rw=randread --ioengine=null --size=1m --output-format=json >whole
	head -c 900 whole >cut
	run_exec --exec 'cat cut'
	[ "$status" -ne 0 ] || grep -q 'note:' out
	ok 'a cut output does not pass in silence'
	run_exec --exec 'cat whole; sed s/256/255/ whole'
	expect 4 'printed 2 results' 'two results in one output are refused'
else
	skip "fio's output is understood" 'fio is not installed'
fi
if command -v stress-ng >/dev/null 2>&1; then
	run_exec --exec 'stress-ng --null 1 --null-ops 1000 --metrics'
	[ "$status" -eq 0 ] && grep -Eq '^null.ops +1000$' out
	ok "stress-ng's metrics are understood"
else
	skip "stress-ng's metrics are understood" 'stress-ng is not installed'
fi
done_testing
