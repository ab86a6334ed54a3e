#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Job files that nobody can run: refused in one line with file and line, nothing else printed or left.

Each is given to fio, to regio under the name of fio, which ends with fio's status, and to
`regio run`, which ends with that of docs/decisions/0022.

usage: badjobs.py   environment: REGIO, the program under test
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

NULL = '[a]\nioengine=null\nsize=64k\n'
FILE = '[a]\nsize=64k\nrw=write\n'

# what ; lines of the job file ; status of regio run ; line that is blamed, 0: none ; what is said
JOBS = [
    ('include before a section', 'include more.fio\n' + NULL, 3, 1, 'more.fio'),
    ('include with a bad option', NULL + 'include bad.fio\n', 3, 0, 'bad.fio:2: .*nosuch'),
    ('unknown engine', '[a]\nioengine=nosuch\nsize=64k\n', 3, 1, 'nosuch'),
    ('external engine', '[a]\nioengine=external:/x.so\nsize=64k\n', 3, 1, 'external'),
    ('no file name', FILE + 'filename=\n', 3, 4, 'filename'),
    ('standard output', FILE + 'filename=-\n', 6, 4, 'filename'),
    ('folder that is a file', FILE + 'directory=small\n', 4, 1, 'small'),
    ('folder that is not there', FILE + 'directory=none\n', 4, 1, 'none'),
    ('bs 0', NULL + 'bs=0\n', 3, 4, 'bs: 0'),
    ('bs too large', NULL + 'bs=99999999999999999999\n', 3, 4, 'too large'),
    ('bs negative', NULL + 'bs=-4k\n', 3, 4, '-4k'),
    ('bs of letters', NULL + 'bs=foo\n', 3, 4, 'foo'),
    ('bs above size', NULL + 'bs=128k\n', 3, 4, '131072'),
    ('rwmixread 101', NULL + 'rwmixread=101\n', 3, 4, '101'),
    ('rwmixread of letters', NULL + 'rwmixread=x\n', 3, 4, "'x'"),
    ('unknown rw', NULL + 'rw=raed\n', 3, 4, 'raed'),
    ('empty rw', NULL + 'rw=\n', 3, 4, 'rw'),
    ('step of letters', NULL + 'rw=read:foo\n', 3, 4, 'foo'),
    ('two rates', NULL + 'rate=1m\nrate_iops=5\n', 3, 5, 'rate_iops'),
    ('strided without a zone', NULL + 'zonemode=strided\n', 3, 4, 'zonesize'),
    ('numjobs 0', NULL + 'numjobs=0\n', 3, 4, 'numjobs'),
    ('numjobs beyond all limits', NULL + 'numjobs=99999999\n', 3, 4, 'numjobs'),
    ('iodepth 0', NULL + 'iodepth=0\n', 3, 4, 'iodepth'),
    ('bool 2', NULL + 'direct=2\n', 3, 4, 'direct'),
    ('bool in words', NULL + 'direct=yes\n', 3, 4, 'yes'),
    ('switch in words', NULL + 'time_based=maybe\n', 3, 4, 'maybe'),
    ('unknown word', NULL + 'exit_what=foo\n', 3, 4, 'foo'),
    ('time of letters', NULL + 'runtime=foo\n', 3, 4, 'foo'),
    ('percentile of letters', NULL + 'percentile_list=foo\n', 3, 4, 'foo'),
    ('percentile 101', NULL + 'percentile_list=101\n', 3, 4, '101'),
    ('no such CPU', NULL + 'cpus_allowed=999\n', 3, 1, '999'),
    ('no such node', NULL + 'numa_cpu_nodes=99\n', 3, 1, '99'),
    ('nice 99', NULL + 'nice=99\n', 3, 4, '99'),
    ('prioclass 9', NULL + 'prioclass=9\n', 3, 4, '9'),
    ('distribution of letters', NULL + 'random_distribution=zipf:foo\n', 3, 4, 'foo'),
    ('split of letters', NULL + 'bssplit=foo\n', 3, 4, 'foo'),
    ('unknown sum', FILE + 'verify=foo\n', 3, 4, 'foo'),
    ('pattern that is none', FILE + 'buffer_pattern=0xzz\n', 3, 4, 'buffer_pattern'),
    ('unknown error', NULL + 'ignore_error=EFOO\n', 3, 4, 'EFOO'),
    ('steady state of letters', NULL + 'steadystate=iops:foo%\n', 3, 4, 'foo'),
    ('unknown memory', NULL + 'mem=foo\n', 3, 4, 'foo'),
    ('unknown option', NULL + 'iodept=4\n', 3, 4, "did you mean 'iodepth'"),
    ('option before a section', 'rw=read\n' + NULL, 3, 1, 'section'),
    ('only global', '[global]\nrw=read\n', 3, 0, 'no job'),
    ('nothing', '', 3, 0, 'no job'),
    ('NUL byte', '[a]\nrw=re\0ad\n', 3, 2, 'NUL'),
    ('kb_base 5', NULL + 'kb_base=5\n', 3, 4, '5'),
    ('waits for nobody', NULL + 'wait_for=zz\n', 3, 1, 'zz'),
    ('no size', '[a]\nrw=write\nfilename=new\n', 3, 1, 'size'),
    ('option of another engine', NULL + 'fixedbufs\n', 3, 4, 'fixedbufs'),
    ('user of letters', NULL + 'uid=foo\n', 3, 4, 'foo'),
]
tests = []


def point(is_good, text, details=()):
    tests.append(is_good)
    print(f'{"ok" if is_good else "not ok"} {len(tests)} - {text}')
    for line in details:
        print('#   ' + line)


def run(program, text):
    """Status, stdout, stderr, files that were not there before."""
    folder = tempfile.mkdtemp(prefix='regio-badjobs.')
    try:
        for name, content in (('j.fio', text), ('more.fio', 'bs=8k\n'), ('small', 'x' * 8192),
                              ('bad.fio', 'bs=8k\nnosuch=1\n')):
            with open(os.path.join(folder, name), 'w', encoding='ascii') as file:
                file.write(content)
        before = set(os.listdir(folder))
        done = subprocess.run(program + ['--output=out', '--write_bw_log=log', 'j.fio'], cwd=folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30,
                              check=False)
        return done.returncode, done.stdout, done.stderr, sorted(set(os.listdir(folder)) - before)
    finally:
        shutil.rmtree(folder)


def judge(link, text, wanted, line, says):
    status, out, errors, files = run([os.environ['REGIO'], 'run', '--no-save'], text)
    as_fio, _, as_errors, as_files = run([link], text)
    faults = []
    place = f'error: j.fio:{line}: ' if line else 'error: '
    if status != wanted:
        faults.append(f'status {status}, not {wanted}')
    if errors.count('regio: error:') != 1 or not re.search(place + '.*' + says if line else says,
                                                           errors):
        faults.append(f'said {errors!r}')
    if out or files or as_files:
        faults.append(f'printed {out!r}, left {files} {as_files}')
    if shutil.which('fio'):
        theirs = run(['fio'], text)[0]
        if as_fio != theirs:
            faults.append(f'as fio: status {as_fio}, fio {theirs}: {as_errors!r}')
    return faults


def main():
    os.environ['REGIO'] = os.path.abspath(os.environ['REGIO'])
    with tempfile.TemporaryDirectory(prefix='regio-badjobs.') as state:
        os.environ['REGIO_STATE_DIR'] = state
        link = os.path.join(state, 'fio')
        os.symlink(os.environ['REGIO'], link)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:  # fio mostly sleeps
            for row, faults in zip(JOBS, pool.map(lambda row: judge(link, *row[1:]), JOBS)):
                point(not faults, row[0], faults)
    print(f'1..{len(tests)}')
    return int(not all(tests))


if __name__ == '__main__':
    sys.exit(main())
