#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that read fio's output read regio's: those that Debian ships with fio, the keys that LKP
takes, regio's own importers. The logs have the names and the form of fio's, and add up.
"""
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

REGIO = os.environ["REGIO"]
PCTILES = "/usr/share/doc/fio/fio-histo-log-pctiles.py.gz"

JOB = """[global]
rw=randrw
size=4m
filename=data
ioengine=libaio
iodepth=4
lat_percentiles=1
slat_percentiles=1
{extra}
[c]
numjobs=2
runtime=1
time_based
rate_iops=300
"""
LOGS = "write_bw_log=p\nwrite_iops_log=p\nwrite_lat_log=p\nwrite_hist_log=p\nlog_hist_msec=250\n"

tests = []


def report(good, name, *notes):
    tests.append(bool(good))
    print(f"{'' if good else 'not '}ok {len(tests)} - {name}")
    if not good:
        for note in notes:
            print("# " + str(note).replace("\n", "\n# ")[:1500])
    sys.stdout.flush()


def skip(name, why):
    tests.append(True)
    print(f"ok {len(tests)} - {name} # SKIP {why}")


def call(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def measure(program, folder, extra, formats="json+"):
    os.makedirs(folder)
    with open(f"{folder}/job.fio", "w", encoding="ascii") as file:
        file.write(JOB.format(extra=extra))
    done = call(program + [f"--output-format={formats}", "--output=out", "job.fio"], folder)
    if done.returncode:
        print(f"# {program[0]} ended with {done.returncode}: {done.stderr[:500]}")
    return folder


def read_json(folder):
    with open(f"{folder}/out", encoding="utf-8") as file:
        text = file.read()
    return json.loads(text[text.index("{"):])


def both(tmp, name, extra, formats="json+"):
    return (measure(["fio", "--eta=never"], f"{tmp}/{name}-fio", extra, formats),
            measure([REGIO, "run", "--no-save", "--monitors=none"], f"{tmp}/{name}-regio", extra, formats))


def logs_of(folder):
    return sorted(os.path.basename(path) for path in glob.glob(f"{folder}/*.log"))


def lines_of(folder, name):
    with open(f"{folder}/{name}", encoding="ascii") as file:
        return file.read().splitlines()


# ---- logs ----

def form_of(line):
    return re.sub(r"\d+", "N", re.sub(r"0x[0-9a-f]{4}$", "HEX", line))


def check_forms(fio, ours, what):
    report(logs_of(fio) == logs_of(ours) and logs_of(fio), f"{what}: the files are the same",
           logs_of(fio), logs_of(ours))
    faults = []
    for name in logs_of(fio):
        forms = {form_of(line) for line in lines_of(fio, name)}
        our_forms = {form_of(line) for line in lines_of(ours, name)}
        if forms != our_forms:
            faults.append(f"{name}: fio {sorted(forms)[:2]}, regio {sorted(our_forms)[:2]}")
    report(not faults, f"{what}: so are the forms of their lines", *faults)


def column(folder, pattern, number, direction=None):
    values = []
    for path in glob.glob(f"{folder}/{pattern}"):
        for line in lines_of(folder, os.path.basename(path)):
            fields = line.split(", ")
            if direction is None or int(fields[2]) == direction:
                values.append(int(fields[number]))
    return values


def check_each(folder):
    """Without windows every I/O is one line, and its values are those of the report."""
    jobs = read_json(folder)["jobs"]
    for direction, key in enumerate(("read", "write")):
        ios = sum(job[key]["total_ios"] for job in jobs)
        for kind, name in (("bw", None), ("iops", None), ("slat", "slat_ns"), ("clat", "clat_ns"),
                           ("lat", "lat_ns")):
            values = column(folder, f"p_{kind}.*.log", 1, direction)
            good = len(values) == ios
            if name:
                good &= max(values) == max(job[key][name]["max"] for job in jobs)
                good &= min(values) == min(job[key][name]["min"] for job in jobs)
                mean = sum(job[key][name]["mean"] * job[key][name]["N"] for job in jobs) / ios
                good &= abs(sum(values) / ios - mean) < 0.01
            report(good, f"{key}s: {kind} of each I/O is in the log", len(values), ios)
        counts = sum(sum(int(count) for count in line.split(", ")[3:])
                     for path in glob.glob(f"{folder}/p_clat_hist.*.log")
                     for line in lines_of(folder, os.path.basename(path))
                     if int(line.split(", ")[1]) == direction)
        report(counts == ios, f"{key}s: the histograms of the log add up to all I/Os", counts, ios)


def check_windows(folder):
    """Rate times length of all windows is what the report has, but for the rounding of each line."""
    for clone, job in enumerate(read_json(folder)["jobs"], 1):
        for direction, key in enumerate(("read", "write")):
            total, before, nr = 0, 0, 0
            for line in lines_of(folder, f"p_bw.{clone}.log"):
                time_ms, value, which = (int(field) for field in line.split(", ")[:3])
                if which != direction:
                    continue
                total += value * 1024 * (time_ms - (time_ms - 1) // 200 * 200) / 1000
                nr += 1
            expected = job[key]["io_bytes"]
            report(nr >= 5 and abs(total - expected) < nr * 1024 + expected * 0.005,
                   f"clone {clone}: windows of {key}s add up to io_bytes", total, expected, before)


# ---- clients ----

def check_clat2csv(fio, ours):
    heads = []
    for folder in (fio, ours):
        done = call(["fio_jsonplus_clat2csv", "out", "csv.csv"], folder)
        report(done.returncode == 0, f"fio_jsonplus_clat2csv converts {os.path.basename(folder)}",
               done.stdout + done.stderr)
        heads.append([open(path, encoding="ascii").readline() for path in sorted(glob.glob(f"{folder}/csv*.csv"))])
    report(heads[0] == heads[1] and heads[0], "its columns are the same", heads)
    job = read_json(ours)["jobs"][0]
    with open(f"{ours}/csv_job0.csv", encoding="ascii") as file:
        names = [name.strip() for name in file.readline().split(",")]
        rows = [line.split(",") for line in file]
    index = names.index("read_clat_ns_count")
    total = sum(int(row[index]) for row in rows if row[index].strip())
    report(total == job["read"]["clat_ns"]["N"], "its counts add up to N", total)


def check_gnuplot(fio, ours):
    for tool in (["fio2gnuplot", "-b"], ["fio2gnuplot", "-i"], ["fio_generate_plots", "title"]):
        made = []
        if tool[0] == "fio_generate_plots" and not shutil.which("gnuplot"):
            skip("fio_generate_plots", "gnuplot is not installed")
            continue
        for folder in (fio, ours):
            before = set(os.listdir(folder))
            done = call(tool, folder)
            made.append(sorted(set(os.listdir(folder)) - before))
            report(done.returncode == 0 and "rror" not in done.stdout,
                   f"{' '.join(tool)} reads {os.path.basename(folder)}", done.stdout + done.stderr)
        report(made[0] == made[1], f"{' '.join(tool)} makes the same files of both", made)


def check_pctiles(fio, ours, tmp):
    if not os.path.exists(PCTILES):
        return skip("fio-histo-log-pctiles.py", "not in this package of fio")
    script = f"{tmp}/pctiles.py"
    with gzip.open(PCTILES, "rb") as packed, open(script, "wb") as file:
        shutil.copyfileobj(packed, file)
    for folder in (fio, ours):
        done = call([sys.executable, script, "--percentiles", "50", "99", "--time-quantum", "1", "--",
                     "p_clat_hist.1.log", "p_clat_hist.2.log"], folder)
        rows = [line for line in done.stdout.splitlines() if re.match(r" *\d+, +\d+, ", line)]
        report(done.returncode == 0 and rows, f"fio-histo-log-pctiles.py reads {os.path.basename(folder)}",
               done.stdout + done.stderr)
    return None


def lkp_numbers(document):
    """The numbers that lkp-tests takes out of fio's JSON: of the first job, reads and writes."""
    job = document["jobs"][0]
    numbers = {}
    for op in ("read", "write"):
        numbers[f"{op}_bw_MBps"] = job[op]["bw"] / 1024
        numbers[f"{op}_iops"] = job[op]["iops"]
        clat, slat = job[op]["clat_ns"], job[op]["slat_ns"]
        numbers[f"{op}_clat_mean_ns"], numbers[f"{op}_clat_stddev"] = clat["mean"], clat["stddev"]
        for percent in ("90", "95", "99"):
            numbers[f"{op}_clat_{percent}%_ns"] = clat["percentile"][f"{percent}.000000"]
        numbers[f"{op}_slat_mean_us"], numbers[f"{op}_slat_stddev"] = slat["mean"], slat["stddev"]
    for unit in ("us", "ms"):
        for bound, share in job[f"latency_{unit}"].items():
            numbers[f"latency_{bound}{unit}%"] = share
    numbers["workload"] = job["read"]["total_ios"] + job["write"]["total_ios"]
    return numbers


def check_lkp(fio, ours):
    left, right = lkp_numbers(read_json(fio)), lkp_numbers(read_json(ours))
    report(list(left) == list(right) and all(isinstance(value, (int, float)) for value in right.values()),
           "LKP takes the same numbers", left, right)
    report(len(right) == 41, "all of them: 9 of each direction, 22 shares, the workload", len(right))


def fio_plot_numbers(document):
    """What fio-plot takes: the options of job and [global] merged, numbers of the directions."""
    taken = [all(key in document for key in ("fio version", "jobs"))]
    for job in document["jobs"]:
        options = {**document.get("global options", {}), **job["job options"]}
        taken.append([options[key] for key in ("rw", "iodepth", "numjobs", "bs")])
        for mode in ("read", "write"):
            part = job[mode]
            taken += [type(value).__name__ for value in (
                part["bw"], part["iops"], part["iops_stddev"], part["lat_ns"]["mean"],
                part["lat_ns"]["stddev"])]
        for key in ("latency_ns", "latency_us", "latency_ms"):
            taken.append(list(job[key]))
        taken += [type(job[key]).__name__ for key in ("usr_cpu", "sys_cpu")]
    return taken


def flattened(value, path, ret):
    """fsperf's form of a job: a number for each path."""
    for key, part in value.items():
        if isinstance(part, dict):
            flattened(part, f"{path}{key}_", ret)
        elif isinstance(part, (int, float)):
            ret.add(path + key)
    return ret


def fsperf_numbers(document):
    job = document["jobs"][0]
    keys = {"elapsed", "sys_cpu"} & set(job)
    for mode in ("read", "write", "trim"):
        flattened(job[mode], mode + "_", keys)
    return {key for key in keys if "_bins_" not in key and "intended" not in key}


def check_readers(tmp):
    """As fsperf calls it; fio-plot reads the same file."""
    words = ["--output-format=json", "--output=out", "--alloc-size", "98304", "--allrandrepeat=1",
             "--randseed=12345", "--group_reporting=1", "--name=a", "--rw=randrw", "--bs=4k",
             "--iodepth=2", "--numjobs=2", "--ioengine=null", "--size=256k"]
    documents = []
    for name, program in (("fio", ["fio", "--eta=never"]),
                          ("regio", [REGIO, "run", "--no-save", "--monitors=none"])):
        folder = f"{tmp}/readers-{name}"
        os.makedirs(folder)
        done = call(program + words, folder)
        report(done.returncode == 0, f"{name} takes fsperf's options", done.stderr)
        documents.append(read_json(folder))
    left, right = (fio_plot_numbers(document) for document in documents)
    report(left == right, "fio-plot takes the same", left, right)
    left, right = (fsperf_numbers(document) for document in documents)
    report(left == right and len(left) > 80, "fsperf takes the same", left ^ right, len(left))


# ---- the way back ----

def imported(folder, file):
    done = call([REGIO, "import", "--dry-run", "--json", file], folder)
    if done.returncode:
        print(f"# import of {file}: {done.stderr}")
        return []
    return json.loads(done.stdout)["results"]


def check_way_back(tmp):
    job = "[a]\nrw=randrw\nsize=1m\nioengine=null\niodepth=4\nfsync=8\n[b]\nrw=write\nsize=1m\nioengine=null\n"
    folder = f"{tmp}/back"
    os.makedirs(folder)
    with open(f"{folder}/job.fio", "w", encoding="ascii") as file:
        file.write(job)
    files = {"normal": "n", "json": "j", "json+": "p", "terse": "t", "archive": "a"}
    done = call([REGIO, "run", "--no-save", "--monitors=none", "--output-format=archive", "--output=a", "job.fio"],
                folder)
    report(done.returncode == 0, "a run for the way back", done.stderr)
    # The other forms of the same result: printed by import out of the archive.
    for form, name in files.items():
        if form == "archive":
            continue
        done = call([REGIO, "import", "--dry-run", f"--output-format={form}", "a"], folder)
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(done.stdout)
        report(done.returncode == 0 and done.stdout, f"import prints the archive as {form}", done.stderr)
    reference = imported(folder, "j")
    for form in ("normal", "json+", "terse"):
        results = imported(folder, files[form])
        faults = []
        report(len(results) == 1 and len(results[0]["jobs"]) == 2, f"{form} is one result of two jobs", results)
        for left, right in zip(reference[0]["jobs"] if reference else [], results[0]["jobs"] if results else []):
            for name, value in right["metrics"].items():
                expected = left["metrics"].get(name)
                slack = 0.01 if "latency" in name or form != "json+" else 1e-9
                whole_us = 1000 if form == "terse" and "_ns." in name else 0
                if form == "terse" and name.startswith("latency.2us"):
                    continue  # there it has what lies below 1 us as well
                if expected is not None and abs(value - expected) > whole_us + slack * (1 + abs(expected)) \
                        and not name.startswith(("cpu.", "depth", "submit", "complete")):
                    faults.append(f"{left['name']}: {name} {value}, JSON {expected}")
            missing = {"read.iops", "read.clat_ns.mean"} - set(right["metrics"]) if right["name"] == "a" else set()
            if missing:
                faults.append(f"{right['name']}: no {missing}")
        report(not faults, f"{form} is read back with the numbers of JSON", *faults[:5])
    again = call([REGIO, "import", "--dry-run", "--output-format=json", "j"], folder)
    with open(f"{folder}/j", encoding="utf-8") as file:
        first = json.loads(file.read())
    try:
        second = json.loads(again.stdout)
    except ValueError:
        second = {"jobs": []}
    report([job["read"]["clat_ns"] for job in first["jobs"]] == [job["read"]["clat_ns"] for job in second["jobs"]]
           and [job["write"]["iops"] for job in first["jobs"]] == [job["write"]["iops"] for job in second["jobs"]],
           "JSON that was imported is printed with the same numbers", again.stderr)


def main():
    if not shutil.which("fio"):
        print("1..0 # SKIP fio is not installed")
        return 0
    tmp = tempfile.mkdtemp(prefix="regio-clients-")
    try:
        fio, ours = both(tmp, "each", LOGS)
        check_forms(fio, ours, "each I/O")
        check_each(ours)
        check_clat2csv(fio, ours)
        check_lkp(fio, ours)
        check_pctiles(fio, ours, tmp)
        fio, ours = both(tmp, "windows", LOGS + "log_avg_msec=200\n")
        check_forms(fio, ours, "windows")
        check_windows(ours)
        check_gnuplot(fio, ours)
        fio, ours = both(tmp, "columns", LOGS + "log_offset=1\nlog_prio=1\nlog_hist_coarseness=3\n")
        check_forms(fio, ours, "more columns")
        fio, ours = both(tmp, "shared", LOGS + "per_job_logs=0\nlog_max_value=1\nlog_avg_msec=300\n")
        check_forms(fio, ours, "one file for all")
        check_readers(tmp)
        check_way_back(tmp)
    finally:
        shutil.rmtree(tmp)
    print(f"1..{len(tests)}")
    return 0 if all(tests) else 1


if __name__ == "__main__":
    sys.exit(main())
