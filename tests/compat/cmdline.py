#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fio's command line, form by form: regio under the name of fio ends as fio does, and says as much.

same: exit status, and whether something is on stdout and on stderr, are those of fio (of fio 3.33,
      where none is installed); words: what regio must say
refused: fio has it and regio does not; one line names it

usage: cmdline.py   environment: REGIO, the program under test
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

JOB = ['--name=a', '--ioengine=null', '--size=64k']
PARSE = ['--parse-only'] + JOB

# how ; words ; status of fio 3.33 ; what regio says
SAME = [
    (['--version'], 0, r'^fio-3\.\d+'),
    (['-v'], 0, r'^fio-3\.\d+'),
    (['--help'], 0, 'usage'),
    (['-h'], 0, 'usage'),
    ([], 1, 'no job'),
    (['--parse-only'], 0, ''),
    (['--parse-only', '--terse-version=4'], 0, ''),
    (['--parse-only', '--name=t', '--ioengine=pvsync2', '--hipri=1'], 0, ''),
    (PARSE + ['--foo=1'], 1, "'foo'"),
    (PARSE + ['--numjob=2'], 0, ''),
    (PARSE + ['--num=2'], 1, 'numjobs'),
    (PARSE + ['-iodepth', '4'], 0, ''),
    (PARSE + ['--iodepth=0'], 1, 'iodepth'),
    (PARSE + ['--rw=raed'], 1, 'raed'),
    (PARSE + ['--rwmixread=101'], 1, 'rwmixread'),
    (PARSE + ['--bs=0'], 1, 'bs'),
    (JOB + ['--size=1k'], 1, '1024'),
    (JOB + ['--rate=1m', '--rate_iops=10'], 1, 'rate_iops'),
    (JOB + ['--zonemode=strided'], 1, 'zonesize'),
    (['--name=a', '--size=64k', '--directory=/no/such'], 1, '/no/such'),
    (PARSE + ['--filename='], 1, 'filename'),
    (PARSE + ['--bs'], 1, 'bs'),
    (JOB + ['--rw=write', '--readonly'], 1, 'readonly'),
    (PARSE + ['--readonly'], 0, ''),
    (JOB + ['--warnings-fatal', '--time_based'], 1, 'time_based'),
    (PARSE + ['--time_based'], 0, 'time_based'),
    (PARSE + ['--ioengine=nosuch'], 1, 'nosuch'),
    (PARSE + ['--alloc-size=98304', '--max-jobs=16'], 0, ''),
    (PARSE + ['--alloc-size', '98304'], 0, ''),
    (PARSE + ['--output'], 1, 'output'),
    (PARSE + ['--output=/no/such/file'], 1, '/no/such/file'),
    (PARSE + ['--output-format=foo'], 1, 'foo'),
    (PARSE + ['--output-format=json,foo'], 1, 'foo'),
    (PARSE + ['--output-format=normal,json+,terse'], 0, ''),
    (PARSE + ['--terse-version=9'], 1, 'terse-version'),
    (PARSE + ['--terse-version=abc'], 1, 'terse-version'),
    (PARSE + ['--eta=always', '--eta-newline=1'], 0, ''),
    (PARSE + ['--eta-newline=abc'], 1, 'abc'),
    (PARSE + ['--eta-interval=100'], 0, ''),
    (PARSE + ['--status-interval=abc'], 1, 'abc'),
    (PARSE + ['--status-interval=1'], 0, ''),
    (PARSE + ['--minimal', '--append-terse'], 0, ''),
    (['--parse-only', 'two.fio'], 0, ''),
    (['--parse-only', '--section=a', 'two.fio'], 0, ''),
    (['--section=c', 'two.fio'], 1, "'c'"),
    (['--parse-only', 'missing.fio'], 1, 'missing.fio'),
    (['--parse-only', 'bad.fio'], 1, 'bad.fio:3: .*iodept'),
    (['.'], 1, 'directory'),
    (['--showcmd', 'two.fio'], 0, '^fio .*--name=a .*--name=b'),
    (['--showcmd', '--section=b', 'two.fio'], 0, '--name=b'),
    (['--cmdhelp=all'], 0, '^bs '),
    (['--cmdhelp'], 0, '^bs '),
    (['--cmdhelp=bs'], 0, 'bs'),
    (['--enghelp'], 0, 'io_uring'),
    (['--enghelp=io_uring'], 0, 'fixedbufs'),
    (['--enghelp=libaio,userspace_reap'], 0, 'userspace_reap'),
    (['--enghelp=nosuch'], 1, 'nosuch'),
    (['--enghelp=libaio,nosuch'], 1, 'nosuch'),
]
REFUSED = ['--debug=random', '--idle-prof=system', '--aux-path=/tmp', '--trigger=x',
           '--trigger-file=x', '--trigger-timeout=1', '--trigger-remote=x', '--client=host',
           '--server', '--daemonize=x', '--remote-config=x', '--crctest', '--cpuclock-test',
           '--inflate-log=x', '--merge-blktrace-only']
RUNS = [  # what is looked for on stdout
    (['--minimal'], r'\A3;fio-'),
    (['--minimal', '--terse-version=5'], r'\A5;fio-'),
    (['--output-format=csv'], r'\A3;fio-'),
    (['--append-terse'], r'(?s)^3;fio-.*IOPS='),
    (['--output-format=json,normal'], r'(?s)^\{.*^\}.*IOPS='),
    (['--eta=always', '--eta-newline=1'], 'IOPS='),
    (['--bandwidth-log'], 'IOPS='),
]
tests = []


def point(is_good, text, details=()):
    tests.append(is_good)
    print(f'{"ok" if is_good else "not ok"} {len(tests)} - {text}')
    for line in details:
        print('#   ' + line)


def run(program, words):
    return subprocess.run([program] + words, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=30, check=False)


def run_both(link, words):
    return run(link, words), run('fio', words) if shutil.which('fio') else None


def check_same(words, status, says, done, theirs):
    faults = []
    if theirs:
        if theirs.returncode != status:
            print(f'# this fio ends with {theirs.returncode}: {words}')
            status = theirs.returncode
    if done.returncode != status:
        faults.append(f'status {done.returncode}, not {status}')
    said = done.stdout + done.stderr
    if not re.search(says, said, re.M) or (not says and said):
        faults.append(f'said {said[:300]!r}')
    if status and done.stderr.count('error:') != 1:
        faults.append('not one line of error')
    if status and not {'--version', '--help'} & set(words) and done.stdout:
        faults.append(f'stdout has {done.stdout[:100]!r}')
    point(not faults, ' '.join(words) or '(nothing)', faults)


def main():
    with tempfile.TemporaryDirectory(prefix='regio-cmdline.') as folder:
        link = os.path.join(folder, 'fio')
        os.symlink(os.path.abspath(os.environ['REGIO']), link)
        os.environ['REGIO_STATE_DIR'] = os.path.join(folder, 'state')
        os.chdir(folder)
        with open('two.fio', 'w', encoding='ascii') as file:
            file.write('[global]\nioengine=null\nsize=64k\n[a]\n[b]\nbs=8k\n')
        with open('bad.fio', 'w', encoding='ascii') as file:
            file.write('[a]\nioengine=null\niodept=4\nsize=64k\n')
        with concurrent.futures.ThreadPoolExecutor(4) as pool:  # fio mostly sleeps
            found = pool.map(lambda row: run_both(link, row[0]), SAME)
            for row, (done, theirs) in zip(SAME, found):
                check_same(*row, done, theirs)
        for word in REFUSED:
            done = run(link, JOB + [word])
            name = word.split('=')[0]
            point(done.returncode == 1 and not done.stdout and
                  re.search(f'error: {name} is an option of fio', done.stderr), f'{word} refused',
                  [done.stdout + done.stderr])
        for words, looked_for in RUNS:
            done = run(link, JOB + words)
            point(done.returncode == 0 and not done.stderr and
                  re.search(looked_for, done.stdout, re.M), ' '.join(words),
                  [done.stdout[:400], done.stderr])
        point(os.path.exists('agg-read_bw.log'), '--bandwidth-log without a name')
        os.unlink('agg-read_bw.log')
        before = sorted(os.listdir('.'))
        with open('kept.json', 'w', encoding='ascii') as file:
            file.write('old')
        for words in (['--filename=new', '--direct=1', '--bs=1000', '--rw=write'],
                      ['--filename=/proc/none', '--rw=read'], ['--filename=' + folder]):
            run(link, ['--name=a', '--size=64k', '--output=kept.json', '--bandwidth-log',
                       '--write_bw_log=x'] + words)
            run(link, ['--name=a', '--size=64k', '--output=new.json'] + words)
        with open('kept.json', encoding='ascii') as file:
            kept = file.read()
        os.unlink('kept.json')
        point(kept == 'old' and sorted(os.listdir('.')) == before,
              'a refused run leaves files as they were', [kept] + sorted(os.listdir('.')))
    print(f'1..{len(tests)}')
    return int(not all(tests))


if __name__ == '__main__':
    sys.exit(main())
