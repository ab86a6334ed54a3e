#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What fio's own test programs assert about fio, asked of regio.

Each function is one case, named after the test it restates; those about verification are in a
file of their own. All run on the null engine or on small files.

environment: REGIO, the program under test
"""
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import tempfile

BLOCK = 4096
CASES = []


def case(function):
    CASES.append(function)
    return function


class Run:
    """One run of regio in a folder of its own."""

    def __init__(self, *options, form='json'):
        self.folder = tempfile.TemporaryDirectory(prefix='regio-outside.')
        words = [os.environ['REGIO'], 'run', '--no-save', '--progress', 'never', '--monitors',
                 'none', '--output-format=' + form, *options]
        done = subprocess.run(words, cwd=self.folder.name, timeout=60, capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, check=False)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def must(self):
        assert self.status == 0, f'exit status {self.status}: {self.err}'
        return self

    def jobs(self):
        return json.loads(self.must().out[self.out.index('{'):])['jobs']

    def log(self, name):
        """The lines of a log as lists of numbers."""
        with open(os.path.join(self.folder.name, name), encoding='ascii') as log:
            return [[int(word) for word in line.split(',')] for line in log]


def null(*options):
    return ('--name=job', '--ioengine=null', *options)


def offsets_of(*options):
    """(direction, length, offset) of every I/O, in order."""
    run = Run(*null('--write_bw_log=x', '--per_job_logs=0', '--log_offset=1', *options)).must()
    return [(line[2], line[3], line[4]) for line in run.log('x_bw.log')]


@case
def t0001_odd_tail():
    Run(*null('--size=20000', '--bsrange=1k-4k', '--rw=randread')).must()


@case
def t0007_holes():
    jobs = Run(*null('--rw=read:512k', '--bs=1m', '--size=128m')).jobs()
    assert jobs[0]['read']['io_kbytes'] == 87040, jobs[0]['read']['io_kbytes']


@case
def t0011_rates():
    jobs = Run('--ioengine=null', '--size=1g', '--rw=read', '--runtime=2', '--time_based',
               '--name=slow', '--rate_iops=1000', '--name=fast', '--rate_iops=8000').jobs()
    slow, fast = (job['read']['iops'] for job in jobs)
    assert 950 <= slow <= 1050, slow
    assert 6 <= fast / slow <= 10, fast / slow


def check_flow(weights, *options):
    """While all jobs run; null does a great deal in the moment when the others have ended."""
    jobs = []
    for number, weight in enumerate(weights):
        jobs += [f'--name=job{number}', f'--flow={weight}']
        jobs += options if number == 0 else ()
    run = Run('--ioengine=null', '--size=100g', '--rw=read', '--runtime=1', '--time_based',
              '--write_iops_log=x', '--flow_sleep=100', *jobs).must()
    counts = [sum(200 <= line[0] < 800 for line in run.log(f'x_iops.{number + 1}.log'))
              for number in range(len(weights))]
    for weight, count in zip(weights, counts):
        share = count * sum(weights) / sum(counts) / weight
        assert 0.9 <= share <= 1.1, (weights, counts)


@case
def t0011_flow():
    check_flow((1, 8), '--rate_iops=1000')


@case
def t0012_flow_of_three():
    check_flow((1, 5, 10))


def check_latency_sum(job):
    for name in ('read', 'write'):
        part = job[name]
        if part['lat_ns']['N']:
            total = part['slat_ns']['mean'] + part['clat_ns']['mean']
            assert abs(total - part['lat_ns']['mean']) <= 1, part


@case
def t0015_latency_sum_libaio():
    check_latency_sum(Run('--name=job', '--ioengine=libaio', '--size=1m', '--iodepth=16').jobs()[0])


@case
def t0016_latency_sum_null():
    check_latency_sum(Run(*null('--size=1m', '--iodepth=16')).jobs()[0])


@case
def t0018_io_uring_mixed():
    Run('--name=job', '--ioengine=io_uring', '--filesize=256k', '--rw=randrw', '--time_based',
        '--runtime=1').must()


@case
def t0019_sequential_log():
    ios = offsets_of('--size=1m', '--rw=read')
    assert [io[2] for io in ios] == list(range(0, 1 << 20, BLOCK))


def runs_test_z(values):
    """How unlikely the number of runs above and below the median is, in standard deviations."""
    middle = sorted(values)[len(values) // 2]
    above = [value >= middle for value in values]
    nr_above = sum(above)
    nr_below = len(values) - nr_above
    nr_runs = 1 + sum(a != b for a, b in zip(above, above[1:]))
    both = 2 * nr_above * nr_below
    total = nr_above + nr_below
    variance = both * (both - total) / (total * total * (total - 1))
    return abs(nr_runs - (both / total + 1)) / math.sqrt(variance)


def check_random_once(*options):
    offsets = [io[2] for io in offsets_of('--size=1m', '--rw=randread', *options)]
    assert sorted(offsets) == list(range(0, 1 << 20, BLOCK))
    assert runs_test_z(offsets) < 1.96, runs_test_z(offsets)  # p of 0.05; the seed is fixed


@case
def t0020_random_once():
    check_random_once()


@case
def t0021_random_once_lfsr():
    check_random_once('--random_generator=lfsr')


@case
def t0022_norandommap():
    offsets = [io[2] for io in offsets_of('--size=1m', '--rw=randread', '--norandommap')]
    assert sum(b == a + BLOCK for a, b in zip(offsets, offsets[1:])) <= 10
    assert len(set(offsets)) < len(offsets)


def check_trimwrite(*options):
    ios = offsets_of('--size=1m', *options)
    touched = set()
    assert len(ios) % 2 == 0
    for trim, write in zip(ios[::2], ios[1::2]):
        assert trim[0] == 2 and write[0] == 1, (trim, write)
        assert trim[1:] == write[1:], (trim, write)
        touched.update(range(trim[2] // 512, (trim[2] + trim[1]) // 512))
    assert touched == set(range((1 << 20) // 512)), f'{len(touched)} sectors'


@case
def t0023_trimwrite():
    for order in ('trimwrite', 'randtrimwrite'):
        check_trimwrite('--rw=' + order, '--bs=4k')


@case
def t0023_trimwrite_sizes():
    for sizes in ('--bsrange=512-4k', '--bssplit=512/25:1k/25:4k/50'):
        check_trimwrite('--rw=trimwrite', sizes)
        check_trimwrite('--rw=randtrimwrite', sizes)


def check_log_form(pattern, *options):
    run = Run(*null('--size=64k', '--write_bw_log=x', '--write_lat_log=x', '--write_iops_log=x',
                    *options)).must()
    for kind in ('bw', 'iops', 'lat', 'clat'):
        with open(os.path.join(run.folder.name, f'x_{kind}.1.log'), encoding='ascii') as log:
            for line in log:
                assert re.fullmatch(pattern, line.rstrip('\n')), f'{kind}: {line}'


@case
def t0033_log_form():
    check_log_form(r'\d+, \d+, [0-2], \d+, \d+')


@case
def t0034_log_form_with_offsets():
    check_log_form(r'\d+, \d+, [0-2], \d+, \d+, \d+', '--log_offset=1')


@case
def t0028_pattern_of_several_kinds():
    run = Run('--name=job', '--filename=f', '--size=64k', '--bs=64k', '--rw=write',
              '--buffer_pattern="abcd"-120xdeadface').must()
    content = b'abcd' + (-12).to_bytes(4, 'little', signed=True) + bytes.fromhex('deadface')
    with open(os.path.join(run.folder.name, 'f'), 'rb') as written:
        assert written.read() == (content * 6000)[:65536]


@case
def t0035_operations_on_names():
    for engine in ('filecreate', 'filestat', 'filedelete', 'dircreate', 'dirstat', 'dirdelete'):
        run = Run('--name=job', '--ioengine=' + engine, '--nrfiles=10', '--filesize=4k',
                  '--write_lat_log=x')
        assert run.jobs()[0]['read']['clat_ns']['N'] == 10, engine
        assert len(run.log('x_clat.1.log')) == 10, engine


@case
def readonly():
    job = ('--ioengine=null', '--size=64k')
    for order, is_harmless in (('randread', True), ('read', True), ('randwrite', False),
                               ('write', False), ('trim', False), ('randtrim', False),
                               ('trimwrite', False), ('randrw', False), ('rw', False)):
        for words in (('--readonly', '--name=job', *job), ('--name=job', '--readonly', *job),
                      ('--name=job', *job, '--readonly')):
            done = Run(*words, '--rw=' + order)
            assert (done.status == 0) == is_harmless, (words, order, done.err)
        Run('--name=job', *job, '--rw=' + order).must()


def percentile_of(values, percent):
    values = sorted(values)
    return values[max(0, math.ceil(len(values) * percent / 100 - 1e-9) - 1)]


def check_percentiles(job, direction, kind, values):
    part = job[direction][kind + '_ns']
    assert part['N'] == len(values), (part['N'], len(values))
    assert sum(part['bins'].values()) == part['N']
    for percent, value in part['percentile'].items():
        exact = percentile_of(values, float(percent))
        assert abs(value - exact) <= exact / 128 + 1, (kind, percent, value, exact)


PERCENTILE_CASES = [
    (('--ioengine=null', '--rw=read'), ('clat',)),
    (('--ioengine=null', '--rw=randwrite', '--lat_percentiles=1'), ('clat', 'lat')),
    (('--ioengine=null', '--rw=randrw', '--lat_percentiles=1', '--clat_percentiles=0'), ('lat',)),
    (('--ioengine=null', '--rw=trim', '--iodepth=8', '--slat_percentiles=1'), ('slat', 'clat')),
    (('--ioengine=libaio', '--rw=randread', '--iodepth=8', '--slat_percentiles=1',
      '--lat_percentiles=1'), ('slat', 'clat', 'lat')),
    (('--ioengine=libaio', '--rw=randrw', '--iodepth=4', '--slat_percentiles=1',
      '--lat_percentiles=1', '--clat_percentiles=0'), ('slat', 'lat')),
    (('--ioengine=null', '--rw=randread', '--iodepth=4', '--slat_percentiles=1',
      '--clat_percentiles=0'), ('slat',)),
    (('--ioengine=null', '--rw=randrw', '--clat_percentiles=0'), ()),
    (('--ioengine=null', '--rw=randtrim', '--lat_percentiles=1'), ('clat', 'lat')),
    (('--ioengine=null', '--rw=trimwrite', '--iodepth=2', '--lat_percentiles=1',
      '--slat_percentiles=1', '--clat_percentiles=0'), ('slat', 'lat')),
    (('--ioengine=libaio', '--rw=randwrite', '--iodepth=8'), ('clat',)),
    (('--ioengine=psync', '--rw=rw', '--lat_percentiles=1', '--bsrange=4k-16k'), ('clat', 'lat')),
    (('--ioengine=io_uring', '--rw=read', '--iodepth=4', '--slat_percentiles=1',
      '--lat_percentiles=1', '--percentile_list=50:99.99'), ('slat', 'clat', 'lat')),
]


@case
def latency_percentiles():
    for options, kinds in PERCENTILE_CASES:
        run = Run('--name=job', '--size=2m', '--write_lat_log=x', *options, form='json+')
        job = run.jobs()[0]
        for kind in ('slat', 'clat', 'lat'):
            for number, direction in enumerate(('read', 'write', 'trim')):
                if not job[direction]['total_ios']:
                    continue
                part = job[direction][kind + '_ns']
                assert ('percentile' in part) == (kind in kinds), (options, kind)
                if kind in kinds:
                    values = [line[1] for line in run.log(f'x_{kind}.1.log') if line[2] == number]
                    check_percentiles(job, direction, kind, values)


@case
def json_without_plus_has_no_buckets():
    job = Run(*null('--size=1m', '--rw=read')).jobs()[0]
    assert 'bins' not in job['read']['clat_ns'] and 'percentile' in job['read']['clat_ns']


@case
def terse_has_percentiles_of_lat_if_asked_for():
    run = Run(*null('--size=4m', '--rw=read', '--iodepth=4', '--lat_percentiles=1',
                    '--percentile_list=50:99'), form='terse,json').must()
    job = run.jobs()[0]['read']
    words = next(line for line in run.out.splitlines() if line.startswith('3;')).split(';')
    for place, (percent, value) in enumerate(job['lat_ns']['percentile'].items()):
        assert words[17 + place] == f'{percent}%={value // 1000}', words[17 + place]


@case
def latency_percentiles_of_fsync():
    run = Run('--name=job', '--size=256k', '--rw=write', '--fsync=4', form='json+')
    sync = run.jobs()[0]['sync']
    assert sync['total_ios'] == sync['lat_ns']['N'] == 16, sync['total_ios']
    assert sum(sync['lat_ns']['bins'].values()) == 16
    assert 'percentile' in sync['lat_ns']


@case
def latency_percentiles_of_mixed():
    for options in (('--iodepth=4', '--lat_percentiles=1', '--slat_percentiles=1'), ()):
        run = Run(*null('--size=2m', '--rw=randrw', '--unified_rw_reporting=mixed',
                        '--write_lat_log=x', *options), form='json+')
        job = run.jobs()[0]
        assert 'read' not in job and 'write' not in job
        for kind in ('slat', 'clat', 'lat') if options else ('clat',):
            check_percentiles(job, 'mixed', kind, [line[1] for line in run.log(f'x_{kind}.1.log')])


@case
def terse_is_json_in_other_units():
    run = Run(*null('--size=4m', '--rw=read', '--iodepth=4'), form='terse,json').must()
    job = run.jobs()[0]['read']
    words = next(line for line in run.out.splitlines() if line.startswith('3;')).split(';')
    assert int(words[5]) == job['io_kbytes'] and int(words[7]) == int(job['iops'])
    assert abs(float(words[15]) - job['clat_ns']['mean'] / 1000) < 0.01
    for place, (percent, value) in enumerate(job['clat_ns']['percentile'].items()):
        name, _, number = words[17 + place].partition('=')
        assert float(name.rstrip('%')) == float(percent)
        assert int(number) == value // 1000, (percent, number, value)


@case
def blktests_positions():
    """common/fio of blktests reads terse version 4 by the numbers of its fields."""
    run = Run(*null('--size=4m', '--rw=randread', '--group_reporting=1'), '--terse-version=4',
              form='terse,json').must()
    job = run.jobs()[0]
    words = next(line for line in run.out.splitlines() if line.startswith('4;')).split(';')
    assert int(words[7]) == int(job['read']['iops'])
    assert int(words[48]) == 0
    assert words[128].endswith('%') and words[129].endswith('%')  # user and system time


STRIDED_CASES = [
    # zonesize, zonerange, zoneskip, more options
    (8192, 16384, 0, ()),
    (8192, 16384, 8192, ()),
    (8192, 8192, 0, ()),
    (8192, 8192, 4096, ()),
    (8192, 4096, 0, ()),
    (16384, 16384, 16384, ('--rw=randread',)),
    (8192, 16384, 8192, ('--rw=randread', '--norandommap')),
    (8192, 16384, 0, ('--rw=write', '--offset=64k')),
    (8192, 4096, 0, ('--rw=randread', '--norandommap')),
    (4096, 4096, 0, ('--rw=write',)),
    (4096, 4096, 4096, ('--rw=write',)),
    (16384, 32768, 16384, ()),
    (4096, 16384, 8192, ('--rw=write',)),
    (12288, 16384, 0, ('--rw=randread', '--norandommap')),
    (16384, 8192, 8192, ('--rw=write', '--offset=64k')),
    (8192, 16384, 0, ('--rw=randwrite',)),
    (8192, 16384, 8192, ('--rw=randwrite', '--random_generator=lfsr')),
    (8192, 16384, 8192, ('--rw=randwrite', '--offset=64k')),
    (8192, 8192, 8192, ('--rw=randread', '--norandommap', '--offset=64k')),
    (4096, 8192, 4096, ('--rw=randread', '--random_distribution=zipf')),
    (65536, 65536, 0, ('--rw=read',)),
]


@case
def strided():
    for zonesize, zonerange, zoneskip, options in STRIDED_CASES:
        size = 256 << 10
        base = 64 << 10 if '--offset=64k' in options else 0
        ios = offsets_of('--zonemode=strided', f'--zonesize={zonesize}',
                         f'--zonerange={zonerange}', f'--zoneskip={zoneskip}', f'--size={size}',
                         '--io_size=128k', *options)
        per_zone, step = zonesize // BLOCK, zonerange + zoneskip
        for number, (_, _, offset) in enumerate(ios):
            zone = number // per_zone
            start = base + zone % -(-size // step) * step
            assert start <= offset < start + zonerange, (zonesize, zonerange, zoneskip, number,
                                                         offset, start)


def check_steady(options, kind, limit, is_slope, ramp):
    run = Run(*null('--size=1g', '--rw=read', '--time_based', '--runtime=5', '--ss_dur=1',
                    f'--ss={kind}{"_slope" if is_slope else ""}:{limit}%', f'--ss_ramp={ramp}',
                    '--ss_interval=250ms', *options))
    job = run.jobs()[0]
    steady = job['steadystate']
    values = steady['data'][kind]
    mean = sum(values) / len(values)
    middle = (len(values) - 1) / 2
    slope = (sum((i - middle) * (v - mean) for i, v in enumerate(values)) /
             sum((i - middle) ** 2 for i in range(len(values))))
    found = slope if is_slope else max(abs(value - mean) for value in values)
    assert abs(steady['slope' if is_slope else 'max_deviation'] - found) < 0.001 * abs(found) + 1e-5
    assert steady['criterion'].endswith('%')
    criterion = float(steady['criterion'][:-1])
    assert abs(criterion - 100 * found / mean) < 0.01, (criterion, found, mean)
    assert steady['data'][kind + '_mean'] == int(mean)
    assert steady['attained'] == (abs(criterion) < limit), steady
    if steady['attained']:
        assert len(values) == 4
        assert 1000 * (ramp + 1) - 5 <= job['job_runtime'] < 5000, job['job_runtime']
    else:
        assert job['job_runtime'] >= 5000, job['job_runtime']
    return steady['attained']


@case
def steadystate():
    calm = ('--rate_iops=2000',)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda words: check_steady(*words), [
            (calm, 'iops', 60, False, 0), (calm, 'bw', 60, True, 1), (calm, 'iops', 60, True, 0),
            (calm, 'bw', 60, False, 0), (calm, 'iops', 0, False, 0)]))
    assert found == [1, 1, 1, 1, 0], found


def main():
    os.environ['REGIO'] = os.path.abspath(os.environ['REGIO'])
    failed = False
    os.environ.setdefault('REGIO_STATE_DIR', os.path.join(tempfile.gettempdir(),
                                                          'regio-compat-state'))
    for number, function in enumerate(CASES, 1):
        try:
            function()
            print(f'ok {number} - {function.__name__}')
        except (AssertionError, KeyError, IndexError, OSError, ValueError, StopIteration,
                subprocess.TimeoutExpired) as why:
            failed = True
            print(f'not ok {number} - {function.__name__}')
            print(f'#   {type(why).__name__}: {why}'[:1000].replace('\n', '\n#   '))
        sys.stdout.flush()
    print(f'1..{len(CASES)}')
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
