#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A rate limit in one combination only is attributed to it and to no other, 20 times with 20 seeds.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1

cat >plan.yaml <<'EOF'
name: planted rate limit
options: {name: x, ioengine: "null", rw: randread, size: 1g, time_based: 1, runtime: 20ms}
factors:
  iodepth: [1, 2]
  numjobs: [1, 2]
  bs: [4k, 8k]
set: {job.rate_iops: 2000}
when: [{match: {iodepth: 2, numjobs: 1, bs: 8k}, set: {job.rate_iops: 1000}}]
compare: {bs: 4k}
metric: iops
min_effect: 20%
repeats: 7
warmup: 0
EOF
right=0
seed=0
while [ "$seed" -lt 20 ]; do
	seed=$((seed + 1))
	run_regio matrix --monitors=none --no-save --seed=$seed --format=csv plan.yaml
	# the cells: iodepth,numjobs,..: one of them has the verdict, and it is the right one
	if [ "$status" -eq 1 ] && [ "$(grep -c '^[12],[12],.*,regression,' out)" -eq 1 ] &&
		grep -q '^2,1,.*,regression,' out; then
		right=$((right + 1))
	else
		echo "# seed $seed: exit status $status"
		sed 's/^/# /' out
	fi
done
[ "$right" -eq 20 ]
ok "attributed to the planted combination and no other in $right of 20 seeded repetitions"
done_testing
