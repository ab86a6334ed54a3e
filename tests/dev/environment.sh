#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The environment of results on a loop device of the test's own: what an A/B comparison shows of it,
# and whether the facts are those of sysfs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1

if ! is_root || ! make_loop 64; then
	echo '1..0 # SKIP needs root to make a loop device'
	exit 0
fi
disk=${loop#/dev/}
sys=/sys/block/$disk
job="--name=x --filename=$loop --ioengine=psync --rw=randread --bs=4k --direct=1 --size=16m
	--time_based --runtime=100ms"

# rows CHECK: python on the JSON of the last run; rows is what it says of the environment
rows() {
	disk=$disk status=$status python3 - "$1" <<'PYTHON'
import fnmatch, json, os, sys
doc = json.load(open("out"))
disk = os.environ["disk"]
rows = {row["key"]: row for row in doc["environment"]}
notes = {}
for note in doc["notes"]:
    notes[note["id"]] = notes.get(note["id"], "") + note["text"] + "; "
status = int(os.environ["status"])
assert eval("(" + sys.argv[1] + ")"), (rows, notes, status)
PYTHON
}

# ---- settings ----

# shellcheck disable=SC2086 # a list of options
run_regio ab $job --max-pairs=5 --json --a queue.scheduler=none --b queue.scheduler=mq-deadline
rows 'rows["queue.scheduler"]["base"] == "none" and
	rows["queue.scheduler"]["new"] == "mq-deadline" and
	rows[f"disk.{disk}.queue.scheduler"]["new"] == "mq-deadline"'
ok 'A/B of schedulers shows the schedulers, as read back'
rows 'all(any(fnmatch.fnmatch(key, pattern) for pattern in ("queue.scheduler",
	f"disk.{disk}.queue.scheduler", f"disk.{disk}.iosched.*", f"disk.{disk}.queue.nr_requests",
	f"disk.{disk}.queue.async_depth")) for key in rows) and any(".iosched." in key for key in rows)'
ok 'and their parameters, and nothing else'
rows 'all(row["on_purpose"] and not row["changed_meanwhile"] for row in rows.values()) and
	"env-differs" not in notes and "env-changed" not in notes'
ok 'all of it meant, without a warning'
rows 'status == {"no_difference": 0, "improvement": 0, "regression": 1,
	"undecided": 10}[doc["verdict"]]'
ok 'the exit status is that of the verdict'

# ---- a hand that changes something ----

# What is set of a loop device outlives it.
change=wbt_lat_usec
before=$(cat "$sys/queue/$change" 2>"$tmp/refused") || change=read_ahead_kb
before=$(cat "$sys/queue/$change")
echo 70000 >"$sys/queue/$change"

# by_hand EXPERIMENT VALUE: writes it after a pair or two of that experiment
by_hand() {
	nr=0
	while [ "$nr" -lt 6 ]; do
		sleep 0.05
		nr=$(sqlite3 -cmd '.timeout 5000' regio.db \
			"SELECT count(*) FROM run WHERE experiment_id = $1" 2>"$tmp/busy") || nr=0
	done
	echo "$2" >"$sys/queue/$change"
}

# The settings of a run leave the queue as they found it, so the change is gone after that run.
by_hand 2 3000 &
# shellcheck disable=SC2086 # a list of options
run_regio ab $job --max-pairs=8 --json --a queue.nomerges=0 --b queue.nomerges=2
wait
grep -q "$disk.queue.$change changed between two runs of [AB]: .*3000" err
ok 'ab says at once what was changed by hand'
change=$change rows 'rows[f"disk.{disk}.queue." + os.environ["change"]]["changed_meanwhile"] and
	not rows[f"disk.{disk}.queue." + os.environ["change"]]["on_purpose"] and
	rows["queue.nomerges"]["on_purpose"] and "env-changed" in notes'
ok 'the block of differences shows it beside what was meant, and a note warns'

by_hand 3 4000 &
# shellcheck disable=SC2086 # a list of options
run_regio ab $job --max-pairs=8 --json --a job.iodepth=1 --b job.iodepth=2
wait
change=$change rows 'rows[f"disk.{disk}.queue." + os.environ["change"]]["changed_meanwhile"] and
	"pair" in notes["env-changed"] and "4000" in notes["env-changed"] and
	rows["job.iodepth"]["on_purpose"] and rows["job.iodepth"]["base"] == "1"'
ok 'one that stays: a note says from which pair on'

echo "$before" >"$sys/queue/$change"

# ---- the facts are those of sysfs ----

run_regio env --json "$loop"
disk=$disk python3 - <<'PYTHON'
import json, os, pathlib
disk = os.environ["disk"]
node = json.load(open("out"))["stack"][0]
assert node["node"] == f"disk.{disk}", node["node"]
facts = node["facts"]
nr = 0
for file in sorted(pathlib.Path(f"/sys/block/{disk}/queue").iterdir()):
    if not file.is_file():
        continue
    try:
        text = file.read_text().strip()
    except OSError:
        assert f"queue.{file.name}" not in facts, file
        continue
    if "[" in text:
        text = text.split("[")[1].split("]")[0]
    assert facts.get(f"queue.{file.name}", "") == text, (file, text)
    nr += 1
assert nr > 20
assert int(facts["size_bytes"]) == 64 << 20
assert facts["kind"] == "loop" and facts["loop.backing_file"].endswith("/disk1")
below = node["on"][0]
assert below["node"] == "fs.1" and below["facts"]["type"], below
PYTHON
ok 'every attribute of the queue, and the stack below the loop device'

for fs in ext4 xfs btrfs; do
	if ! command -v "mkfs.$fs" >"$tmp/where" || ! grep -qw "$fs" /proc/filesystems; then
		skip "the features of $fs" "no $fs here"
		continue
	fi
	make_loop 400
	"mkfs.$fs" "$loop" >mkfs.out 2>&1 && mkdir -p mnt && mount -o noatime "$loop" mnt ||
		echo "# cannot mount $fs"
	run_regio env --json mnt
	umount mnt
	dumpe2fs -h "$loop" >features 2>"$tmp/no-ext4" || true
	fs=$fs python3 - <<'PYTHON'
import json, os, re
fs = os.environ["fs"]
node = json.load(open("out"))["stack"][0]
facts = node["facts"]
assert facts["type"] == fs and "noatime" in facts["options"].split(","), facts
assert node["on"][0]["facts"]["kind"] == "loop"
features = set(facts["features"].split())
if fs == "ext4":
    told = re.search(r"^Filesystem features: +(.*)$", open("features").read(), re.M).group(1)
    assert features == set(told.split()) - {"needs_recovery", "orphan_present"}, (features, told)
if fs == "xfs":
    assert {"ftype", "finobt"} <= features, features
if fs == "btrfs":
    assert "extended_iref" in features and facts["metadata_profile"], facts
PYTHON
	ok "the features of $fs, and what it lies on"
done
done_testing
