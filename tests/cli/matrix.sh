#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio matrix on commands and the null engine: plans, order, answers, budgets, going on.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

# The value is a function of the factors alone: only fs=b with scheduler=y loses 30 % on side 2.
cat >cell.sh <<'EOF'
value=1000
[ "$1" = c ] && value=700
[ "$1$2$3" = by2 ] && value=700
echo "x$1$2$3" >>"$LOG"
echo "speed $value 1/s"
EOF
cat >plan.yaml <<'EOF'
name: planted
cmd: sh cell.sh {f} {s} {side}
factors:
  f: [a, b, c]
  s: [x, y]
  side: [1, 2]
compare: {side: 1}
repeats: 6
warmup: 0
seed: 5
EOF
LOG=$tmp/log
export LOG
run_matrix() {
	run_regio matrix --monitors=none "$@"
}

: >log
run_matrix plan.yaml
[ "$status" -eq 1 ]
ok 'a planted regression: exit status 1'
grep -q 'speed_per_sec of side=2 against side=1: regression with .*f b.* (-30.0 %' out &&
	grep -q 'regression with .*s y' out
ok 'the sentence names the combination'
[ "$(grep -c regression out)" -eq 3 ] && [ "$(grep -c 'no difference' out)" -ge 5 ]
ok 'and no other: sentence, grid and table name it once each'
[ "$(wc -l <log)" -eq 72 ] && [ "$(sort log | uniq -c | awk '$1 != 6' | wc -l)" -eq 0 ]
ok 'every side of every cell ran six times'
[ -z "$(head -12 log | sort | uniq -d)" ]
ok 'the first block has every point once'
paste -d' ' - - <log | awk '{ if (substr($1, 1, 3) != substr($2, 1, 3)) exit 1 }'
ok 'the sides of a cell run next to each other'
[ "$(head -12 log)" != "$(sed -n 13,24p log)" ]
ok 'the next block has another order'
mv log first
: >log
run_matrix plan.yaml
cmp -s log first
ok 'the same seed gives the same order, and a finished matrix is begun anew'

run_matrix plan.yaml --dry-run --format=csv
[ "$status" -eq 0 ] && [ "$(grep -c '=' out)" -ge 72 ]
ok '--dry-run lists the trials'
[ "$(wc -l <log)" -eq 72 ]
ok 'and runs none'
for format in json csv markdown; do
	run_matrix plan.yaml --format=$format
	[ "$status" -eq 1 ] && grep -q regression out
	ok "--format=$format"
	[ $format = json ] && mv out out.json
done
if command -v python3 >/dev/null 2>&1; then
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema"] == "regio.matrix" and d["complete"] and d["verdict"] == "regression"
(a,) = d["answers"]
bad = [c for c in a["cells"] if c["verdict"] == "regression"]
assert [c["settings"] for c in bad] == [{"f": "b", "s": "y"}], bad
assert len({c["id"] for c in a["cells"]}) == 6
g = [g for g in a["groups"] if g["class"] == "regression"]
assert len(g) == 1 and g[0]["values"] == {"f": ["b"], "s": ["y"]}, g
assert sum(len(g["cells"]) for g in a["groups"]) >= 6
assert abs(bad[0]["ratio"] - 0.7) < 1e-9 and len(bad[0]["base"]["values"]) == 6
' out.json
	ok '--json: one cell, its settings, its group'
else
	skip '--json: one cell' 'python3 is not installed'
fi

# ---- going on ----
sed 's/^seed: 5/seed: 6\nbudget: {trials: 20}/' plan.yaml >budget.yaml
: >log
run_matrix budget.yaml
[ "$status" -eq 10 ] && grep -q 'Not complete: the budget of trials is used up after 20 of 72' out
ok 'a budget of trials: not complete, undecided'
grep -q 'too few runs' out
ok 'cells without enough runs say so'
sed 's/20/100/' budget.yaml >more.yaml
run_matrix more.yaml
[ "$status" -eq 1 ] && grep -q 'goes on with experiment' err && [ "$(wc -l <log)" -eq 72 ]
ok 'a larger budget goes on: nothing is measured twice'
sort log | uniq -c | awk '$1 != 6 { exit 1 }'
ok 'and nothing is missing'

# Interrupted and killed: a trial waits, so that there is time.
cat >wait.sh <<'EOF'
sleep 0.05
sh cell.sh "$@"
EOF
sed 's/^seed: 5/seed: 8/; s/sh cell.sh/sh wait.sh/' plan.yaml >wait.yaml
: >log
"$REGIO" matrix --monitors=none wait.yaml >out 2>err &
pid=$!
while [ "$(wc -l <log)" -lt 10 ]; do sleep 0.05; done
kill -INT $pid
wait $pid
[ $? -eq 7 ] && grep -q 'interrupted' err && grep -q 'Not complete' out
ok 'Ctrl-C: exit status 7, and what is known'
"$REGIO" matrix --monitors=none wait.yaml >out 2>err &
pid=$!
while [ "$(wc -l <log)" -lt 30 ]; do sleep 0.05; done
run_matrix wait.yaml
expect 4 "another regio .process $pid. is running this plan in the store" 'the same plan by two at a time'
run_matrix wait.yaml --restart
expect 4 "another regio .process $pid. is running this plan" 'also with --restart'
kill -KILL $pid
wait $pid 2>/dev/null
run_matrix wait.yaml
[ "$status" -eq 1 ] && grep -q 'goes on with experiment' err
ok 'after kill -9 it goes on and ends'
[ "$(wc -l <log)" -le 74 ] # what ran when it was interrupted and killed ran again
ok 'finished trials are not repeated'
run_matrix wait.yaml --restart --dry-run
expect_ok '--restart'

# ---- sequential, failures, without comparison ----
sed '/^repeats/d; s/^seed: 5/max_pairs: 20/' plan.yaml >sequential.yaml
: >log
run_matrix sequential.yaml --seed=3
[ "$status" -eq 1 ] && grep -q 'regression with .*(-30.0 %' out && [ "$(wc -l <log)" -lt 240 ]
ok 'max_pairs: cells stop when they are decided'
grep -q 'each of 6 cells alarms falsely with 1 %' out
ok 'with the chance of a false alarm over all cells'

cat >failing.yaml <<'EOF'
cmd: '[ {f}{side} != b2 ] && echo "speed 5 1/s"'
factors: {f: [a, b], side: [1, 2]}
compare: {side: 1}
repeats: 5
EOF
run_matrix failing.yaml
[ "$status" -eq 10 ] && grep -q 'failing trials with f b' out
ok 'a side that always fails gives up its cell, not the matrix'

cat >alone.yaml <<'EOF'
cmd: 'sh cell.sh {f} {s} 1'
factors: {f: [a, c], s: [x, y]}
EOF
run_matrix alone.yaml
[ "$status" -eq 0 ] && grep -q 'f c -30.0 %.*against a' out && grep -q 'depends on f (p' out
ok 'without a comparison: values, and on which factor they depend'
grep -q 'no dependence found on s' out
ok 'and on which they do not'

cat >job.yaml <<'EOF'
options: {name: x, ioengine: "null", rw: randread, size: 1g, time_based: 1, runtime: 60ms}
factors: {bs: [4k, 8k], iodepth: [1, 2]}
set: {job.rate_iops: 1000}
when: [{match: {bs: 8k, iodepth: 2}, set: {job.rate_iops: 500}}]
compare: {bs: 4k}
repeats: 5
metric: iops
min_effect: 20%
EOF
run_matrix job.yaml
[ "$status" -eq 1 ] && grep -q 'regression with iodepth 2 (-[45]' out
ok 'a rate limit of one combination only'
run_matrix job.yaml --dry-run
grep -q '21 trials, about 1.26s at 60ms' out
ok 'the time of the trials is known from the job'

# ---- what the sources bring ----
for plan in "${REGIO_SOURCE_ROOT:-.}"/experiments/*/*.yaml; do
	grep -q '^factors:' "$plan" || continue # a stack of one
	name=${plan#"${REGIO_SOURCE_ROOT:-.}"/}
	(cd "${REGIO_SOURCE_ROOT:-.}" && "$REGIO" matrix "$name" --dry-run --seed=1 >"$tmp/out" 2>"$tmp/err") &&
		grep -q ' trials, about ' out && ! grep -q 'about [0-9]*h' out
	ok "$name: --dry-run"
done

# What a trial has changed and cannot undo ends the matrix, whether it was measured or not.
cat >undo.yaml <<'EOF'
cmd: echo speed 5 1/s
factors:
  f: [1, 2]
set:
  cmd: 'true ::: exit 7'
repeats: 5
EOF
run_matrix undo.yaml
expect 4 "the machine is not as it was: cannot undo command 'true' by 'exit 7': exit status 7; kept in .*/journal/.*jsonl" \
	'a change that cannot be undone'
rm -f "$REGIO_STATE_DIR"/journal/*
sed 's/exit 7/exit 7/; s/^cmd: .*/cmd: sleep 1/; s/^factors:/timeout: 1h\nfactors:/' undo.yaml |
	sed "s/'true ::: exit 7'/'exit 6 ::: exit 7'/" >undo-failed.yaml
run_matrix undo-failed.yaml
expect 4 "undo-failed.yaml:6: setting 'cmd=exit 6 ::: exit 7': sh: exit status 6; and then: cannot undo" \
	'a setting that fails and cannot be undone'
rm -f "$REGIO_STATE_DIR"/journal/*

# ---- bad plans ----
bad() {
	printf '%b' "$1" >bad.yaml
	run_matrix bad.yaml
	expect "$2" "$3" "bad plan: $3"
}
bad '' 3 'bad.yaml:1: nothing in it'
bad 'cmd: x\nfactors: {a: [1, 2]\nb: 3\n' 3 'bad.yaml:[0-9]+: '
bad 'cmd: x\nfactors: {a: [1, 2]}\nrepeat: 3\n' 3 "bad.yaml:3: a plan has no key 'repeat', did you mean 'repeats'"
bad 'job: missing.fio\nfactors: {a: [1, 2]}\n' 4 'missing.fio'
bad 'options: {name: x, rw: read}\nfactors:\n  blocksiz: [4k]\n' 3 "bad.yaml:3: setting: .*blocksiz"
bad 'cmd: x\nfactors:\n  quue.scheduler: [none]\n' 3 'error: bad.yaml:3: setting .*unknown namespace'
bad 'options: {name: x, rw: read}\nfactors:\n  bs: [4k]\nmetric: clat_p999x\n' 3 "no metric 'clat_p999x'"
bad 'cmd: x {queue.scheduler}\nfactors: {a: [1]}\n' 3 "no setting 'queue.scheduler'"
bad 'options: {name: x, rw: read, size: 1m}\nset:\n  bs: 3x\nfactors: {iodepth: [1]}\n' 3 \
	"bad.yaml:3: setting: bs: '3x'"
bad 'options: {name: x, rw: read, size: 1m}\nfactors:\n  fs: [ext4, ext5]\nstack: loop:24M,ext4\n' 3 \
	"bad.yaml:3: setting 'stack.fs=ext5': 'ext5' is no filesystem"
bad 'options: {name: x, rw: read, size: 1m}\nfactors: {iodepth: [1]}\nstack: loop:24M,nosuch\n' 3 \
	"bad.yaml:3: stack: there is no layer 'nosuch'"
bad 'options: {name: x, rw: read, size: 1m}\nfactors: {stack.loop.sise: [1M]}\nstack: loop:24M\n' 3 \
	"bad.yaml:2: setting 'stack.loop.sise=1M': .*did you mean 'size'"
bad 'options: {name: x, rw: read, size: 1m}\nfactors: {fs: [xfs]}\n' 3 \
	"bad.yaml:2: setting 'stack.fs=xfs': there is no stack"
bad 'cmd: x\nfactors: {a: [1, 2], b: [3, 4]}\ncompare: {a: 1}\nexclude: [{a: 1, b: 3}]\n' 3 \
	'b=3 has no baseline'
bad 'suite: fio-basic\ncommit: [v6.1, v6.2]\n' 3 'bad.yaml:2: .*other kernels'
bad 'options: {name: x, rw: read}\nfactors: {bs: [4k]}\non: mars\n' 2 "no target 'mars'"
bad 'options: {name: x, rw: read}\nfactors: {bs: [4k]}\ntime: virtual\n' 3 'bad.yaml:3: time is the clock of guests'
bad 'options: {name: x, rw: read}\nfactors: {bs: [4k, 8k]}\non: vm\ntime: virtual\ncompare: {bs: 4k}\nmax_pairs: 9\n' 3 \
	'max_pairs is for a clock with noise'
bad 'options: {name: x, rw: read}\nfactors: {bs: [4k, 8k]}\non: vm\ntime: virtual\ncompare: {bs: 4k}\nrepeats: 1\n' 3 \
	'at least 2 seeds'
bad 'options: {name: x, rw: read}\nfactors: {bs: [4k, 8k]}\non: vm\ntime: virtual\n' 2 'a guest needs a kernel'
bad 'cmd: echo score {n}\nfactors: {n: [1, 2]}\ncompare: {n: 1}\n' 3 \
	"bad.yaml: the command printed 'score', and nothing tells whether more is better: .*'metric:' and 'better:'"
run_matrix plan.yaml --time=virtual
expect 2 'time=virtual is the clock of a guest.*--on=vm' 'a clock without a guest'
run_matrix nothing.yaml
expect 4 'nothing.yaml.*No such file' 'a plan that is not there'
run_matrix
expect 2 'takes one plan' 'no plan'
run_matrix plan.yaml --format=lkp
expect 2 "format: 'lkp'" 'a format that a matrix does not have'
run_matrix plan.yaml --exec=true
expect 2 '--exec' '--exec beside a plan'
done_testing
