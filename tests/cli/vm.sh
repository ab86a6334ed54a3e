#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Guests under QEMU without KVM: kernels of the distribution, stacks inside, virtual time.
# shellcheck source=tests/cli/vm-lib.sh
. "$(dirname "$0")/vm-lib.sh"

reads='--name=j --rw=randread --bs=4k --number_ios=1000 --ioengine=psync --direct=1'

run_regio vm boot --time=virtual "$old" --json
expect_ok 'a kernel package boots'
grep -q '"event": "end"' out && grep -q '"release": "6.1' out
ok 'and says which kernel it is, to its end'

# shellcheck disable=SC2086
guest run --set "kernel=$old" --stack null_blk:256M:memory_backed=on,ext4 $reads --size=32m \
	--output-format=archive
expect_ok 'a job runs on ext4 on null_blk in the guest'
grep -q '"target": "vm"' out && grep -q '"total_ios": 1000,' out && grep -q '"fs[^"]*type", "ext4"\|ext4' out
ok 'the result tells the target, the I/Os and the filesystem'

# shellcheck disable=SC2086
guest ab --stack null_blk:256M --seeds=2 --a "kernel=$old" --b "kernel=$old" $reads --order --json
expect_ok 'A/A: one kernel on both sides is no difference'
grep -q '"verdict": "no_difference"' out && grep -q '"ratio": 1.0,' out &&
	grep -q '"counters": {}' out
ok 'and gives the same numbers to the last digit'

# shellcheck disable=SC2086
cat >ab.fio <<'EOF'
[global]
direct=1
bs=4k
[reads]
rw=randread
ioengine=psync
number_ios=1000
[writes]
stonewall
rw=write
ioengine=libaio
iodepth=256
iodepth_batch=256
iodepth_batch_complete_min=256
number_ios=2560
EOF
cat >stripe.yaml <<'EOF'
- {type: null_blk, name: leg, count: 2, size: 256M, max_sectors: 128}
- {type: striped, name: stripe, chunk: 4k, on: leg}
EOF
guest ab --stack stripe.yaml --seeds=2 --a "kernel=$old" --b "kernel=$new" --metric=read.iops ab.fio \
	--order --json
[ "$status" -eq 1 ]
ok 'A/B: psync reads take more instructions in 6.12 than in 6.1'
python3 - out <<'EOF'
import json, sys
found = json.load(open(sys.argv[1]))
assert found['verdict'] == 'regression', found['verdict']
assert 0.88 < found['ratio'] < 0.96, found['ratio']
assert found['seed_spread'] < 0.003, found['seed_spread']
EOF
ok 'by 4 to 12 %, the same for all seeds to 0.3 %'
python3 - out <<'EOF'
import json, sys
found = json.load(open(sys.argv[1]))
rows = {row['metric']: row for row in found['other_metrics']}
for leg in 'nullr0', 'nullr1':
    name = f'disk.{leg}.write_ios'
    assert found['counters'][name] == 'regression', found['counters']
    assert rows[name]['new']['median'] > 5 * rows[name]['base']['median'], rows[name]
    assert f'order.{leg}.requests' in found['counters'], found['counters']
EOF
ok 'and writes to a stripe leave more requests to its legs: a regression of counters'

# Device-mapper, which this machine may not have: merging above two paths, and a cache.
cat >paths.yaml <<'EOF'
- {type: null_blk, name: path, count: 2, size: 256M, completion_nsec: 2000000, depth: 16, max_sectors: 1024}
- {type: multipath, name: mp, selector: round-robin, on: path}
EOF
guest run --set "kernel=$old,queue.scheduler=mq-deadline" --stack paths.yaml --name=j --rw=write \
	--bs=128k --number_ios=200 --numjobs=2 --ioengine=libaio --iodepth=64 --direct=1 \
	--group_reporting --output-format=archive
expect_ok 'dm-multipath over two paths'
python3 - out <<'EOF'
import json, sys
disks = {disk['name']: disk for disk in json.load(open(sys.argv[1]))['disks']}
assert disks['dm-0']['merges'][1] > 100, disks['dm-0']
paths = [disks[name]['ios'][1] for name in disks if name != 'dm-0']
assert len(paths) == 2 and abs(paths[0] - paths[1]) <= 2, paths
EOF
ok 'mq-deadline merges above it, and both paths get half of the requests'
cat >cache.yaml <<'EOF'
- {type: brd, name: meta, size: 8M}
- {type: null_blk, name: fast, size: 64M, memory_backed: on}
- {type: null_blk, name: slow, size: 256M, memory_backed: on}
- {type: cache, name: c, on: [meta, fast, slow]}
EOF
guest run --set "kernel=$old" --stack cache.yaml --name=j --rw=randrw --rwmixread=20 --bs=64k \
	--size=32m --number_ios=200 --ioengine=libaio --iodepth=4 --direct=1 --verify=meta \
	--output-format=archive
expect_ok 'dm-cache, random reads and writes, verified'

printf 'not a kernel' >text
# shellcheck disable=SC2086
guest run --set kernel=text --stack null_blk:1G $reads
expect 3 'not a kernel' 'a file that is no kernel'
# shellcheck disable=SC2086
guest run --set kernel=/bin/ls --stack null_blk:1G $reads
expect 3 'not a kernel: it does not say which Linux' 'a program that is no kernel'
# shellcheck disable=SC2086
guest run --set kernel=/nonexistent --stack null_blk:1G $reads
expect 4 '/nonexistent: No such file' 'a missing kernel'
# shellcheck disable=SC2086
guest run --stack null_blk:1G $reads
expect 2 'a guest needs a kernel' 'no kernel at all'
# shellcheck disable=SC2086
guest run --set "kernel=$old" --stack null_blk:1G --vm-memory=64 $reads
expect 4 'the guest' 'too little memory'
run_regio run --set "kernel=$old" --name=j --ioengine=null --size=4k
expect 6 'a guest can: --on=vm' 'kernel= on this machine'
# shellcheck disable=SC2086
env PATH=/nonexistent "$REGIO" run --on=vm --time=virtual --set "kernel=$old" $reads >out 2>err
[ $? -eq 6 ] && grep -q 'qemu-system-x86_64 cannot be run' err
ok 'no QEMU'
done_testing
