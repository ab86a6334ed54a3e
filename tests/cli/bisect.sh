#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio bisect on lists and on a git repository: the right one named, going on after kills, logs,
# and one line for what is wrong.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
cd "$tmp" || exit 1
# Hundreds of small trials, each on the disk before the next: a disk that takes its time for that
# is not what is tested here.
if shm=$(mktemp -d /dev/shm/regio-test.XXXXXX 2>/dev/null); then
	trap 'rm -rf "$shm"; cleanup' EXIT
	REGIO_STORE=$shm/regio.db
fi

# The value follows from the candidate and the seed of the trial: 5 % of noise, and 20 % less from
# candidate 37 on. Candidates 30, 33 and 41 cannot be measured.
seq 0 63 >list
cat >probe.sh <<'END'
n=$REGIO_CANDIDATE
case $n in 30 | 33 | 41) echo "no probe for $n" >&2; exit 3 ;; esac
echo "$n" >>"$LOG"
awk -v n="$n" -v s="$REGIO_SEED" 'BEGIN {
	x = (s + n * 7919) % 2147483647
	for (i = 0; i < 15; i++) { x = (x * 16807) % 2147483647; u += x / 2147483647 }
	printf "speed %.6f 1/s\n", (n >= 37 ? 800 : 1000) * (1 + 0.05 * (u - 7.5)) }'
END
LOG=$tmp/log
export LOG
: >log
bisect() {
	run_regio bisect --monitors=none "$@"
}
on_list() {
	bisect --list=list --run='sh probe.sh' --seed=3 "$@"
}

on_list
[ "$status" -eq 1 ] && grep -q 'first bad candidate: 37' out
ok 'a list: the right line is named, exit status 1'
grep -q 'confirmed in [0-9]* pairs' out && grep -q 'speed_per_sec of 37 against' out
ok 'the effect is confirmed'
grep -Eq -- '-[12][0-9.]* % \[' out
ok 'with its size and interval'
grep -q 'regio bisect --monitors=none --list=list' out
ok 'the command to repeat it'
on_list --json
[ "$status" -eq 1 ] && mv out first.json
if command -v python3 >/dev/null 2>&1; then
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema"] == "regio.bisect" and d["version"] == 1
assert d["first_bad"] == "37" and d["confirmed"] is True and d["reproducible"] is True
assert d["first_bad_index"] == 37 and d["candidates"] == 64
assert 0.95 <= d["posterior"] <= 1
e = d["effect"]
assert e["metric"] == "speed_per_sec" and 0.7 < e["ratio"] < 0.9, e
assert e["interval"][0] < e["ratio"] < e["interval"][1] < 1
assert len(e["base"]["values"]) == len(e["new"]["values"]) == e["pairs"] >= 5
assert abs(sum(c["posterior"] for c in d["per_candidate"]) - 1) < 1e-6
assert sum(c["trials"] for c in d["per_candidate"]) == d["trials"]
assert d["trials"] == sum(d["trials_of_phases"].values())
for u in d["untestable"]:
    assert u["id"] in ("30", "33", "41") and "exit status 3: no probe" in u["reason"], u
' first.json
	ok '--json: the members that other programs read'
else
	skip '--json' 'python3 is not installed'
fi
on_list --format=markdown
[ "$status" -eq 1 ] && grep -q '^|' out && grep -q '37' out
ok '--format=markdown'

# Each run is 0.5 % slower than the one before it: after thirty the good ones are as slow as the bad
# ones were in the beginning.
cat >tiring.sh <<'END'
n=$(($(cat tired) + 1))
echo $n >tired
awk -v c="$REGIO_CANDIDATE" -v n=$n -v s="$REGIO_SEED" 'BEGIN {
	srand(s % 1000003 + c); printf "speed %.6f 1/s\n",
		(c >= 37 ? 850 : 1000) * exp(-0.005 * n) * (0.96 + 0.08 * rand()) }'
END
echo 0 >tired
bisect --list=list --run='sh tiring.sh' --seed=4 --anchor-runs=12 --no-save --json
[ "$status" -eq 1 ] && grep -q '"first_bad": "37"' out && grep -q '"confirmed": true' out
ok 'a machine that tires: the right one is named'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err
grep -Eq '"anchor": (16|32|48|64|80)' out
ok 'the ends were looked at again'

# ---- logs ----
bisect --log
[ "$status" -eq 0 ] && head -1 out | grep -q '^regio bisect log, version 1$'
ok '--log prints the newest one'
cp out first.log
[ "$(grep -c '^candidate' first.log)" -eq 64 ] && grep -q '^set metric speed_per_sec$' first.log
ok 'with all candidates and what was asked for'
bisect --replay first.log --json
[ "$status" -eq 1 ] && grep -q '"first_bad": "37"' out
ok '--replay comes to the same answer'
head -n 90 first.log >half.log
bisect --replay half.log
[ "$status" -eq 10 ] && grep -q 'not finished' out
ok 'half of a log: not finished, undecided'
sed 's/^run 63 .*/run 62 1000/' first.log >wrong.log
bisect --replay wrong.log
expect 3 'event [0-9]+ of the log: ' 'a log with another order is refused'
echo hello >no.log
bisect --replay no.log
expect 3 'no.log:1: no log of a bisection' 'a file that is no log'
bisect --visualise
[ "$status" -eq 0 ] && grep -q '37 .*###' out
ok '--visualise draws a bar at the answer'
bisect --visualise --json 1
[ "$status" -eq 0 ] && grep -q '"per_candidate"' out
ok '--visualise --json of a bisection by its number'
bisect --resume 1
expect 3 'bisection 1 has its answer' 'a finished one is not gone on with'
bisect --resume 4711
expect 3 'no bisection with number 4711' 'one that is not there'

# ---- going on ----
cat >slow.sh <<'END'
sleep "${PAUSE:-0.05}"
. ./probe.sh
END
: >log
"$REGIO" bisect --monitors=none --list=list --run='sh slow.sh' --seed=3 >out 2>err &
pid=$!
while [ "$(wc -l <log)" -lt 10 ]; do sleep 0.05; done
kill -INT $pid
wait $pid
[ $? -eq 7 ] && grep -q "interrupted after [0-9]* runs; 'regio bisect --resume [0-9]*' goes on" err
ok 'Ctrl-C: exit status 7, and how to go on'
grep -q 'not finished: interrupted' out
ok 'and what is known'
nr_runs=$(sed -n 's/.*interrupted after \([0-9]*\) runs.*/\1/p' err)
grep -q "^$nr_runs runs, warm-ups and failed ones not counted: " out
ok 'of as many runs'
"$REGIO" bisect --monitors=none --resume >out1 2>err1 &
pid=$!
while ! grep -q 'goes on with' err1; do sleep 0.05; done
bisect --resume
expect 4 'is running this plan' 'two do not go on with the same one'
grep -q "goes on with bisection [0-9]* after $nr_runs runs" err1
ok 'after as many runs'
kill -KILL $pid
wait $pid 2>/dev/null
# A random moment each time, by the digits of the clock. A run takes longer than half of them, so
# that the twentieth comes long before the answer, also on a fast machine.
kills=0
export PAUSE=0.12
while [ $kills -lt 20 ]; do
	moment=$(($(date +1%N | cut -c5-8 | sed 's/^/1/') % 250))
	"$REGIO" bisect --monitors=none --resume >out 2>err &
	pid=$!
	sleep "0.$(printf %03d $moment)"
	kill -KILL $pid 2>/dev/null || break
	wait $pid 2>/dev/null
	kills=$((kills + 1))
done
export PAUSE=0
echo "# killed $kills times"
[ $kills -eq 20 ]
ok 'killed at twenty random moments before it had ended'
bisect --list=list --run='echo speed 5 1/s' --metric=sped_per_sec
expect 2 'sped_per_sec' 'one that cannot begin'
bisect --resume
[ "$status" -eq 1 ] && grep -q 'first bad candidate: 37' out
ok 'is not what --resume goes on with: it goes on and names the same one'
bisect --log
sed 's/ #.*//; /^set command/d' out >again.txt
sed 's/ #.*//; /^set command/d' first.log >first.txt
cmp -s again.txt first.txt
ok 'with the same trials in the same order as without: none lost, none twice'
bisect --visualise
grep -q "^$(grep -c '^run' first.log) runs so far, warm-ups and failed ones not counted" out
ok 'a run is what the search was told, in the picture as well'

# ---- answers that are none ----
bisect --list=list --run='echo speed 1000.$REGIO_SEED 1/s' --seed=3 --max-pairs=10
[ "$status" -eq 0 ] && grep -q 'not reproducible' out
ok 'no effect at the ends: not reproducible, exit status 0'
bisect --list=list --run='echo speed $((REGIO_SEED % 700 + 300)) 1/s' --seed=3 --max-pairs=8
[ "$status" -eq 10 ] && grep -q 'not reproducible here: undecided whether the ends differ' out
ok 'noise that hides any effect: undecided, exit status 10'
bisect --list=list --run='echo speed 0 1/s' --seed=3 --max-pairs=8
[ "$status" -eq 0 ] && grep -q 'not reproducible: no difference' out
ok 'the same number every time, even 0: no difference'
bisect --list=list --run=false --seed=3
bisect --visualise
expect 3 'bisection [0-9]* has no trial that counts yet' 'no picture of a bisection that measured nothing'
bisect --list=list --run='[ $REGIO_CANDIDATE -lt 5 ] && echo speed 10$REGIO_CANDIDATE 1/s || echo speed 200 1/s' --seed=3
[ "$status" -eq 0 ] && grep -q 'better, not worse' out
ok 'an improvement is no regression'
bisect --list=list --run='[ $REGIO_CANDIDATE -lt 5 ] && echo speed 100.$REGIO_SEED 1/s || echo speed 200.$REGIO_SEED 1/s' --seed=3 --direction=any
[ "$status" -eq 1 ] && grep -q 'first bad candidate: 5$' out
ok '--direction=any finds where it came from'
seq 0 3 >short
bisect --list=short --run='case $REGIO_CANDIDATE in 0) echo speed 100.$REGIO_SEED 1/s;; 3) echo speed 50.$REGIO_SEED 1/s;; *) exit 1;; esac' --seed=3
[ "$status" -eq 10 ] && grep -q 'undecided: none of the 2 candidates between the ends can be measured' out
ok 'nothing between the ends can be measured: undecided'
on_list --max-runs=2
[ "$status" -eq 10 ] && grep -q 'undecided: the budget of 2 runs is used up' out
ok 'the budget is used up: undecided, exit status 10'
bisect --resume --max-runs=300
[ "$status" -eq 1 ] && grep -q 'first bad candidate: 37' out
ok 'and with a larger one it goes on'
seq 0 7 >eight
# shellcheck disable=SC2016 # for the shell
sh -c 'exec 3>&- 4>&- 5>&- 6>&- 7>&-; ulimit -n 8; exec "$@"' sh "$REGIO" bisect --monitors=none --seed=3 --list=eight \
	--run='echo speed $((REGIO_CANDIDATE < 4 ? 100 : 50)).$REGIO_SEED 1/s' >out 2>err
grep -q 'Too many open files' err
ok 'what the machine has no more of ends it'
[ -w /dev/full ] && "$REGIO" bisect --monitors=none --resume >/dev/full 2>err
bisect --resume
[ "$status" -eq 1 ] && grep -q 'first bad candidate: 4$' out
ok 'and is not held against a candidate; an answer that nobody got is told again'
printf '90\n50\n' >two
# shellcheck disable=SC2016 # for the command
bisect --list=two --run='echo speed $REGIO_CANDIDATE.$REGIO_SEED 1/s' --seed=3
[ "$status" -eq 1 ] && grep -q 'first bad candidate: 50$' out && ! grep -q 'not confirmed' out &&
	tr '\n' ' ' <out | grep -q ' to search 1 candidate,.*, this call [0-9]'
ok 'a list of two: the comparison of its ends confirms the answer'

# ---- one line each ----
bisect --list=list --run='exit 7'
expect 3 "the good end '0' cannot be measured: .*exit status 7" 'a command that always fails'
bisect --list=list --run='[ $REGIO_CANDIDATE = 0 ] && echo speed 5 1/s'
expect 3 "the bad end '63' cannot be measured: .*exit status 1" 'a bad end that fails'
bisect --list=list --run='echo speed 5 1/s' --metric=write.iops
expect 2 "write.iops" 'a metric that is not in the output'
bisect --list=list --run='head -c 3000 /dev/urandom' --metric=iops
expect 2 "iops" 'a command that prints garbage'
bisect --list=list --run='[ $REGIO_CANDIDATE = 63 ] && echo nothing || echo speed 5 1/s' --metric=speed_per_sec
expect 3 "the bad end '63' cannot be measured: there is no metric 'speed_per_sec'" 'a metric that one end lacks'
bisect --list=none --run=true
expect 4 'none: No such file' 'a list that is not there'
echo only >one
bisect --list=one --run=true
expect 3 'one: 1 candidate to choose from' 'a list of one'
bisect --run=true
expect 2 'none of --git, --kernels, --list and --settings' 'no candidates'
bisect --setings old new --rw=read
expect 2 "unknown option '--setings'; did you mean '--settings'" 'an option that is mistyped'
bisect --list=list --git=. a..b --run=true
expect 2 'more than one of --git, --kernels, --list and --settings' 'two kinds of candidates'
bisect --list=list
expect 2 '' 'no job'
bisect --list=list --run=true --direction=up
expect 2 "'up' is not lower, higher or any" 'a direction that is none'
bisect --list=list --run=true --max-pairs=3
expect 2 '' 'too few pairs'
bisect --list=list --run=true --level=1.5
expect 2 '' 'a level that cannot be reached'
bisect --kernels=. -- --name=x --rw=read --size=4k
expect 2 'guests boot the kernels \(--on=vm\), or a command does \(--boot\)' 'kernels of this machine'
bisect --resume --no-save
expect 2 '--no-save' '--resume without a store'

# ---- kernels that a command boots ----
seq -f '6.1.%g-1' 0 5 >kernels
# shellcheck disable=SC2016 # for the commands
bisect --kernels=kernels --seed=3 --boot='echo "$REGIO_CANDIDATE" >booted; [ $REGIO_CANDIDATE != 6.1.1-1 ] || { echo panic; exit 1; }' \
	--exec='case $(cat booted) in 6.1.[0-3]-1) echo speed 100.$REGIO_SEED 1/s;; *) echo speed 80.$REGIO_SEED 1/s;; esac'
[ "$status" -eq 1 ] && grep -q 'first bad kernel: 6.1.4-1' out
ok '--boot: the kernel that runs is the one that was booted'
tr '\n' ' ' <out | grep -q ' this call with all boots '
ok 'and the boots count'
if grep -q 'Left out' out; then
	grep -q '6.1.1-1 *boot failed with status 1: panic' out
	ok 'one that does not boot is left out, with its last words'
fi

# shellcheck disable=SC2016 # for the commands
bisect --kernels=kernels --seed=3 --boot='echo "$REGIO_CANDIDATE" >booted; case $REGIO_CANDIDATE in 6.1.[34]-1) exit 1;; esac' \
	--exec='case $(cat booted) in 6.1.[0-2]-1) echo speed 100.$REGIO_SEED 1/s;; *) echo speed 80.$REGIO_SEED 1/s;; esac'
[ "$status" -eq 1 ] && grep -q 'first bad kernel: one of 3 after 6.1.2-1, up to 6.1.5-1' out &&
	[ "$(grep -c '^version *6.1.[345]-1$' out)" -eq 3 ]
ok 'a range: the facts of each'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err

# ---- git ----
if ! command -v git >/dev/null 2>&1 || ! command -v cc >/dev/null 2>&1; then
	skip 'git' 'git or cc is not installed'
	done_testing
fi
first_bad=$("$here/bisect-repo" "$tmp/g" 64 37 40 20 10 33 50)
repo=$tmp/g/repo
echo dirty >>"$repo/notes.txt"
echo staged >"$repo/staged"
git -C "$repo" add staged
echo mine >"$repo/untracked"
snapshot() {
	git -C "$repo" status --porcelain
	git -C "$repo" for-each-ref
	cat "$repo/.git/HEAD" "$repo/notes.txt"
	find "$repo" -type f ! -path '*/.git/index' -exec cksum {} +
	git -C "$repo" ls-files --stage
}
snapshot >before
# shellcheck disable=SC2016 # for the command
bisect --git="$repo" good..bad --build='cc -O1 -o probe probe.c' --seed=5 \
	--exec='./probe "$TMPDIR/probe.tmp" 30' --metric=work --direction=higher
[ "$status" -eq 1 ] && grep -q "^ *commit *$first_bad" out
ok 'git: the right one of 64 commits is named'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err
grep -q 'change number 37' out && grep -q 'Jo Example <jo@example.org>' out &&
	grep -q '^ *file *work.h' out && grep -q '2023-11-16' out
ok 'with subject, author, date and files'
snapshot >after
cmp -s before after
ok 'checkout, index, branches and objects of the repository are as they were'
bisect --git="$repo" bad..good --build=true --exec=true
expect 3 "'bad' comes after 'good'.*, swap them and give --direction=any" 'bad and good the wrong way round'
bisect --git="$repo" good..nothing --build=true --exec=true
expect 3 "'nothing' names no commit of" 'a commit that is not there'
bisect --git="$repo" --build=true --exec=true
expect 2 'GOOD..BAD is missing' 'no range'
bisect --git="$repo" good..bad --build='echo no compiler >&2; exit 1' --exec=true
expect 3 "the good end '[0-9a-f]{12}' cannot be measured: build failed with status 1: no compiler" 'nothing builds'
bisect --git="$repo" good..bad --build='sleep 9' --build-timeout=100ms --exec=true
expect 3 'build not finished after 100ms' 'a build that takes too long'
GIT_TEST_ASSUME_DIFFERENT_OWNER=1 "$REGIO" bisect --git="$repo" good..bad --exec=true >out 2>err
grep -q 'error: .*is no repository: git: .*dubious ownership' err
ok 'a repository of somebody else: what git says, not its advice'
bisect --git="$repo" good..bad --build='echo "cc: No space left on device"; exit 1' --exec=true
expect 4 'no space left for the build of [0-9a-f]*' 'a disk that is full is no fault of a commit'
bisect --git=/ a..b --exec=true
expect 3 "'/' is no repository" 'a folder that is no repository'

# ---- merges ----
"$here/bisect-merges" "$tmp/merges"
cat >merged.sh <<'END'
if [ "$REGIO_CANDIDATE" = "${HOLD:-}" ]; then echo $$ >"$HELD"; exec sleep 60; fi
awk -v w="$(cat work)" -v s="$REGIO_SEED" 'BEGIN {
	x = (s + w * 7919) % 2147483647
	for (i = 0; i < 15; i++) { x = (x * 16807) % 2147483647; u += x / 2147483647 }
	printf "work %.6f\n", w * (1 + 0.005 * (u - 7.5)) }'
END
on_merges() {
	bisect --git="$tmp/merges" --exec="sh '$tmp/merged.sh'" --metric=work --direction=higher \
		--seed=5 "$@"
}
commit_of() {
	git -C "$tmp/merges" rev-parse "$1"
}
HELD=$tmp/held HOLD=$(commit_of s2) "$REGIO" bisect --monitors=none --git="$tmp/merges" m0..m4 \
	--exec="sh '$tmp/merged.sh'" --metric=work --direction=higher --seed=5 >out 2>err &
pid=$!
while [ ! -s held ] && kill -0 $pid; do sleep 0.02; done
kill -KILL $pid
wait $pid 2>/dev/null
kill "$(cat held)" 2>/dev/null
bisect --visualise
[ "$status" -eq 0 ] && [ "$(grep -c '^How probable' out)" -eq 2 ]
ok 'a merge is entered; killed in there, --visualise shows both'
bisect --log
grep -q '^enter 0 3 2$' out
ok 'the log says where it went in'
bisect --resume
[ "$status" -eq 1 ] && grep -q "^ *commit *$(commit_of d3)" out
ok '--resume goes on in there, and names the commit in a merge within the merge'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' out err
bisect --log
cp out merged.log
bisect --replay merged.log
[ "$status" -eq 1 ] && grep -q 'first bad commit: [0-9a-f]* d3$' out &&
	grep -q 'parent 2 .*s3.*confirmed' out
ok '--replay comes to the same answer'
on_merges m0..m4 --json
[ "$status" -eq 1 ] && mv out merged.json
bisect --log
sed 's/ #.*//; /^set command/d' out >again.txt
sed 's/ #.*//; /^set command/d' merged.log >first.txt
cmp -s again.txt first.txt
ok 'with the same trials in the same order as without the kill'
if command -v python3 >/dev/null 2>&1; then
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["first_bad"] == d["first_bad_facts"]["commit"] and d["verdict"] == "regression"
assert d["first_bad_facts"]["subject"] == "d3" and d["candidates"] == 5
outer, inner = d["entered"]
merge = d["per_candidate"][d["first_bad_index"]]
assert merge["text"] == "m3" and outer["merge"]["id"] == merge["id"] and outer["line"] == 0
assert inner["merge"]["text"] == "s3" and inner["line"] == 1 and inner["parent"] == 2
assert inner["first_bad"] == d["first_bad"] and inner["confirmed"] and outer["confirmed"]
assert [c["text"] for c in outer["per_candidate"]] == ["m0", "s1", "s2", "s3", "s4"]
assert [c["text"] for c in inner["per_candidate"]] == ["s1", "d1", "d2", "d3", "d4"]
for line in (d, outer, inner):
    assert sum(c["trials"] for c in line["per_candidate"]) == line["trials"] > 0
' merged.json
	ok '--json has what was entered'
else
	skip '--json of merges' 'python3 is not installed'
fi
on_merges m0..own --max-pairs=8
[ "$status" -eq 1 ] && grep -q 'first bad commit: [0-9a-f]* own$' out &&
	grep -q 'the merge itself made it worse' out && grep -q 'parent 2 .*none: its ends do not differ' out
ok 'what came in is not slow: the merge itself'
on_merges m0..both --max-pairs=8 --format=markdown
[ "$status" -eq 1 ] && grep -q 'first bad commit: [0-9a-f]* t1$' out &&
	grep -q '^| [0-9a-f]*, parent 3 | 1 | [0-9a-f]* t1 ' out
ok 'three parents: the single commit of the third'
on_merges m0..both --max-pairs=8 --no-enter
[ "$status" -eq 1 ] && grep -q 'first bad commit: [0-9a-f]* both$' out && grep -q 'It is a merge' out
ok '--no-enter leaves it at the merge'
sed 's/^enter 0 3 2$/enter 0 2 2/' merged.log >wrong.log
bisect --replay wrong.log
expect 3 'after event [0-9]+ of the log: candidate 2 of line 0 is not entered by parent 2' 'a log that enters another one'
done_testing
