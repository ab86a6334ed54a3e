#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio verdict: its line and exit status, and git bisect driven by it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
data=${REGIO_SOURCE_ROOT:?}/tests/data/compare
out=$tmp/out

# verdict PLAIN BISECT LINE-REGEX DESCRIPTION ARGS..: exit statuses without and with --git-bisect
verdict() {
	plain=$1
	bisect=$2
	line=$3
	description=$4
	shift 4
	run_regio verdict "$@"
	[ "$status" -eq "$plain" ] && [ "$(wc -l <"$out")" -eq 1 ] && grep -Eq "$line" "$out"
	ok "$description: one line, exit status $plain"
	[ "$tap_status" -eq 0 ] || { echo "# $status"; cat "$out" "$tmp/err"; } | sed 's/^/# /'
	run_regio verdict --git-bisect "$@"
	[ "$status" -eq "$bisect" ] && grep -Eq "$line" "$out"
	ok "$description: for git $bisect"
}

cd "$data" || exit 1
verdict 1 1 ': regression: -' 'a regression' runs-base.json runs-new.json
verdict 0 0 ': improvement: \+' 'an improvement' runs-new.json runs-base.json
verdict 0 0 ': no difference' 'throughput as before' tail-base.json tail-new.json
verdict 1 1 ': regression: \+' 'the metric that decides' --metric clat_mean --min-effect=2% tail-base.json tail-new.json
verdict 10 125 ': no verdict: 1 run a side' 'one run a side' two-kernels.txt
verdict 10 125 ': undecided|no verdict' 'a sample against itself, small effects' --min-effect=0.01% \
	runs-base.json runs-base.json

# A change that nobody has called good or bad is not good.
printf 'old,new\n' >"$tmp/plain.csv"
for i in 1 2 3 4 5 6 7 8; do
	echo "100.$i,81.$i" >>"$tmp/plain.csv"
done
verdict 10 125 ': lower: -18.*--better=higher or --better=lower' 'unknown direction' "$tmp/plain.csv"
printf 'old,new\n1597000,1377000\n' >"$tmp/large.csv"
run_regio verdict "$tmp/large.csv"
grep -q '^value 1597000 -> 1377000 (-13.8 %)' "$out"
ok 'large numbers as the table has them'
verdict 1 1 ': regression: -18.[0-9] % [^;]*$' 'known direction' --better=higher "$tmp/plain.csv"

# What no other commit would change ends the bisection; what is this commit's alone is passed over.
sed 's/write_iops/write_other/' runs-new.json >"$tmp/other.json"
: >"$tmp/empty.json"
# bad PLAIN BISECT REGEX ARGS..
bad() {
	plain=$1
	bisect=$2
	regex=$3
	shift 3
	run_regio verdict "$@"
	expect "$plain" "$regex" "refused: $*"
	run_regio verdict --git-bisect "$@"
	expect "$bisect" "$regex" "for git: $bisect"
	[ ! -s "$out" ]
	ok 'nothing on stdout'
}

bad 2 125 'no-such-label. is not a file' runs-base.json no-such-label
bad 2 128 'no-such-label. is neither a file|no-such-label. is not a file' no-such-label runs-new.json
bad 2 128 '0 operands' --alpha=0.05
bad 2 128 "no-file. is no file" no-file
bad 2 128 "alpha: 7 is not between" --alpha=7 runs-base.json runs-new.json
bad 2 128 "base: none of the samples is called 'x'" --base=x runs-base.json runs-new.json
bad 2 128 "unknown metric 'oips'" --metric=oips runs-base.json runs-new.json
bad 2 125 "unknown metric 'iops'" --metric=iops runs-base.json "$tmp/other.json"
bad 3 128 'meson.build' "$REGIO_SOURCE_ROOT/meson.build" runs-new.json
bad 3 125 'empty.json' runs-base.json "$tmp/empty.json"
bad 2 128 'mteric' --mteric=iops runs-base.json runs-new.json
bad 2 128 'min-effect' --min-effect=x runs-base.json runs-new.json
for wrong in --no-such-option=1 --alpha=7 --metric=no_such_metric; do
	run_regio ab --git-bisect --no-save --monitors=none "$wrong" --exec='echo speed 5 1/s' --max-pairs=5
	[ "$status" -eq 128 ]
	ok "ab: $wrong ends the bisection"
done

# ---- a program whose speed is in its repository ----

if ! command -v git >/dev/null 2>&1; then
	skip 'git bisect run' 'git is not installed'
	done_testing
fi
GIT_CONFIG_GLOBAL=/dev/null
GIT_CONFIG_SYSTEM=/dev/null
GIT_AUTHOR_NAME=someone
GIT_AUTHOR_EMAIL=someone@example.org
GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME
GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME \
	GIT_COMMITTER_EMAIL

# Noise of +-4 %: the same numbers in every run of this test, and no value twice.
cat >"$tmp/bench" <<'EOF'
#!/bin/sh
count=$(($(cat "$1.count") + 1))
echo "$count" >"$1.count"
awk -v speed="$(cat "$2")" -v n="$count" 'BEGIN {
	printf "ops %.4f 1/s\n", speed * (0.96 + 0.08 * (n * 617 % 1009) / 1009)
}'
EOF
chmod +x "$tmp/bench"
echo 0 >"$tmp/state.count"

mkdir "$tmp/repo"
cd "$tmp/repo" || exit 1
git init -q .
for commit in 1 2 3 4 5 6 7 8 9 10 11 12; do
	speed=1000
	[ "$commit" -lt 8 ] || speed=870
	echo "$speed" >speed
	echo "$commit" >commit
	git add .
	git commit -q -m "commit $commit"
	git tag "c$commit"
	[ "$commit" -ne 8 ] || culprit=$(git rev-parse HEAD)
done

cat >"$tmp/measure.sh" <<EOF
#!/bin/sh
[ "\$(cat commit)" -ne 6 ] || exit 125 # does not build
commit=\$(git rev-parse HEAD)
"$REGIO" run --exec '"$tmp/bench" "$tmp/state" speed' --monitors=none --repeat 8 --label "\$commit" \\
	>/dev/null || exit 125
"$REGIO" verdict --git-bisect --metric ops_per_sec good "\$commit"
EOF
chmod +x "$tmp/measure.sh"
git checkout -q c1
run_regio run --exec "'$tmp/bench' '$tmp/state' speed" --monitors=none --repeat 8 --label good
expect_ok 'the good commit is measured'
git bisect start c12 c1 >"$tmp/log" 2>&1
git bisect run "$tmp/measure.sh" >>"$tmp/log" 2>&1
grep -q "^$culprit is the first bad commit" "$tmp/log"
ok 'git bisect run finds the commit'
[ "$tap_status" -eq 0 ] || sed 's/^/# /' "$tmp/log"
grep -q 'ops_per_sec .*: regression: -1[0-9]' "$tmp/log" && grep -q ': no difference >= 5 %' "$tmp/log"
ok 'the line of each verdict stands in its output'
git bisect reset >/dev/null 2>&1

# A script that cannot work ends the bisection at the first commit.
cat >"$tmp/typo.sh" <<EOF
#!/bin/sh
echo asked >>"$tmp/asked"
"$REGIO" verdict --git-bisect --metric pos_per_sec good good
EOF
chmod +x "$tmp/typo.sh"
git bisect start c12 c1 >"$tmp/log" 2>&1
git bisect run "$tmp/typo.sh" >>"$tmp/log" 2>&1
[ $? -ne 0 ] && [ "$(wc -l <"$tmp/asked")" -eq 1 ]
ok 'a metric that is misspelt ends the bisection'
git bisect reset >/dev/null 2>&1

# In turns with the good one.
git checkout -q c9
git show c1:speed >"$tmp/speed.good"
run_regio ab --git-bisect --exec "'$tmp/bench' '$tmp/state' '$tmp/speed.now'" --monitors=none \
	--no-save --metric=ops_per_sec --a "cmd=cp '$tmp/speed.good' '$tmp/speed.now'" \
	--b "cmd=cp speed '$tmp/speed.now'"
[ "$status" -eq 1 ]
ok 'ab --git-bisect: a regression is bad'
run_regio ab --git-bisect --exec "'$tmp/bench' '$tmp/state' '$tmp/speed.now'" --monitors=none \
	--no-save --metric=ops_per_sec --max-pairs=5 --min-effect=0.01% --a 'cmd=true' --b 'cmd=true'
[ "$status" -eq 125 ]
ok 'ab --git-bisect: undecided is skipped'
run_regio ab --git-bisect --exec 'exit 1' --monitors=none --no-save
[ "$status" -eq 125 ]
ok 'ab --git-bisect: a command that fails is skipped'
done_testing
