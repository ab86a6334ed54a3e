#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of whole runs: kill -9 at random moments, signals, bad input. In the end mounts, loop and
# zram devices, folders and sysfs are as before.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

if ! is_root; then
	echo '1..0 # SKIP needs root to make devices'
	exit 0
fi
if [ ! -e /dev/loop-control ] || ! command -v mkfs.ext4 >/dev/null; then
	echo '1..0 # SKIP no loop devices or no mkfs.ext4 here'
	exit 0
fi
TMPDIR=$tmp
export TMPDIR
zram=
[ -e /sys/class/zram-control/hot_add ] && zram=yes

# Everything that a stack may leave: what is ours, and the devices that were there before with all
# attributes of their queues. Others may make and remove devices of theirs meanwhile.
snapshot() {
	grep "$tmp" /proc/mounts
	losetup -a | grep "$tmp"
	for device in $devices; do
		for file in /sys/block/"$device"/queue/* /sys/block/"$device"/queue/iosched/*; do
			[ -f "$file" ] && echo "$file $(cat "$file" 2>/dev/null)"
		done
	done
	find "$tmp" -path '*regio-stack*' -not -path '*/mount/*' 2>/dev/null
	ls -A "$REGIO_STATE_DIR/journal" 2>/dev/null
}
# idle ones: what others use may change
devices=
for device in /sys/block/loop*; do
	[ -e "$device" ] && [ ! -e "$device/loop" ] && devices="$devices ${device##*/}"
done
zrams_before=$(ls -d /sys/block/zram* 2>/dev/null)

# our devices are those that are new and bound to our files, so these must be gone
leftover_nodes() {
	for device in /sys/block/loop*; do
		case " $devices " in
		*" ${device##*/} "*) continue ;;
		esac
		grep -qs "$tmp" "$device/loop/backing_file" && echo "$device"
	done
}
snapshot >"$tmp/before"

job='--name=x --rw=randwrite --bs=4k --size=2m --ioengine=libaio --direct=1 --iodepth=4'
cat >"$tmp/deep.yaml" <<'EOF'
- {type: loop, name: lower, size: 64M}
- {type: loop, name: upper, on: lower}
- {type: ext4, on: upper, mkfs: -N 1024, mount: noatime}
EOF
stacks="loop:24M,ext4 $tmp/deep.yaml"
[ -n "$zram" ] && stacks="$stacks zram:48M,ext4"

# how long one takes, for the moments
start=$(date +%s%N)
# shellcheck disable=SC2086 # several words on purpose
run_regio run $job --stack "$tmp/deep.yaml" --set queue.scheduler@upper=mq-deadline --no-save --monitors none
expect_ok 'a stack of three layers with a setting of one of them'
length_ms=$((($(date +%s%N) - start) / 1000000))
snapshot | cmp -s - "$tmp/before"
ok 'nothing is left'

# The moments lie evenly over the run, shifted by chance
nr_kills=30
seed=$$
survived=0
failed=
for nr in $(seq $nr_kills); do
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	delay_ms=$((length_ms * nr / nr_kills + seed % (length_ms / 10 + 1) - length_ms / 20))
	[ $delay_ms -lt 1 ] && delay_ms=1
	stack=$(echo "$stacks" | cut -d' ' -f$((nr % $(echo "$stacks" | wc -w) + 1)))
	setting=
	[ "$stack" = "$tmp/deep.yaml" ] && setting='--set queue.scheduler@upper=mq-deadline,queue.nr_requests@lower=32'
	# shellcheck disable=SC2086
	"$REGIO" run $job --stack "$stack" $setting --no-save --monitors none >/dev/null 2>&1 &
	pid=$!
	sleep "$(awk -v ms=$delay_ms 'BEGIN { print ms / 1000 }')"
	kill -KILL $pid 2>/dev/null && survived=$((survived + 1))
	wait $pid 2>/dev/null
	run_regio restore
	if [ "$status" -ne 0 ] || ! snapshot | cmp -s - "$tmp/before" || [ -n "$(leftover_nodes)" ]; then
		failed="$failed $delay_ms"
		echo "# killed after $delay_ms ms of $stack: restore ended with $status"
		sed 's/^/# /' "$tmp/out" "$tmp/err"
		snapshot | diff "$tmp/before" - | sed 's/^/# /'
	fi
done
[ -z "$failed" ]
ok "after each of $nr_kills kills (of which $survived hit a running regio) restore leaves everything as before"
zrams_after=$(ls -d /sys/block/zram* 2>/dev/null)
[ "$zrams_before" = "$zrams_after" ] || echo "# zram devices: before $zrams_before, after $zrams_after"

# a kill is told by the next run, with the devices
# shellcheck disable=SC2086
"$REGIO" run $job --time_based --runtime=60 --stack loop:24M,ext4 --no-save --monitors none >/dev/null 2>&1 &
pid=$!
waited=0
until grep -qs "$tmp.*ext4" /proc/mounts || [ $waited -gt 100 ]; do
	sleep 0.1
	waited=$((waited + 1))
done
sleep 0.3
kill -KILL $pid
wait $pid 2>/dev/null
run_regio run --name=n --ioengine=null --rw=read --size=4k --no-save
grep -q 'left behind: loop device /dev/loop' "$tmp/err" && grep -q 'left behind: ext4 of /dev/loop' "$tmp/err"
ok 'the next run names what a killed one has left behind'
# somebody works on the filesystem: restore says so, and is asked again later
mount=$(awk -v tmp="$tmp" 'index($2, tmp) && $3 == "ext4" { print $2 }' /proc/mounts)
node=$(awk -v tmp="$tmp" 'index($2, tmp) && $3 == "ext4" { print $1 }' /proc/mounts)
(cd "$mount" && exec sleep 60) &
holder=$!
sleep 0.2
run_regio restore
expect 4 "cannot take back ext4 of /dev/loop.*unmount $mount: Device or resource busy" 'a busy mount'
kill $holder
wait $holder 2>/dev/null
run_regio restore
expect_ok 'and restored later'
snapshot | cmp -s - "$tmp/before" && [ -n "$node" ] && [ ! -e "/sys/block/${node#/dev/}" ]
ok 'everything is as before, and the loop device is gone'

for signal in INT TERM; do
	# shellcheck disable=SC2086
	"$REGIO" run $job --time_based --runtime=60 --stack loop:24M,ext4 --no-save --monitors none >/dev/null 2>&1 &
	pid=$!
	waited=0
	until grep -qs "$tmp.*ext4" /proc/mounts || [ $waited -gt 100 ]; do
		sleep 0.1
		waited=$((waited + 1))
	done
	kill -$signal $pid
	wait $pid
	[ $? -eq 7 ] && snapshot | cmp -s - "$tmp/before"
	ok "SIG$signal during a run"
done

# a mount that a program left behind keeps busy: told, kept in the journal, taken back later
run_regio ab --stack loop:24M,ext4 --no-save --monitors none \
	--exec "cd \$mount && { setsid sh -c 'echo \$\$ >>$tmp/holder; exec sleep 60' &
		until [ -s $tmp/holder ]; do sleep 0.01; done; }; echo ops 1 /s"
expect 4 'the machine is not as it was: cannot take back ext4 of /dev/loop.*Device or resource busy; kept in' \
	'ab: a busy mount ends it'
[ "$(wc -l <"$tmp/holder")" -eq 1 ] && kill "$(cat "$tmp/holder")"
ok 'after the first trial'
rm -f "$tmp/holder"
run_regio restore
expect_ok 'and it is restored later'
snapshot | cmp -s - "$tmp/before"
ok 'everything is as before'

# one line each, with the place, and nothing left
refuse() {
	# shellcheck disable=SC2086
	run_regio run $job --stack "$1" --no-save --monitors none
	expect "$2" "$3" "$4"
	snapshot | cmp -s - "$tmp/before"
	ok "$4: nothing is left"
}
refuse 'loop:24M,nosuch' 2 "there is no layer 'nosuch'" 'an unknown layer'
printf -- '- {type: loop, name: a, on: b}\n- {type: loop, name: b, on: a}\n' >"$tmp/circle.yaml"
refuse "$tmp/circle.yaml" 3 'circle.yaml:1: .*the stack is a circle: a on b on a' 'a circle'
printf -- '- {type: loop, size: 24M}\n- {type: ext4, mount: nosuch}\n' >"$tmp/mount.yaml"
refuse "$tmp/mount.yaml" 4 "mount.yaml:2: layer 'ext4': mount /dev/loop.* with nosuch: Invalid" 'a mount option that is refused'
refuse 'loop:24M,ext4:mkfs=-I 3' 4 "layer 'ext4': mkfs.ext4" 'mkfs that fails'
refuse 'loop:8000000G' 4 "layer 'loop': make .* of .*: (File too large|No space left)" 'no space'
refuse 'loop:24M:block_size=4k:direct_io=on,loop:24M:size=1' 2 'two|given twice' 'an option given twice'
if [ -n "$zram" ]; then
	refuse 'zram:24M:algorithm=nosuch' 4 "layer 'zram': write 'nosuch' to /sys/block/zram" 'a value that the kernel refuses'
else
	skip 'a value that the kernel refuses' 'no zram here'
fi
refuse 'null_blk:1G' 6 'null_blk: this kernel has no such driver; use --on vm' 'no driver' 2>/dev/null ||
	skip 'no driver' 'this kernel has null_blk'
mkdir "$tmp/empty"
mkfs_folder=$(dirname "$(command -v mkfs.ext4)")
# shellcheck disable=SC2086
unshare -m sh -c "mount --bind '$tmp/empty' '$mkfs_folder' && exec '$REGIO' run $job --stack loop:24M,ext4 --no-save" \
	>"$tmp/out" 2>"$tmp/err"
status=$?
expect 4 "layer 'ext4': mkfs.ext4 is not installed .package e2fsprogs" 'mkfs is missing'
snapshot | cmp -s - "$tmp/before"
ok 'mkfs is missing: nothing is left'
# the same in a plan: the line of the plan is named
refuse_plan() {
	printf 'options: {name: x, rw: randwrite, size: 2m}\nfactors: {iodepth: [1, 2]}\nstack: %s\nrepeats: 5\n' "$1" \
		>"$tmp/plan.yaml"
	run_regio matrix "$tmp/plan.yaml" --no-save --monitors none
	expect "$2" "plan.yaml:3: stack: $3" "plan: $4"
	snapshot | cmp -s - "$tmp/before"
	ok "plan: $4: nothing is left"
}
refuse_plan 'loop:24M,ext4:mkfs=-I 3' 4 "layer 'ext4': mkfs.ext4" 'mkfs that fails'
refuse_plan 'loop:8000000G' 4 "layer 'loop': make .* of .*: (File too large|No space left)" 'no space'
refuse_plan 'loop:24M,xfs:mount=nosuch' 4 "layer 'xfs': " 'a filesystem that cannot be made'
truncate -s 24M "$tmp/disk"
loop=$(losetup -f --show "$tmp/disk")
mkfs.ext4 -q -F "$loop"
snapshot >"$tmp/before"
refuse "device:$loop,ext4" 5 "$loop.*ext4" 'a device with data on it'
mkdir "$tmp/mnt"
mount "$loop" "$tmp/mnt"
snapshot >"$tmp/before"
refuse "device:$loop,ext4" 5 "$loop.*mounted" 'a device in use'
refuse_plan "device:$loop,ext4" 5 ".*$loop.*mounted" 'a device in use'
umount "$tmp/mnt"
snapshot >"$tmp/before"
# shellcheck disable=SC2086
run_regio run $job --stack "device:$loop,ext4" --allow-destructive="$loop" --no-save --monitors none
expect_ok 'with --allow-destructive it is used'
losetup -d "$loop"
done_testing
