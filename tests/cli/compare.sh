#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio compare: verdicts, which sample is the base, every format, operands of every kind.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
data=${REGIO_SOURCE_ROOT:?}/tests/data/compare
golden=$REGIO_SOURCE_ROOT/tests/golden/compare
cd "$data" || exit 1
out=$tmp/out

# golden NAME ARGS..: the output is tests/golden/compare/NAME; REGIO_UPDATE_GOLDEN=1 rewrites it
golden() {
	golden_name=$1
	shift
	run_regio compare "$@"
	if [ "${REGIO_UPDATE_GOLDEN:-}" = 1 ]; then
		mkdir -p "$golden" && cp "$out" "$golden/$golden_name"
	fi
	cmp -s "$out" "$golden/$golden_name"
	ok "$golden_name is as expected"
	[ "$tap_status" -eq 0 ] || diff "$golden/$golden_name" "$out" | head -n 20 | sed 's/^/# /'
}

# ---- formats ----

for format in text csv markdown json lkp; do
	golden "runs.$format" --format="$format" runs-base.json runs-new.json
	[ "$status" -eq 1 ]
	ok "$format: a regression of the metric that decides: exit status 1"
done
golden mail.text two-kernels.txt
[ "$status" -eq 10 ]
ok 'one run a side: exit status 10'
golden mail.csv --format=csv two-kernels.txt
golden mail.markdown --format=markdown two-kernels.txt
golden tail.text tail-base.json tail-new.json
[ "$status" -eq 0 ]
ok 'throughput as before: exit status 0'
golden tail.json --json tail-base.json tail-new.json

# ---- one run a side ----

run_regio compare two-kernels.txt
grep -q 'bandwidth 623 -> 466 MiB/s (-25.2 %), IOPS 4985 -> 3731 (-25.2 %): no verdict: 1 run a side' "$out"
ok 'the loss is relative to the base'
grep -q "'with the change reverted' was taken as the base: its heading says 'reverted'" "$out"
ok 'which is the base, and why'
grep -q 'needs at least 5 runs a side' "$out"
ok 'how many runs are needed'
run_regio compare --base='after the throttling change' two-kernels.txt
grep -q 'IOPS 3731 -> 4985 (+33.6 %)' "$out"
ok '--base'
run_regio compare two-kernels.txt:reverted 'two-kernels.txt:after the throttling change'
grep -q 'IOPS 4985 -> 3731 (-25.2 %)' "$out"
ok 'FILE:LABEL, by a part of the heading or all of it'
sed 's/^/> /; s/$/\r/' two-kernels.txt >"$tmp/quoted.txt"
run_regio compare "$tmp/quoted.txt"
grep -q 'IOPS 4985 -> 3731 (-25.2 %): no verdict' "$out"
ok 'a quoted mail with CRLF'
"$REGIO" compare - <two-kernels.txt >"$out" 2>"$tmp/err"
grep -q 'IOPS 4985 -> 3731' "$out"
ok 'standard input'

cp two-kernels.txt "$tmp/one.txt"
run_regio compare "$tmp/one.txt:reverted" "two-kernels.txt:reverted"
grep -q "^base .*/one.txt:reverted " "$out" && grep -q '^new  *two-kernels.txt:reverted ' "$out"
ok 'two samples with one heading are called by their files'
run_regio compare --base=two-kernels.txt:reverted two-kernels.txt:after two-kernels.txt:reverted
grep -q 'IOPS 4985 -> 3731' "$out"
ok '--base by the operand'

# ---- verdicts ----

run_regio compare --min-effect=10% runs-base.json runs-new.json
[ "$status" -eq 0 ] && grep -q 'no difference >= 10 %' "$out"
ok '--min-effect: the same change is none of 10 %'
run_regio compare --metric=clat_mean runs-base.json runs-new.json
[ "$status" -eq 1 ] && grep -q 'write.clat_ns.mean .*regression (decides)' "$out"
ok '--metric'
run_regio compare runs-base.json runs-base.json
[ "$status" -eq 0 ] && grep -q 'no difference' "$out"
ok 'a sample against itself'
run_regio compare runs-new.json runs-base.json
[ "$status" -eq 0 ] && grep -q 'improvement (decides)' "$out"
ok 'the other way round'
printf 'old,new,newer\n100,101,50\n102,99,51\n98,100,49\n101,103,50\n99,98,52\n100,100,51\n' \
	>"$tmp/three.csv"
run_regio compare "$tmp/three.csv"
[ "$status" -eq 10 ] && grep -q 'value 100 -> 50.5 .*: lower:' "$out" && grep -q -- '--better=higher' "$out"
ok 'a metric that nobody knows is lower, and how to say more'
run_regio compare --better=higher "$tmp/three.csv"
[ "$status" -eq 1 ] && grep -q 'newer against old' "$out" &&
	grep -q "'old' was taken as the base: its heading says 'old'" "$out"
ok 'three samples in one file'
run_regio compare "$tmp/three.csv:new" "$tmp/three.csv:newer"
grep -q '^base  new ' "$out"
ok "'new' is a label and part of another one: the label wins"
! grep -q 'ratio of the medians' "$out"
ok 'medians that fit the effect need no words'
printf 'old,new\n100,80\n101,81\n102,95\n130,96\n131,97\n' >"$tmp/uneven.csv"
run_regio compare "$tmp/uneven.csv"
grep -q 'not the ratio of the medians beside it (that is -6.9 % for value)' "$out"
ok 'medians that do not fit the effect'
run_regio compare --better=best "$tmp/three.csv"
expect 2 "'best' is neither higher nor lower" '--better that is none'

# Two results that nothing tells apart are repeats; their lines name them.
printf '  READ: bw=%sMiB/s (1MB/s), 1MiB/s-1MiB/s (1MB/s-1MB/s), io=400MiB (1MB), run=9-9msec\n' 39 30 \
	>"$tmp/m.txt"
run_regio compare "$tmp/m.txt"
expect 2 'm.txt. with results of lines 1, 2; name two as FILE:LINE FILE:LINE' 'one heading, two results'
run_regio compare "$tmp/m.txt:2" "$tmp/m.txt:1"
grep -q 'bandwidth 30 -> 39 MiB/s' "$out"
ok 'FILE:LINE'
sed -i '1s/^/> /' "$tmp/m.txt"
run_regio compare "$tmp/m.txt"
grep -q 'bandwidth 39 -> 30 MiB/s' "$out"
ok 'what is quoted is older'
sed -i '1s/^> //; 2s/^/> /' "$tmp/m.txt"
run_regio compare "$tmp/m.txt"
grep -q 'bandwidth 30 -> 39 MiB/s' "$out" && grep -q "its heading says 'quoted'" "$out"
ok 'also below'

# A sentence tells which of several workloads it is about.
printf '| | old | new |\n|---|---|---|\n| 4k randread iops | 9 | 8 |\n| 4k randwrite iops | 9 | 8 |\n' \
	>"$tmp/table.txt"
run_regio compare "$tmp/table.txt"
grep -q '^A verdict about write.iops .* (4k randwrite)\.$' "$out"
ok 'how many runs are needed for which workload'

# ---- stored samples ----

"$REGIO" import --label=base runs-base.json >/dev/null 2>&1 &&
	"$REGIO" import --label=new runs-new.json >/dev/null 2>&1
ok 'two samples are imported'
run_regio compare --format=csv base new
sed 's/^base,new,//' "$out" | grep -v '^base_label' | grep -v 'note\|order\|nanoseconds' >"$tmp/stored"
run_regio compare --format=csv runs-base.json runs-new.json
sed 's/^runs-base.json,runs-new.json,//' "$out" | grep -v '^base_label' |
	grep -v 'note\|order\|nanoseconds' >"$tmp/direct"
cmp -s "$tmp/stored" "$tmp/direct" && [ -s "$tmp/stored" ]
ok 'stored samples and files give the same numbers'
run_regio compare base runs-new.json
[ "$status" -eq 1 ]
ok 'a label against a file'
run_regio compare 1:base 2:new
[ "$status" -eq 1 ]
ok 'EXPERIMENT:LABEL'
run_regio compare base nwe
expect 2 "'nwe' is neither a file nor a label.*did you mean 'new'" 'a mistyped label'
"$REGIO" ab --name=x --ioengine=null --rw=randread --size=1g --number_ios=500 --bs=4k --seed=7 \
	--max-pairs=5 --min-effect=90% >/dev/null 2>&1
run_regio compare A B
grep -q 'ended when its own verdict was found' "$out"
ok 'runs of regio ab: their number was chosen by looking at them'
! grep -q 'the newest of' "$out"
ok 'one session is nothing to choose from'
"$REGIO" ab --name=other --ioengine=null --rw=randwrite --size=1g --number_ios=500 --bs=8k --seed=7 \
	--max-pairs=5 --min-effect=90% >"$tmp/ab" 2>/dev/null
grep -q 'Stored as session 4: regio compare 4:A 4:B' "$tmp/ab"
ok 'ab says how its session is called'
run_regio compare A B
grep -q 'this is session 4 (ab), the newest of 2 with that label; another one is N:A' "$out" &&
	grep -q 'write.iops' "$out" && ! grep -q 'read.iops' "$out"
ok 'of several sessions the newest is taken, and that is said'
run_regio compare 3:A 3:B
grep -q 'read.iops' "$out" && ! grep -q 'write.iops' "$out" && ! grep -q 'the newest of' "$out"
ok 'another one by its number'
"$REGIO" ab --name=x --ioengine=null --rw=randread --size=1g --number_ios=500 --seed=7 --max-pairs=5 \
	--min-effect=90% --a job.bs=4k --b job.bs=8k >/dev/null 2>&1
run_regio compare 5:A 5:B
grep -Eq '^job.bs +4k +8k +setting *$' "$out" && ! grep -q 'no setting' "$out"
ok 'what the session set is told as its setting'
run_regio compare A
expect 2 "'A' is no file, so it can be one sample only; give BASE NEW" 'one label is not enough'
for nr in 1 2; do
	"$REGIO" run --label=mine --name=x --ioengine=null --rw=read --size=1m >/dev/null 2>&1
done
run_regio compare mine mine --json
[ "$(grep -c 'newest-session' "$out")" -eq 0 ] && grep -q '"n": *2' "$out"
ok 'runs of one label that the user chose are one sample'

# ---- environments ----

"$REGIO" run --no-save --output-format=archive --name=x --ioengine=null --rw=read --size=1m \
	>"$tmp/a.json" 2>/dev/null
sed '/"kernel.release"/{n;s/"[^"]*"/"1.2.3-other"/;}' "$tmp/a.json" >"$tmp/b.json"
run_regio compare "$tmp/a.json" "$tmp/b.json"
grep -Eq '^kernel.release .* 1.2.3-other +no' "$out"
ok 'what differs between the machines'
[ "$(sed -n '/^differs/,/^$/p' "$out" | grep -c .)" -eq 2 ]
ok 'and nothing that does not'

# Long lists: a side shows what it alone has, and the side that has nothing of its own how it begins.
words=$(seq -s, -f word%g 20)
for side in '' ,own1,own2 "$(seq -s, -f ,more%g 20)"; do
	nr_words=$((nr_words + 1))
	cat <<-EOF >"$tmp/words$nr_words.json"
		{"fio version":"fio-3.33","global options":{"opendir":"$words$side"},"jobs":[{"jobname":"a",
		"read":{"io_bytes":307200,"bw":300,"iops":75.5,"runtime":1000,"total_ios":75}}]}
	EOF
done
run_regio compare "$tmp/words1.json" "$tmp/words2.json"
grep -Eq '^job.opendir +word1,word2,.*\.\. +\.\. own1 own2 +no setting' "$out"
ok 'of long lists what differs, and never nothing'
run_regio compare "$tmp/words1.json" "$tmp/words3.json"
grep -q '^job.opendir' "$out" && ! grep -q '^job.opendir.\{120\}' "$out"
ok 'and no more of it than fits'

# What cannot be true is told once for all runs of a side, in units that people read.
for iops in 75.5 76.5 77.5; do
	printf '{"fio version":"fio-3.33","jobs":[{"jobname":"a","read":{"io_bytes":307200,"iops":%s,' "$iops"
	printf '"runtime":1000,"total_ios":75,"clat_ns":{"min":9000,"max":3000,"mean":%s}}}]}\n' "$iops"
done >"$tmp/lies.json"
run_regio compare "$tmp/lies.json" "$tmp/lies.json"
[ "$(grep -c 'contradict each other' "$out")" -eq 2 ] &&
	grep -q "line 1: .*read.clat_ns.min: 9us contradict each other; and 2 more like it" "$out"
ok 'notes that differ in numbers alone are one'

# ---- bad input ----

run_regio compare
expect 2 '0 operands' 'no operand'
run_regio compare a b c d
expect 2 '4 operands' 'too many operands'
run_regio compare runs-base.json
expect 2 'runs-base.json holds 1 sample.*BASE NEW' 'a single file with one sample'
run_regio compare two-kernels.txt runs-new.json
expect 2 'two-kernels.txt holds 2 samples; name one as FILE:LABEL' 'a file with two samples as one'
run_regio compare two-kernels.txt:nothing runs-new.json
expect 2 "'nothing' names none of the samples in two-kernels.txt" 'a heading that is not there'
run_regio compare runs-base.json "$tmp/no-such-file"
expect 2 'no-such-file' 'neither file nor label'
REGIO_STORE=$tmp/none.db run_regio compare x y
expect 2 "'x' is not a file, and there is no store" 'no store yet'
[ ! -e "$tmp/none.db" ]
ok 'asking for a label makes no store'
head -c 1000 /dev/urandom >"$tmp/binary"
run_regio compare runs-base.json "$tmp/binary"
expect 3 'binary:[0-9]+: ' 'binary data'
run_regio compare --metric=iosp runs-base.json runs-new.json
expect 2 "unknown metric 'iosp', did you mean 'iops'" 'a mistyped metric'
run_regio compare -m a -m b -m c -m d runs-base.json runs-new.json
expect 2 'at most 3 metrics' 'four metrics'
run_regio compare --alpha=2 runs-base.json runs-new.json
expect 2 'alpha' 'an alpha that is none'
run_regio compare --format=cvs runs-base.json runs-new.json
expect 2 "unknown format 'cvs', did you mean 'csv'" 'a mistyped format'
run_regio compare --base=x runs-base.json runs-new.json
expect 2 "none of the samples is called 'x'" '--base that is not there'
if [ -w /dev/full ]; then
	"$REGIO" compare runs-base.json runs-new.json >/dev/full 2>"$tmp/err"
	status=$?
	expect 4 'write' 'a full disk under stdout'
else
	skip 'a full disk under stdout' 'no /dev/full'
fi
done_testing
