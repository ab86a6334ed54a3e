#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every trap of `regio --list-traps` under fio, `regio run`, `regio run --fio-strict` and regio under
the name of fio.

A case says what to look at; it must be the same in fio and in --fio-strict (or in both of regio,
where the table says so), what the case expects in regio without it, told there in one line, and not
told at all under the name of fio.

usage: traps.py [TRAP..]   environment: REGIO, the program under test
"""
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

NULL = 'ioengine=null\n'
REFUSED = 'refused'
tests = []


def point(is_good, text, details=()):
    tests.append(is_good)
    print(f'{"ok" if is_good else "not ok"} {len(tests)} - {text}')
    for line in details:
        print('#   ' + line)
    sys.stdout.flush()


class Done:
    """One run: its status, what it printed, the folder it left."""

    def __init__(self, words, folder):
        done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False)
        self.folder, self.status, self.errors = folder, done.returncode, done.stderr
        start = done.stdout.find('{')
        try:
            self.document = json.JSONDecoder().raw_decode(done.stdout[start:])[0]
        except ValueError:
            self.document = {}
        self.jobs = self.document.get('jobs', [])

    def notes(self, trap):
        return sum(f'(trap {trap}' in line for line in self.errors.splitlines())


def ios(done):
    """I/Os of each job; refused where there was no report."""
    return [sum(job[d]['total_ios'] for d in ('read', 'write', 'trim'))
            for job in done.jobs] or REFUSED


def few_or_many(done):
    found = ios(done)
    return found if found == REFUSED else ['few' if nr < 4 else 'many' for nr in found]


def about_60_40(done):
    """8 MiB in I/Os of 5.6 KiB."""
    found = ios(done)
    return found if found == REFUSED else 1380 < found[0] < 1550


def names(done):
    return [job['jobname'] for job in done.jobs] or REFUSED


def status(done):
    return done.status


def ran(done):
    return bool(done.jobs), done.status == 0


def files(done):
    return sorted(set(os.listdir(done.folder)) - {'j.fio', 'none.fio', 'section.fio'})


def head_of_data(done):
    with open(os.path.join(done.folder, 'data'), 'rb') as data:
        return data.read(4) == b'keep', os.path.getsize(data.name)


def has_intended(done):
    return 'intended_ns' in done.jobs[0]['read']


class Device:
    """A loop device of 4 MiB that is taken away with its file."""

    def make(self):
        self.backing = tempfile.NamedTemporaryFile(prefix='regio-traps.')
        self.backing.truncate(4 << 20)
        self.path = subprocess.run(['losetup', '--find', '--show', self.backing.name], check=True,
                                   capture_output=True, text=True).stdout.strip()
        return self

    def __enter__(self):
        return self

    def scheduler(self, name=None):
        attribute = f'/sys/block/{os.path.basename(self.path)}/queue/scheduler'
        if name:
            with open(attribute, 'w', encoding='ascii') as file:
                file.write(name)
        with open(attribute, encoding='ascii') as file:
            return file.read().split('[')[1].split(']')[0]

    def __exit__(self, *_):
        subprocess.run(['losetup', '--detach', self.path], check=True)
        self.backing.close()


class Case:
    """look: of a Done; expected: what that is in regio by default."""

    def __init__(self, text, look, expected, words=(), notes=1, before=None):
        self.text, self.look, self.expected = text, look, expected
        self.words, self.notes, self.before = list(words), notes, before


def data_of_8k(folder):
    with open(os.path.join(folder, 'data'), 'wb') as data:
        data.write(b'keep' * 2048)


A = '[a]\n' + NULL
VERIFY = '[a]\nrw=write\nsize=16k\nverify=crc32c\nfilename=data\n'
FAILING = '[a]\nrw=write\nbs=4k\nsize=4k\nfilename=/dev/full\nthread=1\nnumjobs='

# notes: 1, told in one line; 0, refused in place of it or not to be seen from the job.
CASES = {
    'blank-value': [Case(A + 'size=64k\nbs = 8k\nnumber_ios = 100\n', ios, [8]),
                    Case(A + 'size=64k\nrw = write\n', ios, [16])],
    'binary-unit': [Case(A + 'size=1MiB\n', ios, [256])],
    'fraction': [Case(A + 'size=64k\nnumber_ios=2.9\n', ios, REFUSED, notes=0)],
    'unknown-unit': [Case(A + 'size=64k\nnumber_ios=3e2\n', ios, REFUSED, notes=0),
                     Case(A + 'size=64k\nbs=8kx\n', ios, REFUSED, notes=0)],
    'time-word': [Case(A + 'size=1g\ntime_based\nruntime=1sec\nthinktime=20ms\n', few_or_many,
                       ['many'])],
    'list-for-one': [Case(A + 'size=64k\nnumber_ios=4,9\n', ios, REFUSED, notes=0),
                     Case(A + 'size=64k,128k\n', ios, REFUSED, notes=0),
                     Case(A + 'size=-64k\n', ios, REFUSED, notes=0)],
    'percent-sum': [Case(A + 'size=8m\nbssplit=4k/60:8k/60\n', about_60_40, REFUSED, notes=0)],
    'expression': [Case(A + 'size=(4 * 1.5k)\nbs=(1k)\n', ios, [6])],
    'reversed-range': [Case(A + 'size=64k\nbsrange=8k-4k\nnumber_ios=5\n', ios, [5])],
    'ignored-option': [Case(A + 'size=64k\nthreads=4\ndir=/nowhere\n', ios, [16])],
    'byte-order-mark': [Case('\ufeff' + A + 'size=64k\n', ios, [16])],
    'section-bracket': [Case('[job\n' + NULL + 'size=64k\n', names, ['job']),
                        Case('[job] x\n' + NULL + 'size=64k\n', names, ['job'])],
    'same-section': [Case('[a]\nrw=write\nsize=64k\n[a]\nrw=write\nsize=64k\n', files, ['a.0.0'])],
    'failed-include': [Case(A + 'size=64k\ninclude section.fio\n', ios, REFUSED, notes=0),
                       Case(A + 'size=64k\ninclude none.txt\n', ran, (False, False), notes=0),
                       Case(A + 'size=64k\ninclude none.txt\nbs=8k\n', ios, REFUSED, notes=0)],
    'file-wins': [Case(A + 'size=64k\n', ios, [8], ['--size=32k', 'j.fio'])],
    'swallowed-word': [Case('', files, ['w_bw.1.log'],
                            ['--name=w', '--ioengine=null', '--size=64k', '--write_bw_log',
                             '--rw=write'])],
    'eta-word': [Case(A + 'size=64k\n', ios, REFUSED, ['--eta=perhaps', 'j.fio'], notes=0)],
    'short-file': [Case('[a]\nrw=read\nfilename=data\nsize=64k\n', head_of_data, (True, 65536),
                        before=data_of_8k)],
    'state-left': [Case(VERIFY, files, ['data'])],
    'lost-log': [Case(A + 'size=64k\nwrite_bw_log=none/log\n', ios, REFUSED, notes=0)],
    'exit-status': [Case(FAILING + '3\n', status, 4, notes=0),
                    Case(FAILING + '256\n', status, 4, notes=0)],
    'late-start': [Case(A + 'size=64k\nrate_iops=1000\n', has_intended, True, notes=0)],
}
# what fio does not come to is not compared: builds differ, or it is no good to look at
NOT_IN_FIO = {'expression', 'lost-log', 'late-start'}


def run(program, case, extra=()):
    folder = tempfile.mkdtemp(prefix='regio-traps.')
    try:
        with open(os.path.join(folder, 'j.fio'), 'w', encoding='utf-8') as file:
            file.write(case.text)
        with open(os.path.join(folder, 'section.fio'), 'w', encoding='utf-8') as file:
            file.write('bs=8k\n[b]\n')
        if case.before:
            case.before(folder)
        done = Done(program + ['--output-format=json'] + list(extra) + (case.words or ['j.fio']),
                    folder)
        return done, case.look(done)
    finally:
        shutil.rmtree(folder)


def programs():
    regio = os.path.abspath(os.environ['REGIO'])
    link = os.path.join(os.environ['REGIO_STATE_DIR'], 'fio')
    os.symlink(regio, link)
    plain = [regio, 'run', '--no-save', '--monitors=none', '--progress=never']
    return plain, plain + ['--fio-strict'], [link], ['fio']


def judge(trap, case, is_strict):
    plain, strict, link, fio = programs.list
    found, value = run(plain, case)
    _, strict_value = run(strict, case)
    linked, link_value = run(link, case)
    wanted = value
    if is_strict and programs.has_fio:
        wanted = run(fio, case)[1]
    elif not is_strict and trap not in NOT_IN_FIO and programs.has_fio:
        wanted = run(fio, case)[1]
    elif is_strict:
        wanted = strict_value
    faults = [f'{what}: {seen!r}, not {right!r}' for what, seen, right in
              (('by default', value, case.expected), ('--fio-strict', strict_value, wanted),
               ('as fio', link_value, wanted),
               ('lines about it', found.notes(trap), case.notes),
               ('lines about it as fio', linked.notes(trap), 0))
              if seen != right]
    return faults + (found.errors.splitlines() if faults else [])


def device_run(program, words, device):
    allowed = ['--allow-destructive=' + device.path] if program[0].endswith('regio') else []
    return Done(program + allowed + ['--name=a', '--output-format=json',
                                     '--filename=' + device.path] + words, '/')


def check_devices():
    """The traps that need a block device."""
    plain, strict, _, fio = programs.list
    what = 'far-offset, used-device, scheduler-left, short-disk-stats'
    if os.geteuid() != 0 or not programs.has_fio:
        point(True, f'{what} # SKIP need root and fio')
        return
    try:
        made = Device().make()
    except (OSError, subprocess.CalledProcessError) as error:
        point(True, f'{what} # SKIP no loop device: {error}')
        return
    with made as device:
        words = ['--offset=8m', '--size=1m', '--rw=read']
        seen = [device_run(program, words, device) for program in (plain, strict, fio)]
        point([done.status for done in seen] == [2, 0, 0], 'far-offset: refused, and as fio',
              [f'{done.status}: {done.errors}' for done in seen])
        point(ios(seen[1]) == ios(seen[2]), 'far-offset: nothing was done')
        before = device.scheduler('none')
        words = ['--ioscheduler=mq-deadline', '--size=64k', '--rw=read']
        kept = device_run(plain, words, device)
        point(device.scheduler() == before and kept.notes('scheduler-left') == 1,
              'scheduler-left: put back, and told', [kept.errors])
        device_run(strict, words, device)
        left = device.scheduler()
        device.scheduler('none')
        device_run(fio, words, device)
        point(left == device.scheduler() == 'mq-deadline', 'scheduler-left: as fio', [left])
        done = device_run(plain, ['--size=1m', '--rw=write', '--direct=1', '--bs=64k'], device)
        point(done.document['disk_util'][0]['write_ios'] >= 16,
              'short-disk-stats: those of a few ms')
        check_mounted(device)


def check_mounted(device):
    plain, strict, _, fio = programs.list
    with tempfile.TemporaryDirectory(prefix='regio-traps.') as folder:
        subprocess.run(['mkfs.ext4', '-q', '-F', device.path], check=True)
        subprocess.run(['mount', device.path, folder], check=True)
        try:
            words = ['--name=a', '--filename=' + device.path, '--size=64k', '--rw=write',
                     '--output-format=json', '--allow_mounted_write=0']
            seen = [Done(program + words, '/').status for program in (plain, strict, fio)]
        finally:
            subprocess.run(['umount', folder], check=True)
    point(seen == [5, 5, 0], 'used-device: refused both ways', [repr(seen)])


def check_killed():
    """Who is killed has not succeeded."""
    process = subprocess.Popen(programs.list[0] + ['--name=a', '--ioengine=null', '--size=1m',
                                                   '--thinktime=1s'],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    point(process.wait() == -signal.SIGKILL, 'killed-worker: no success')


def main():
    with tempfile.TemporaryDirectory(prefix='regio-traps.') as state:
        os.environ['REGIO_STATE_DIR'] = state
        programs.list = programs()
        programs.has_fio = shutil.which('fio') is not None
        table = subprocess.run([programs.list[0][0], '--list-traps'], check=True,
                               capture_output=True, text=True).stdout
        rows = dict((row.split('\t')[0], row.split('\t')[3]) for row in table.splitlines())
        chosen = [(trap, number, case) for trap, cases in CASES.items()
                  for number, case in enumerate(cases)
                  if len(sys.argv) < 2 or trap in sys.argv[1:]]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:  # fio mostly sleeps
            found = pool.map(lambda row: judge(row[0], row[2], rows.get(row[0]) == 'as fio'),
                             chosen)
            for (trap, number, _), faults in zip(chosen, found):
                point(not faults, f'{trap}, {number}', faults)
        if len(sys.argv) < 2:
            others = {'far-offset', 'used-device', 'scheduler-left', 'short-disk-stats',
                      'killed-worker'}
            check_devices()
            check_killed()
            point(set(rows) == set(CASES) | others, 'every trap of the table has its case',
                  [repr(set(rows) ^ (set(CASES) | others))])
    print(f'1..{len(tests)}')
    return int(not all(tests))


if __name__ == '__main__':
    sys.exit(main())
