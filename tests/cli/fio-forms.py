#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The same jobs under the installed fio 3.33 and under regio: JSON, terse and text have the same form.

For each job the key sets, their order and the types of json+ are compared, every value that does
not depend on time, the number and kinds of the fields of terse, and the kinds of lines of the text.
What may differ stands in DIFFERENCES with the reason.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

REGIO = os.environ["REGIO"]
DATA_BYTES = 4 << 20

# (path in the document, reason): wanted differences in the structure of the JSON.
DIFFERENCES = [
    (r"regio version", "who wrote it; readers of fio's JSON pass over other members"),
    (r"regio notes", "doubts about the measurement travel with it"),
    (r"jobs\.\d+\.(read|write|trim|mixed)\.intended_ns",
     "latency since the I/O was due, which fio does not measure; beside its own, in place of none"),
    (r"disk_util", "fio counts a device only if a sampling period fell into the run"),
    (r"(global options|jobs\.\d+\.job options)\.(group_reporting|time_based|stonewall|thread|"
     r"norandommap|new_group|exitall|refill_buffers|zero_buffers)",
     "options without a value are missing in 3.33; later versions have them, as regio"),
    (r"jobs\.\d+\.(read|write|trim|mixed)\.(slat|clat|lat)_ns\.bins",
     "the buckets that are not empty; their sum is compared"),
    (r"jobs\.\d+\.sync\.lat_ns\.bins", "as before"),
    (r"jobs\.\d+\.eta", "a job that has ended has none; fio has 0 where there was a runtime"),
]

# Members whose values are the same in both programs when the job is bound by its size.
SAME = re.compile(
    r"(global options\..*|jobs\.\d+\.(jobname|groupid|error|desc|job options\..*"
    r"|latency_(depth|target|percentile|window)|total_err|first_error"
    r"|(read|write|trim|mixed)\.((io_bytes|io_kbytes|total_ios|short_ios|drop_ios)"
    r"|(clat_ns|lat_ns|slat_ns)\.N)))$")
COUNT = re.compile(r"(io_bytes|io_kbytes|_ios|\.N)$")

# Values that differ all the same, for the cases named.
DIFFERENT_VALUES = {
    "vsync read": (r"jobs\.0\.read\.", "fio 3.33 loses the I/Os that are queued when the job ends"),
    "fdatasync": (r"jobs\.0\.read\.short_ios", "fio 3.33 counts fdatasync as a read there"),
    "group of two sections": (r"jobs\.0\.job options\.",
                              "name and options of one section; fio has the options of the last"),
    "null bsrange": (r"jobs\.0\.write\.", "sizes are drawn by other generators"),
}

NULL = "ioengine=null\nsize=256k\n"
FILE = "filename=data\nsize=256k\n"

STEADY = "[a]\nrw=randrw\nruntime=9\ntime_based\nrate_iops=200\nss_dur=2\n"

# name -> job file; "~" in front: bound by time, so that counts differ.
CASES = {
    "null read": "[a]\nrw=read\n" + NULL,
    "null write": "[a]\nrw=write\n" + NULL,
    "null randrw": "[a]\nrw=randrw\n" + NULL,
    "null trim": "[a]\nrw=trim\n" + NULL,
    "null randtrim": "[a]\nrw=randtrim\n" + NULL,
    "null trimwrite": "[a]\nrw=trimwrite\n" + NULL,
    "null deep": "[a]\nrw=randread\niodepth=16\n" + NULL,
    "null batch": "[a]\nrw=randread\niodepth=16\niodepth_batch=8\niodepth_batch_complete_min=4\n" + NULL,
    "null bsrange": "[a]\nrw=randwrite\nbsrange=4k-16k\n" + NULL,
    "null bs list": "[a]\nrw=randrw\nbs=4k,8k\n" + NULL,
    "psync read": "[a]\nrw=read\n" + FILE,
    "psync write": "[a]\nrw=write\n" + FILE,
    "psync randwrite": "[a]\nrw=randwrite\n" + FILE,
    "sync randrw": "[a]\nrw=randrw\nioengine=sync\n" + FILE,
    "pvsync rw": "[a]\nrw=rw\nioengine=pvsync\n" + FILE,
    "vsync read": "[a]\nrw=read\nioengine=vsync\niodepth=4\n" + FILE,
    "mmap randread": "[a]\nrw=randread\nioengine=mmap\n" + FILE,
    "libaio randread": "[a]\nrw=randread\nioengine=libaio\niodepth=8\n" + FILE,
    "libaio write": "[a]\nrw=write\nioengine=libaio\niodepth=8\n" + FILE,
    "io_uring randrw": "[a]\nrw=randrw\nioengine=io_uring\niodepth=4\n" + FILE,
    "fsync": "[a]\nrw=write\nfsync=8\n" + FILE,
    "fdatasync": "[a]\nrw=randwrite\nfdatasync=16\n" + FILE,
    "fsync, no clat percentiles": "[a]\nrw=write\nfsync=8\nclat_percentiles=0\n" + FILE,
    "end_fsync": "[a]\nrw=write\nend_fsync=1\n" + FILE,
    "lat percentiles": "[a]\nrw=randrw\nlat_percentiles=1\nclat_percentiles=0\n" + NULL,
    "slat percentiles": "[a]\nrw=randread\nslat_percentiles=1\nioengine=libaio\niodepth=4\n" + FILE,
    "all percentiles": "[a]\nrw=randrw\nlat_percentiles=1\nslat_percentiles=1\niodepth=4\n" + NULL,
    "no percentiles": "[a]\nrw=read\nclat_percentiles=0\n" + NULL,
    "percentile list": "[a]\nrw=read\npercentile_list=50:90.5:99.9:99.99\n" + NULL,
    "one percentile": "[a]\nrw=read\npercentile_list=99\n" + NULL,
    "mixed": "[a]\nrw=randrw\nunified_rw_reporting=mixed\n" + NULL,
    "mixed by number": "[a]\nrw=rw\nunified_rw_reporting=1\niodepth=4\n" + NULL,
    "both": "[a]\nrw=randrw\nunified_rw_reporting=both\n" + NULL,
    "mixed with fsync": "[a]\nrw=randrw\nunified_rw_reporting=mixed\nfsync=8\n" + FILE,
    "description": "[a]\nrw=read\ndescription=two words\n" + NULL,
    "two jobs": "[a]\nrw=read\n" + NULL + "[b]\nrw=write\n" + NULL,
    "clones": "[a]\nrw=read\nnumjobs=3\n" + NULL,
    "group of clones": "[a]\nrw=randread\nnumjobs=3\ngroup_reporting\n" + NULL,
    "group of two sections": "[global]\ngroup_reporting\n[a]\nrw=read\n" + NULL + "[b]\nrw=write\n" + NULL,
    "groups": "[global]\ngroup_reporting\n[a]\nrw=read\n" + NULL + "[b]\nnew_group\nrw=write\n" + NULL,
    "stonewall": "[a]\nrw=read\n" + NULL + "[b]\nstonewall\nrw=write\n" + NULL,
    "global options": "[global]\nrw=randread\nbs=8k\n[a]\n" + NULL,
    "only global options": "[global]\nrw=randread\nioengine=null\nsize=64k\n[a]\n",
    "kb_base": "[a]\nkb_base=1000\nrw=read\n" + NULL,
    "unit_base": "[a]\nunit_base=1\nrw=read\n" + NULL,
    "significant figures": "[a]\nsignificant_figures=6\nrw=read\n" + NULL,
    "number_ios": "[a]\nrw=randread\nnumber_ios=7\n" + NULL,
    "loops": "[a]\nrw=read\nloops=3\n" + NULL,
    "io_size": "[a]\nrw=read\nio_size=1m\n" + NULL,
    "nrfiles": "[a]\nrw=randwrite\nnrfiles=4\nsize=256k\n",
    "stats off": "[a]\nrw=read\nstats=0\n" + NULL + "[b]\nrw=write\n" + NULL,
    "disk_util off": "[a]\nrw=read\ndisk_util=0\n" + FILE,
    "direct": "[a]\nrw=randread\ndirect=1\nioengine=libaio\niodepth=4\n" + FILE,
    "no clat": "[a]\nrw=read\ndisable_clat=1\n" + NULL,
    "no lat": "[a]\nrw=read\ndisable_lat=1\n" + NULL,
    "no slat": "[a]\nrw=read\ndisable_slat=1\niodepth=4\n" + NULL,
    "gtod_reduce": "[a]\nrw=read\ngtod_reduce=1\n" + NULL,
    "continue_on_error": "[a]\nrw=read\ncontinue_on_error=io\n" + NULL,
    "~time based": "[a]\nrw=randrw\nruntime=2\ntime_based\nrate_iops=200\n" + NULL,
    "~time based group": "[a]\nrw=randread\nruntime=2\ntime_based\nrate_iops=200\nnumjobs=2\n"
                         "group_reporting\n" + NULL,
    "~ramp": "[a]\nrw=randwrite\nruntime=1\nramp_time=1\ntime_based\nrate_iops=200\n" + NULL,
    "~windows": "[a]\nrw=randread\nruntime=1\ntime_based\nrate_iops=500\nbwavgtime=100\n"
                "iopsavgtime=100\n" + NULL,
    "~steady by deviation": STEADY + "ss=iops:50%\ndescription=words\n" + NULL,
    "~steady by slope": STEADY + "ss=bw_slope:1000000\nnumjobs=2\ngroup_reporting\n" + NULL,
    "~latency target": "[a]\nrw=randread\niodepth=8\nrate_iops=1000\nlatency_target=10s\n"
                       "latency_window=20ms\nlatency_percentile=99.5\nioengine=null\nsize=1g\n",
    "~latency target missed": "[a]\nrw=randread\niodepth=8\nrate_iops=1000\nlatency_target=1us\n"
                              "latency_window=20ms\nlatency_percentile=50\nlatency_run=1\n"
                              "time_based\nruntime=1\nioengine=libaio\n" + FILE,
}

tests = []


def report(name, faults, skip=None):
    tests.append(not faults)
    print(f"{'not ' if faults else ''}ok {len(tests)} - {name}{' # SKIP ' + skip if skip else ''}")
    for fault in faults[:12]:
        print(f"# {fault}")
    sys.stdout.flush()


def is_wanted(path):
    return any(re.match(pattern + r"(\.|$)", path) for pattern, _ in DIFFERENCES)


# ---- running ----

def split_output(text):
    """Terse lines, the JSON document, the text behind it (header in front)."""
    begin = text.index("\n{\n") + 1
    end = text.index("\n}\n") + 3
    terse = [line for line in text[:begin].splitlines() if re.match(r"[2-5];", line)]
    head = [line for line in text[:begin].splitlines() if not re.match(r"[2-5];", line)]
    document = json.loads(text[begin:end], object_pairs_hook=lambda pairs: dict(pairs))
    return terse, document, head + text[end:].splitlines()


def run(program, job, version):
    folder = tempfile.mkdtemp(prefix="regio-forms-")
    try:
        with open(os.path.join(folder, "data"), "wb") as data:
            data.write(b"\x5a" * DATA_BYTES)
        with open(os.path.join(folder, "job.fio"), "w", encoding="ascii") as file:
            file.write(job)
        done = subprocess.run(
            program + ["--output-format=json+,normal,terse", f"--terse-version={version}", "job.fio"],
            cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        return done
    finally:
        shutil.rmtree(folder)


# ---- JSON ----

def compare_json(fio, ours, is_timed, path="", faults=None):
    faults = [] if faults is None else faults
    if isinstance(fio, dict) and isinstance(ours, dict):
        keys = [key for key in fio if not is_wanted((path + key))]
        our_keys = [key for key in ours if not is_wanted((path + key))]
        if path.endswith("options."):  # fio sorts those of files: kb_base first, filename last
            keys, our_keys = sorted(keys), sorted(our_keys)
        if keys != our_keys:
            faults.append(f"{path or 'top'}: fio has {[k for k in keys if k not in our_keys]}, regio "
                          f"{[k for k in our_keys if k not in keys]}; or the order differs")
        for key in keys:
            if key in ours:
                compare_json(fio[key], ours[key], is_timed, f"{path}{key}.", faults)
    elif isinstance(fio, list) and isinstance(ours, list):
        if len(fio) != len(ours):
            faults.append(f"{path}: {len(fio)} items, regio {len(ours)}")
        for i, (left, right) in enumerate(zip(fio, ours)):
            compare_json(left, right, is_timed, f"{path}{i}.", faults)
    elif type(fio) is not type(ours):
        faults.append(f"{path}: {fio!r} is {type(fio).__name__}, regio's {ours!r} {type(ours).__name__}")
    elif SAME.match(path[:-1]) and fio != ours and not (is_timed and COUNT.search(path[:-1])):
        faults.append(f"{path}: {fio!r}, regio {ours!r}")
    return faults


def add_mixes(document):
    """Reads and writes of a mix are drawn by other generators: only their sum is the same."""
    for job in document["jobs"]:
        read, write = job.get("read"), job.get("write")
        if not read or not read["total_ios"] or not write["total_ios"]:
            continue
        for key in ("io_bytes", "io_kbytes", "total_ios"):
            read[key], write[key] = read[key] + write[key], 0
        for key in ("clat_ns", "lat_ns", "slat_ns"):
            read[key]["N"], write[key]["N"] = read[key]["N"] + write[key]["N"], 0


def check_bins(document, faults, path=""):
    """Of every histogram: the counts add up to N, and percentiles are values of buckets."""
    for key, value in document.items() if isinstance(document, dict) else enumerate(document):
        if isinstance(value, (dict, list)):
            check_bins(value, faults, f"{path}{key}.")
    if isinstance(document, dict) and "bins" in document:
        if sum(document["bins"].values()) != document["N"]:
            faults.append(f"{path}bins: {sum(document['bins'].values())}, but N is {document['N']}")
        for percent, value in document.get("percentile", {}).items():
            if str(value) not in document["bins"]:
                faults.append(f"{path}percentile {percent}: {value} is no bucket")


def bins_of(document):
    """Where there are histograms."""
    return [f"{i}.{key}.{kind}" for i, job in enumerate(document["jobs"])
            for key in ("read", "write", "trim", "mixed", "sync") for kind in job.get(key, {})
            if isinstance(job[key][kind], dict) and "bins" in job[key][kind]]


# ---- terse ----

def kind_of(field):
    if re.fullmatch(r"\d+", field):
        return "whole"
    if re.fullmatch(r"\d+\.\d{6}", field):
        return "real"
    if re.fullmatch(r"\d+\.\d+%", field):
        return f"percent of {len(field.split('.')[1])}"
    if re.fullmatch(r"[\d.]+%=\d+", field):
        return field.split("=")[0]
    return "text"


def without_disks(fields, nr_fixed):
    """Devices stand behind the fixed fields, nine each; what follows them is kept."""
    tail = fields[nr_fixed:]
    while len(tail) >= 9 and kind_of(tail[0]) == "text" and kind_of(tail[8]) == "percent of 3":
        tail = tail[9:]
    return fields[:nr_fixed] + tail


def compare_terse(fio_lines, our_lines, version):
    faults = []
    fixed = {2: 160, 3: 121, 4: 162, 5: 180}[version]
    if len(fio_lines) != len(our_lines):
        return [f"terse: {len(fio_lines)} lines, regio {len(our_lines)}"]
    for fio_line, our_line in zip(fio_lines, our_lines):
        fio, ours = fio_line.split(";"), our_line.split(";")
        nr_fixed = fixed
        if len(fio) < fixed or ";slaves;" in fio_line:  # mixed: fewer directions
            nr_fixed = min(len(fio), len(ours), fixed)
        fio, ours = without_disks(fio, nr_fixed), without_disks(ours, nr_fixed)
        kinds = [kind_of(field) for field in fio]
        our_kinds = [kind_of(field) for field in ours]
        if kinds != our_kinds:
            where = [i for i, (a, b) in enumerate(zip(kinds, our_kinds)) if a != b][:3]
            faults.append(f"terse {version}: {len(fio)} fields, regio {len(ours)}; kinds differ at {where}")
        head = 5 if version > 2 else 4
        if fio[:head] != ours[:head]:
            faults.append(f"terse {version}: {fio[:head]}, regio {ours[:head]}")
    return faults


# ---- text ----

def kinds_of_lines(lines):
    kinds = []
    for line in lines:
        line = re.sub(r"pid=\d+: .*", "pid=N: DATE", line)
        line = re.sub(r"regio-\S+|fio-\d\S*", "VERSION", line)
        line = re.sub(r"\((nsec|usec|msec)\)", "(U)", line)
        line = re.sub(r"Starting .*", "Starting", line)
        line = re.sub(r"\d[\d.]*([kKMGT]i?)?(B|bit)?", "N", line)
        line = re.sub(r"=( +|-)N", "=N", line)
        line = line.replace("mixed: IOPS=N, BW=N (N)(N/Nmsec)", "mixed: IOPS=N, BW=N/s (N/s)(N/Nmsec)")
        line = re.sub(r"\( *[kKMG]i?(B|bit)/s\)", "(B/s)", line)
        if re.match(r"  lat \(U\) |   bw \(|   iops  |     \||.*: Laying out|note: |      |$", line):
            continue  # as many as the values want, or a matter of time
        if re.match(r"Disk stats|  \S+: ios=", line):
            continue  # a matter of time in fio
        kinds.append(line)
    return kinds


def compare_text(fio, ours):
    left, right = kinds_of_lines(fio), kinds_of_lines(ours)
    if left == right:
        return []
    for i in range(max(len(left), len(right))):
        a = left[i] if i < len(left) else "(end)"
        b = right[i] if i < len(right) else "(end)"
        if a != b:
            return [f"text: fio '{a}'", f"text: regio '{b}'"]
    return []


def compare_samples(fio, ours):
    """Jobs of some seconds have lines of samples in both."""
    def has(lines, what):
        return sum(line.startswith(what) for line in lines)
    return [f"text: {has(fio, what)} lines '{what}', regio {has(ours, what)}"
            for what in ("   bw (", "   iops  ") if has(fio, what) != has(ours, what)]


def check(name, job, version):
    is_timed = name.startswith("~")
    fio = run(["fio", "--eta=never"], job, version)
    ours = run([REGIO, "run", "--no-save", "--monitors=none"], job, version)
    if "not support" in ours.stderr:
        return report(name, [], "regio does not have the option yet")
    if fio.returncode != ours.returncode:
        return report(name, [f"exit status {fio.returncode}, regio {ours.returncode}",
                             ours.stderr.strip()])
    fio_terse, fio_json, fio_text = split_output(fio.stdout)
    our_terse, our_json, our_text = split_output(ours.stdout)
    faults = []
    if "stats=0" in job:
        fio_json["jobs"].pop()
    check_bins(our_json, faults)
    if bins_of(fio_json) != bins_of(our_json):
        faults.append(f"histograms: fio {bins_of(fio_json)}, regio {bins_of(our_json)}")
    if "list" not in name:
        add_mixes(fio_json)
        add_mixes(our_json)
    else:
        is_timed = True  # sizes differ by direction, so that sums do
    faults += [fault for fault in compare_json(fio_json, our_json, is_timed)
               if not re.match(DIFFERENT_VALUES.get(name, ("$", ""))[0], fault)]
    if "stats=0" in job:  # an entry without a name and numbers stands at the end in fio 3.33
        fio_terse = fio_terse[:-1]
    faults += compare_terse(fio_terse, our_terse, version)
    faults += compare_text(fio_text, our_text)
    if is_timed:
        faults += compare_samples(fio_text, our_text)
    return report(f"{name}, terse {version}", faults)


def main():
    try:
        version = subprocess.run(["fio", "--version"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        version = ""
    if not version.startswith("fio-3.33"):
        print("1..0 # SKIP the installed fio is not 3.33")
        return 0
    wanted = sys.argv[1:]
    for i, (name, job) in enumerate(CASES.items()):
        if not wanted or name in wanted:
            check(name, job, 2 + i % 4)
    print(f"1..{len(tests)}")
    return 0 if all(tests) else 1


if __name__ == "__main__":
    sys.exit(main())
