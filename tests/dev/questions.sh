#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The 23 questions that were asked in five threads about block regressions, each answered from what
# is stored with a comparison, without measuring again.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
cd "$tmp" || exit 1

if ! is_root || ! make_loop 64; then
	echo '1..0 # SKIP needs root to make a loop device'
	exit 0
fi
# What is set of a loop device outlives it.
wbt=/sys/block/${loop#/dev/}/queue/wbt_lat_usec
wbt_before=$(cat "$wbt" 2>"$tmp/no-wbt") || wbt_before=
[ -z "$wbt_before" ] || echo 75000 >"$wbt"

cat >job.fio <<JOB
[global]
filename=$loop
size=16m
direct=1
[random]
rw=randread
ioengine=libaio
iodepth=4
time_based
runtime=100ms
JOB

# Asked after the fact: a comparison and some more runs, then only the store is read.
run_regio ab job.fio --max-pairs=5 --json --a queue.scheduler=none --b queue.scheduler=mq-deadline
cp out ab.json
run_regio run job.fio --rw=read --label=sequential
run_regio run job.fio --label=plain
[ -z "$wbt_before" ] || echo 0 >"$wbt"
run_regio run job.fio --label=changed
[ -z "$wbt_before" ] || echo "$wbt_before" >"$wbt"
losetup -d "$loop"
loop_devices=
run_regio env --json 1:A
cp out env.json
run_regio env diff --json plain sequential
cp out sequential.json
run_regio env diff --json plain changed
cp out changed.json
run_regio compare --json plain sequential
cp out compare.json

cat >questions.py <<'PYTHON'
import json, os, sqlite3
ab = json.load(open("ab.json"))
env = json.load(open("env.json"))
facts = env["facts"]
disk = env["stack"][0]["facts"]
name = env["stack"][0]["node"].split(".", 1)[1]
below = env["stack"][0]["on"][0]
diff = {row["key"]: row for row in ab["environment"]}
store = sqlite3.connect("regio.db")
metrics = {key for (key,) in store.execute(
    "SELECT name FROM metric_name JOIN metric_value ON metric_id = metric_name.id JOIN run ON run.id = run_id "
    "WHERE label = 'A'")}
others = {row["metric"] for row in ab["other_metrics"]} | {ab["metric"]}


def rows(file):
    return {row["key"]: row for row in json.load(open(file))["environment"]}


def column(sql):
    return [value for (value,) in store.execute(sql)]


changed = rows("changed.json")
questions = [
    ("what is the device queue depth?",
     int(disk["queue.nr_requests"]) == 128 and int(facts["module.loop.hw_queue_depth"]) > 0
     and int(disk["nr_hw_queues"]) > 0),
    ("the same conditions, sequential read?",
     set(rows("sequential.json")) == {"job.rw"}
     and rows("sequential.json")["job.rw"]["new"] == "read"),
    ("do you want more data?",
     len(facts) > 80 and len(disk) > 50 and len(metrics) > 100
     and len(ab["base"]["values"]) == len(ab["new"]["values"]) == ab["pairs"]
     and column("SELECT count(*) FROM histogram")[0] > 10),
    ("is it a known implication of this series? which kernel exactly?",
     facts["kernel.release"] == os.uname().release and facts["kernel.version"]
     and (len(facts.get("kernel.config_sha256", "")) != 64
          or "CONFIG_" in column("SELECT text FROM attachment")[0])),
    ("can a change of initialisation alone matter? is the state of the queue the same?",
     "queue.wbt_lat_usec" not in disk
     or changed[f"disk.{name}.queue.wbt_lat_usec"]["new"] == "0"),
    ("is wbt on in a read test?",
     "queue.wbt_lat_usec" not in disk or int(disk["queue.wbt_lat_usec"]) > 0),
    ("which driver?",
     disk["driver"] == "loop" and below["facts"]["type"]
     and all(node["facts"]["driver"] for node in below["on"])),
    ("was it ever resolved? is there an earlier and a later sample to compare?",
     set(column("SELECT label FROM run")) == {"A", "B", "sequential", "plain", "changed"}
     and min(column("SELECT started_at_unix_ms FROM run")) > 10**12),
    ("could the result be a fluke?",
     ab["verdict"] and ab["alpha"] == 0.05 and len(ab["interval"]) == 2 and ab["pairs"] >= 5),
    ("what does the test do?",
     "rw=randread" in column("SELECT workload FROM run WHERE label = 'A'")[0]
     and facts["job.bs"] == "4k" and facts["job.direct"] == "1" and facts["job.ioengine"]),
    ("which filesystem, and what do others give?",
     below["node"] == "fs.1" and below["facts"]["mount"] and below["facts"]["options"]),
    ("is anything reordered or merged?",
     {f"disk.{name}.read_merges", f"iostat.{name}.rrqm/s", f"iostat.{name}.rareq-sz"} <= metrics),
    ("which scheduler, really?",
     diff[f"disk.{name}.queue.scheduler"]["base"] == "none"
     and diff[f"disk.{name}.queue.scheduler"]["new"] == "mq-deadline"),
    ("does the rotational attribute matter?", disk["queue.rotational"] in ("0", "1")),
    ("the spread is huge, are we sure?",
     ab["new"]["stddev_percent"] >= 0 and ab["new"]["n"] == len(ab["new"]["values"])),
    ("was the spread that big before?", ab["base"]["stddev_percent"] >= 0),
    ("the same with none instead of mq-deadline?",
     diff["queue.scheduler"]["base"] == "none" and diff["queue.scheduler"]["on_purpose"]),
    ("is there a measure with less variation?",
     all(row["base"]["stddev_percent"] is None or row["base"]["stddev_percent"] >= 0
         for row in ab["other_metrics"]) and len(others) > 20),
    ("is it in the suite already? what was measured before?",
     column("SELECT kind FROM experiment") == ["ab", "run", "run", "run"]
     and all(column("SELECT workload FROM run"))),
    ("which job file is the right one?",
     "job.fio" in ab["repeat_command"] and f"--seed={ab['seed']}" in ab["repeat_command"]
     and facts["job.iodepth"] == "4" and facts["job.invalidate"] == "1"),
    ("what is the threshold?", ab["min_effect"] == 0.05 and ab["alpha"] == 0.05),
    ("bandwidth, IOPS or both?",
     ab["metric"] == "read.iops" and {"read.bw_bytes_per_sec", "read.clat_ns.mean"} <= others),
    ("does watching disturb the result?", {"monitor.cpu%", "monitor.samples"} <= metrics),
]
assert len(questions) == 23
for nr, (question, is_answered) in enumerate(questions, 1):
    print(f"{'ok' if is_answered else 'not ok'} {nr} - {nr}: {question}")
print("1..23")
raise SystemExit(not all(is_answered for _, is_answered in questions))
PYTHON
python3 questions.py
exit $?
