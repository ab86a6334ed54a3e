#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the jobs of jobs.txt under the installed fio and under regio and compares what they did.

Compared are: how the run ended (and in which class of failure), the error of each job, I/Os, bytes,
short I/Os and flushes by direction, which files there are afterwards and their sizes, which
sectors were written, and the structure and options of the JSON output. Differences that are
wanted stand in differences.txt with their reason; one that is no longer found is a failure too.

usage: compat.py [JOB..]   environment: REGIO, the program under test; COMPAT_JOBS, at a time
"""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
FILL = b'\xa5'
SECTOR_BYTES = 512
FULL_BYTES = 1 << 20
DEVICE_BYTES = 4 << 20
TIMEOUT_S = 60
DIRS = ('read', 'write', 'trim')


class Skip(Exception):
    """The job cannot be run here; the text says why."""


class Job:
    def __init__(self, name, place, options, job_file):
        self.name, self.options, self.job_file = name, options, job_file
        self.place, *words = place.split()
        self.ignored = [word[1:] for word in words]  # aspects that depend on time


def read_rows(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as rows:
        for row in rows:
            row = row.strip()
            if row and not row.startswith('#'):
                yield [part.strip() for part in row.split(';', 2)]


def read_jobs():
    for row in read_rows('jobs.txt'):
        place, _, job_file = (part.strip() for part in row[1].partition('<'))
        options = shlex.split(row[2]) if len(row) > 2 else []
        yield Job(row[0], place, options, job_file)


class Loop:
    """A loop device on a file of its own."""

    def __init__(self, folder):
        self.backing = os.path.join(folder, 'disk')
        with open(self.backing, 'wb') as backing:
            backing.truncate(DEVICE_BYTES)
        self.path = subprocess.run(['losetup', '--find', '--show', self.backing], check=True,
                                   capture_output=True, text=True).stdout.strip()

    def close(self):
        subprocess.run(['losetup', '-d', self.path], check=True)
        os.unlink(self.backing)


class Zram:
    """A device of compressed memory that was not there before."""

    def __init__(self, _folder):
        with open('/sys/class/zram-control/hot_add', encoding='ascii') as control:
            self.number = control.read().strip()
        self.path = '/dev/zram' + self.number
        with open(f'/sys/block/zram{self.number}/disksize', 'w', encoding='ascii') as size:
            size.write(str(DEVICE_BYTES))

    def close(self):
        with open('/sys/class/zram-control/hot_remove', 'w', encoding='ascii') as control:
            control.write(self.number)


DEVICES = {'loop': Loop, 'zram': Zram}
device_lock = threading.Lock()  # two at a time are enough


def make_device(place, folder):
    if os.geteuid() != 0:
        raise Skip('block devices need root')
    if place == 'zram' and not os.path.exists('/sys/class/zram-control/hot_add'):
        raise Skip('no zram in this kernel')
    try:
        return DEVICES[place](folder)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Skip(f'no {place} device: {error}') from error


def fill(path, size):
    with open(path, 'r+b' if os.path.exists(path) else 'wb') as target:
        target.write(FILL * size)
        target.flush()
        os.fsync(target.fileno())


def sectors_changed(path, blank):
    """The sectors that are not as they were, as runs: "0-7 16-23"."""
    runs = []
    same = blank * SECTOR_BYTES
    with open(path, 'rb') as source:
        for number, sector in enumerate(iter(lambda: source.read(SECTOR_BYTES), b'')):
            if sector == same[:len(sector)]:
                continue
            if runs and runs[-1][1] == number - 1:
                runs[-1][1] = number
            else:
                runs.append([number, number])
    return ' '.join(f'{first}-{last}' for first, last in runs)


class Outcome:
    """What one of the two programs did."""

    def __init__(self):
        self.status = None
        self.document = None
        self.messages = ''
        self.files = {}
        self.written = {}

    def jobs(self):
        return (self.document or {}).get('jobs', [])

    def ending(self):
        if self.status == 0:
            return 'ok'
        return 'failed' if self.jobs() else 'refused'

    def errors(self):
        return [job['error'] for job in self.jobs()]

    def counts(self):
        def numbers(part):
            return tuple(part.get(key, 0) for key in ('total_ios', 'io_bytes', 'short_ios'))

        return [{**{d: numbers(job[d]) for d in DIRS + ('mixed',) if d in job},
                 'sync': job.get('sync', {}).get('total_ios', 0)} for job in self.jobs()]

    def totals(self):
        return [sum(part[1] for part in job.values() if isinstance(part, tuple))
                for job in self.counts()]


def command(program, job, target, report):
    if program == 'fio':
        words = ['fio']
    else:
        words = [os.environ['REGIO'], 'run', '--no-save', '--progress', 'never', '--monitors',
                 'none']
        if job.place in DEVICES:
            words += ['--allow-destructive', target]
    words += ['--output-format=json', '--output=' + report]
    if job.job_file:
        return words + [job.job_file]
    options = list(job.options)
    if job.place in DEVICES:
        options.append('--filename=' + target)
    if job.place == 'full' and not any(word.startswith('--filename') for word in options):
        options.append('--filename=f')
    return words + ['--name=job'] + options


def drop_bare(part, name):
    """Options without value, which fio lists only since 3.42."""
    if name in part:
        part[name] = {key: value for key, value in part[name].items() if value != ''}


def read_document(report, device):
    try:
        with open(report, encoding='utf-8') as source:
            text = source.read()
    except FileNotFoundError:
        return None
    if device:
        text = text.replace(device, 'DEVICE')
    start = text.find('{')  # fio mixes messages into it
    try:
        document = json.JSONDecoder().raw_decode(text[start:])[0] if start >= 0 else None
    except ValueError:
        return None
    for part in [document or {}] + (document or {}).get('jobs', []):
        for name in ('global options', 'job options'):
            drop_bare(part, name)
    return document


def look_at(outcome, folder, job, target):
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            known = os.path.relpath(path, folder)
            if known.split(os.sep)[0] == 'files' or known == 'disk':
                continue
            outcome.files[known] = os.path.getsize(path)
            outcome.written[known] = sectors_changed(path, FILL if job.place == 'full' else b'\0')
    if target:
        outcome.written['device'] = sectors_changed(target, FILL)


def run_one(program, job, folder):
    outcome = Outcome()
    work = os.path.join(folder, program)
    report = os.path.join(folder, program + '.json')
    shutil.copytree(os.path.join(HERE, 'files'), work)
    inputs = set(os.listdir(work))
    device = make_device(job.place, folder) if job.place in DEVICES else None
    try:
        target = device.path if device else None
        if device:
            fill(target, DEVICE_BYTES)
        if job.place == 'full':
            fill(os.path.join(work, 'f'), FULL_BYTES)
        done = subprocess.run(command(program, job, target, report), cwd=work, timeout=TIMEOUT_S,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)
        outcome.status = done.returncode
        outcome.messages = done.stderr
        outcome.document = read_document(report, target)
        for name in inputs:
            os.unlink(os.path.join(work, name))
        look_at(outcome, work, job, target)
    finally:
        if device:
            device.close()
    return outcome


def structure(value, path, ret):
    """Every path of a document with the type of its value; lists are what their items are."""
    if isinstance(value, dict):
        ret.setdefault(path, 'object')
        for key, part in value.items():
            structure(part, f'{path}.{key}' if path else key, ret)
    elif isinstance(value, list):
        ret.setdefault(path, 'list')
        for part in value:
            structure(part, path + '[]', ret)
    else:
        ret.setdefault(path, type(value).__name__)


def compare_json(fio, regio):
    if not fio.document or not regio.document:
        if bool(fio.document) != bool(regio.document):
            yield 'json', bool(fio.document), bool(regio.document)
        return
    first, second = {}, {}
    structure(fio.document, '', first)
    structure(regio.document, '', second)
    for path in sorted(first.keys() | second.keys()):
        if path.startswith('disk_util[]'):  # depends on what else the disk did
            continue
        mine, other = first.get(path, 'absent'), second.get(path, 'absent')
        if path == 'disk_util' and mine == 'absent':
            continue  # fio counts a device only if a sampling period fell into the run
        if mine != other:
            yield 'json ' + path, mine, other
    for path in ('global options',):
        if fio.document.get(path) != regio.document.get(path):
            yield path, fio.document.get(path), regio.document.get(path)
    for mine, other in zip(fio.jobs(), regio.jobs()):
        for key in ('jobname', 'groupid', 'desc', 'job options'):
            if mine.get(key) != other.get(key):
                yield key, mine.get(key), other.get(key)


def is_mixed(job):
    return any('rw=randrw' in word or 'rw=rw' in word for word in job.options)


def compare(job, fio, regio):
    """Yields (aspect, value of fio, value of regio) for each difference."""
    pairs = [('ending', fio.ending(), regio.ending()),
             ('errors', fio.errors(), regio.errors()),
             ('files', fio.files, regio.files)]
    if not is_mixed(job):  # there each draws its own directions
        pairs.append(('counts', fio.counts(), regio.counts()))
        pairs.append(('written', fio.written, regio.written))
    else:
        pairs.append(('totals', fio.totals(), regio.totals()))
    for aspect, mine, other in pairs:
        if mine != other and aspect not in job.ignored:
            yield aspect, mine, other
    yield from compare_json(fio, regio)


def run_job(job):
    with tempfile.TemporaryDirectory(prefix='regio-compat.') as folder:
        os.environ.setdefault('REGIO_STATE_DIR', os.path.join(tempfile.gettempdir(),
                                                              'regio-compat-state'))
        with device_lock if job.place in DEVICES else threading.Lock():
            fio = run_one('fio', job, folder)
            regio = run_one('regio', job, folder)
        found = list(compare(job, fio, regio))
        if job.place == 'bad' and fio.ending() == 'ok' and regio.ending() == 'ok':
            found.append(('ending', 'a bad job', 'ran under both'))
        if regio.ending() == 'refused' and regio.messages.count('regio: error:') != 1:
            found.append(('messages', 'one line', regio.messages))
        return found


class Wanted:
    """The rows of differences.txt, and which of them were found."""

    def __init__(self):
        self.rows = [tuple(row) for row in read_rows('differences.txt')]
        self.found = set()

    def take(self, name, aspect):
        for row in self.rows:
            pattern = re.escape(row[1]).replace(r'\*', '.*')
            if row[0] in (name, '*') and re.fullmatch(pattern, aspect):
                self.found.add(row)
                return True
        return False


class Tap:
    def __init__(self):
        self.number = 0
        self.failed = False

    def point(self, is_good, text, details=()):
        self.number += 1
        self.failed |= not is_good
        print(f'{"ok" if is_good else "not ok"} {self.number} - {text}')
        for line in details:
            print('#   ' + line)
        sys.stdout.flush()


def short(value):
    text = repr(value)
    return text if len(text) < 300 else text[:300] + '..'


def report(tap, wanted, job, result):
    try:
        found = result()
    except Skip as why:
        tap.point(True, f'{job.name} # SKIP {why}')
        return False
    except subprocess.TimeoutExpired as why:
        tap.point(False, job.name, [f'hung: {why}'])
        return True
    bad = [row for row in found if not wanted.take(job.name, row[0])]
    tap.point(not bad, job.name,
              [f'{aspect}: fio {short(mine)}, regio {short(other)}' for aspect, mine, other in bad])
    return True


def main():
    os.environ['REGIO'] = os.path.abspath(os.environ['REGIO'])
    if not shutil.which('fio'):
        print('1..0 # SKIP fio is not installed')
        return 0
    jobs = [job for job in read_jobs() if len(sys.argv) < 2 or job.name in sys.argv[1:]]
    wanted, tap, ran = Wanted(), Tap(), set()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('COMPAT_JOBS', '3'))) as pool:
        running = [(job, pool.submit(run_job, job)) for job in jobs]
        for job, result in running:
            if report(tap, wanted, job, result.result):
                ran.add(job.name)
    unreasoned = [row for row in wanted.rows if len(row) != 3 or len(row[2]) < 8]
    tap.point(not unreasoned, 'every wanted difference has a reason', map(repr, unreasoned))
    for row in wanted.rows:
        if row[0] in ran or (row[0] == '*' and len(sys.argv) < 2):
            tap.point(row in wanted.found, f'still different: {row[0]}, {row[1]}')
    print(f'1..{tap.number}')
    return int(tap.failed)


if __name__ == '__main__':
    sys.exit(main())
