#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Guests under QEMU without KVM: kernels of the distribution, stacks inside, virtual time.
# shellcheck source=tests/cli/vm-lib.sh
. "$(dirname "$0")/vm-lib.sh"

reads='--name=j --rw=randread --bs=4k --number_ios=1000 --ioengine=psync --direct=1'

# A package manager that has one package.
mkdir bin
cat >bin/apt-get <<EOF
#!/bin/sh
file=linux-image-6.1.0-9-amd64_6.1.1-1_amd64.deb
case \$* in
*--print-uris*) echo "'http://example.org/\$file' \$file 7 SHA256:1" ;;
*) cp "$old" "\$file" ;;
esac
EOF
chmod +x bin/apt-get
env PATH="$tmp/bin:$PATH" "$REGIO" vm fetch --unpack 6.1.0-9-amd64 >out 2>err
[ $? -eq 0 ] && grep -q '^6\.1' out
ok 'vm fetch --unpack: the release that is there now'
run_regio vm cache
[ "$status" -eq 0 ] && grep -q ' linux-image-6.1.0-9-amd64_6.1.1-1_amd64.deb$' out
ok 'vm cache: the package that it is from'

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
[ "$(grep -c '"id": "virtual-time"' out)" -eq 1 ] && ! grep -q '"id": "unwatched"' out
ok 'the notes of the guests are told, once'
# A cost that is planted, on both kernels: a device-mapper layer more.
cat >plan.yaml <<EOF
name: kernels as a factor
options: {name: j, filename: "\${stack}", rw: randread, bs: 4k, number_ios: 500, ioengine: psync, direct: 1}
on: vm
time: virtual
factors:
  kernel: [$old, $new]
  stack: ["null_blk:256M", "null_blk:256M,linear"]
compare: {stack: "null_blk:256M"}
repeats: 2
EOF
run_regio matrix plan.yaml --vm-timeout=10m --json
[ "$status" -eq 1 ]
ok 'matrix with kernels as a factor, in guests'
python3 - out <<'EOF'
import json, sys
found = json.load(open(sys.argv[1]))
linear, = found['answers']
assert found['time'] == 'virtual' and found['trials']['measured_now'] == 9, found['trials']
assert [cell['verdict'] for cell in linear['cells']] == ['regression', 'regression'], linear
assert all(cell['ratio'] < 0.97 for cell in linear['cells']), linear
EOF
ok 'a linear layer is found to cost on each of them'

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
	--order
[ "$status" -eq 1 ]
ok 'A/B: psync reads take more instructions in 6.12 than in 6.1'
session=$(sed -n 's/^Stored as session \([0-9]*\): regio compare \1:A \1:B *$/\1/p' out)
[ -n "$session" ]
ok 'the report says where it is stored'
python3 - "$REGIO_STORE" "${session:-0}" <<'EOF' >out
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute(
    'SELECT document FROM experiment WHERE id = ?', (sys.argv[2],)).fetchone()[0])
EOF
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

# Device-mapper, which this machine may not have: merging above two paths that fail one after the
# other in the middle of the job, and a cache.
cat >paths.yaml <<'EOF'
- {type: null_blk, name: path, count: 2, size: 256M, completion_nsec: 4000000, depth: 16, max_sectors: 1024}
- {type: multipath, name: mp, selector: round-robin, queue_if_no_path: on, fail: [1@50ms, 2@65ms], reinstate: 2@110ms, on: path}
EOF
guest run --set "kernel=$old,queue.scheduler=mq-deadline" --stack paths.yaml --name=j --rw=write \
	--bs=128k --number_ios=1600 --numjobs=2 --ioengine=libaio --iodepth=64 --direct=1 \
	--group_reporting --output-format=archive
expect_ok 'dm-multipath: both paths fail in the middle of the job, and one comes back'
python3 - out <<'EOF'
import json, sys
result = json.load(open(sys.argv[1]))
disks = {disk['name']: disk for disk in result['disks']}
assert disks['dm-0']['merges'][1] > 100, disks['dm-0']
first, second = (disks[name]['ios'][1] for name in sorted(disks) if name != 'dm-0')
assert 0 < first < second, (first, second)
facts = dict(fact[:2] for fact in result['env'])
events = [facts[f'stack.event.{i}'].split(': ', 1)[1].rsplit(' ', 2)[0] for i in (1, 2, 3)]
assert events == ["layer 'mp': fail_path", "layer 'mp': fail_path", "layer 'mp': reinstate_path"], events
assert ' F 1' in facts['stack.mp.status'], facts['stack.mp.status']
EOF
ok 'I/O waits, goes on over the path that is good again, and mq-deadline merges'
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
grep -q '"stack.c.write_hits"' out
ok 'with its hits and misses'

# Bisection over kernels, in guests: what they measure is in the log as soon as it is known. In
# virtual time nothing new comes with repetition, so the pairs that the search wants are made of it.
mkdir packages
ln -s "$old" packages/linux-image-z_6.1.1_amd64.deb
ln -s "$new" packages/linux-image-a_6.12.1_amd64.deb
# shellcheck disable=SC2086
"$REGIO" bisect --store=bisect.db --kernels=packages --on=vm --time=virtual --vm-timeout=10m \
	--stack=null_blk:256M --monitors=none --max-pairs=8 --confirm-pairs=0 -- $reads \
	>bisect.out 2>&1 &
searcher=$!
for _ in $(seq 1200); do
	"$REGIO" bisect --store=bisect.db --log 1 >log 2>/dev/null && grep -q '^warmup 1 ' log && break
	runs "$searcher" || break
	sleep 0.1
done
kill -INT "$searcher" 2>/dev/null
status=0
wait "$searcher" || status=$?
[ "$status" -eq 7 ] && grep -q '^candidate 0 .* 6\.1\.1' log && grep -q '^candidate 1 .* 6\.12\.1' log
ok 'bisect --kernels --on=vm: packages in the order of their versions, interrupted'
value() {
	awk -v n="$1" '$1 == "warmup" && $2 == n { print "run", n, $3, "#" }' log
}
for _ in $(seq 16); do # whose turn it is, is drawn
	{ cat log; value 0; } >next
	"$REGIO" bisect --replay next 2>&1 | grep -q 'one of 1 is due' && { cat log; value 1; } >next
	cp next log
done
run_regio bisect --replay log
[ "$status" -eq 1 ] && grep -q '^first bad kernel: .*6\.12\.1' out
ok 'and the kernel in which psync reads take more instructions is named'

# ---- a script of steps, and a shell ----
cat >steps.txt <<'EOF'
modprobe null_blk gb=1 irqmode=0
settle
write /sys/block/nullb0/queue/scheduler none
cat /sys/block/nullb0/queue/scheduler
modprobe dm_mod
dm two "0 1024 linear /dev/nullb0 0; 1024 1024 linear /dev/nullb0 4096"
job --name=steps --filename=/dev/mapper/two --rw=randread --bs=4k --number_ios=100 --direct=1
dm-status two
-write /sys/block/nullb0/queue/scheduler no-such-scheduler
run uname -r
cat /sys/block/nullb0/stat
-mount ext4 /dev/nullb0 /mnt
stack loop:1G,ext4
EOF
run_regio vm run --time=virtual "$old" steps.txt
expect 4 'in the guest: steps.txt:13: stack: .*No space left on device: .* half of its memory of 1024 MiB, .*--vm-memory' \
	'vm run: the step that fails is told with its line, and what would help'
grep -q '\[none\]' out && grep -q '^steps: (groupid=0' out && grep -q '^6\.1' out &&
	grep -q '^! steps.txt:9: write: ' out && grep -q '^! steps.txt:12: mount: /dev/nullb0 on /mnt: ' out
ok 'what came before it was done: modules, attributes, a table, a job, a program'
if command -v busybox >/dev/null 2>&1 && ldd "$(command -v busybox)" 2>&1 | grep -q 'not a dynamic'; then
	cat >talk.py <<'EOF'
import os, pty, select, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
said, sent, deadline = b'', False, time.time() + 300
while time.time() < deadline:
    if select.select([fd], [], [], 1)[0]:
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        said += data
    if not sent and b' # ' in said:
        os.write(fd, b'echo "the answer is $((6*7))"; cat /sys/block/*/size | sort -u; exit\n')
        sent = True
sys.stdout.buffer.write(said)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
EOF
	python3 talk.py "$REGIO" vm shell "$new" --stack null_blk:64M >talk 2>&1
	[ $? -eq 0 ] && grep -q 'the answer is 42' talk && grep -q '^131072' talk
	ok 'vm shell: a terminal in the guest, with a stack, to its exit'
	status=0
	echo exit | timeout 60 "$REGIO" vm shell "$new" >out 2>err || status=$?
	expect 2 'vm shell: standard input is no terminal; .regio vm run. does' 'vm shell without a terminal'
else
	skip 'vm shell' 'no static busybox'
fi
run_regio vm shell /nonexistent
[ "$status" -ne 0 ] && grep -Eq '/nonexistent: No such file|busybox' err
ok 'vm shell: a kernel that is not there'
printf 'cat\n' >bad.txt
run_regio vm run "$old" bad.txt
expect 3 'bad.txt:1: cat: it is written .cat PATH.' 'vm run: a script with a mistake'
printf 'settle\njob --name=j --rw=read --blocksize\n' >bad.txt
run_regio vm run "$old" bad.txt
expect 3 'bad.txt:2: job: ' 'vm run: a job with a mistake'
run_regio vm run "$old"
expect 2 'one kernel and one script' 'vm run: no script'

head -c 1000000 "$old" >cut.deb
# shellcheck disable=SC2086
guest run --set kernel=cut.deb --stack null_blk:1G $reads
expect 3 'cut.deb: truncated' 'a package that is cut off'
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
guest run --set kernel=9.9 --stack null_blk:1G $reads
expect 4 'kernel 9.9: there is no such file, and no kernel of that release' 'a release that is not unpacked'
# shellcheck disable=SC2086
guest run --stack null_blk:1G $reads
expect 2 'a guest needs a kernel' 'no kernel at all'
# shellcheck disable=SC2086
run_regio run --time=virtual --set "kernel=$old" $reads
expect 2 'time=virtual is the clock of a guest' 'a clock without a guest'
if [ ! -e /dev/kvm ]; then
	# shellcheck disable=SC2086
	run_regio run --on=vm --time=real --set "kernel=$old" $reads
	expect 6 'time=real needs KVM: /dev/kvm' 'real time without KVM'
fi
# shellcheck disable=SC2086
guest run --set "kernel=$old" --stack null_blk:1G --vm-memory=64 $reads
expect 2 'vm-memory: 64 MiB are too little for this guest: kernel and initramfs' 'too little memory'
# shellcheck disable=SC2086
guest run --set "kernel=$old" --stack null_blk:1G --vm-memory=4294967295 $reads
expect 2 'MiB are more than this machine has' 'too much memory'
run_regio run --set "kernel=$old" --name=j --ioengine=null --size=4k
expect 6 'a guest can: --on=vm' 'kernel= on this machine'
# shellcheck disable=SC2086
env PATH=/nonexistent "$REGIO" run --on=vm --time=virtual --set "kernel=$old" $reads >out 2>err
[ $? -eq 6 ] && grep -q 'qemu-system-x86_64 cannot be run' err
ok 'no QEMU'
done_testing
