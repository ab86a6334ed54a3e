#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads every job file of a corpus with the installed fio and with regio.

Each must be taken or refused by both, or be refused by regio as not supported yet, with file and
line. Prints the share of files without such a refusal, and fails below the goal.

The share is of the files that are read: every *.fio and *.job below jobs/, included fragments too,
but for those that a line "apart" of corpus.txt matches, each with its reason. A file counts if
`regio run --parse-only`, which also looks up engines, takes it or refuses it as `fio --parse-only`
does; one with several such options counts once. What the share would be with those apart counted as
not supported is printed beside it.

environment: REGIO, the program under test; REGIO_CORPUS, a folder with a folder jobs/
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GOAL_PERCENT = 90
TIMEOUT_S = 60


def read_table():
    variables, apart = {}, []
    with open(os.path.join(HERE, 'corpus.txt'), encoding='utf-8') as rows:
        for row in rows:
            if row.startswith('#') or not row.strip():
                continue
            what, name, text = (part.strip() for part in row.split(' ; ', 2))
            if what == 'set':
                variables[name] = text
            else:
                apart.append((re.compile(name, re.MULTILINE), text))
    return variables, apart


def read_files(folder):
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(('.fio', '.job')):
                with open(os.path.join(where, name), encoding='utf-8', errors='replace') as source:
                    yield where, name, source.read()


def parse(words, where, variables):
    done = subprocess.run(words, cwd=where, env={**os.environ, **variables}, timeout=TIMEOUT_S,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors='replace', check=False)
    return done.returncode, done.stderr


def all_variables(where, known):
    ret = {}
    for _, _, text in read_files(where):
        for name in re.findall(r'\$\{(\w+)\}', text):
            ret[name] = known.get(name, '4')
    return ret


def judge(where, name, variables):
    """What is to be said of one file: (verdict, details)."""
    fio, _ = parse(['fio', '--parse-only', name], where, variables)
    regio, messages = parse([os.environ['REGIO'], 'run', '--parse-only', name], where, variables)
    error = next((line for line in messages.splitlines() if 'regio: error:' in line), '')
    if 'does not support' in error:
        return ('unsupported' if re.search(r'\.\w+:\d+: ', error) else 'no line'), error
    if regio < 0 or regio > 125 or (regio != 0 and not error):
        return 'crash', f'exit status {regio}: {messages}'
    if (fio == 0) != (regio == 0):
        return 'other', f'fio {"takes" if fio == 0 else "refuses"} it; {error}'
    return 'same', ''


def main():
    os.environ['REGIO'] = os.path.abspath(os.environ['REGIO'])
    folder = os.path.join(os.environ.get('REGIO_CORPUS', ''), 'jobs')
    if not os.environ.get('REGIO_CORPUS') or not os.path.isdir(folder):
        print('1..0 # SKIP REGIO_CORPUS names no folder with jobs')
        return 0
    if not shutil.which('fio'):
        print('1..0 # SKIP fio is not installed')
        return 0
    known, apart = read_table()
    nr, counts, reasons = 0, {'same': 0, 'unsupported': 0}, {}
    for where, name, text in read_files(folder):
        nr += 1
        why = next((reason for pattern, reason in apart if pattern.search(text)), None)
        if why:
            print(f'ok {nr} - {name} # SKIP {why}')
            reasons[why] = reasons.get(why, 0) + 1
            continue
        verdict, details = judge(where, name, all_variables(where, known))
        counts[verdict] = counts.get(verdict, 0) + 1
        is_good = verdict in ('same', 'unsupported')
        print(f'{"ok" if is_good else "not ok"} {nr} - {name}: {verdict}')
        if details:
            print('#   ' + details.replace('\n', '\n#   '))
    total = sum(counts.values())
    share = 100 * (total - counts['unsupported']) / total if total else 0
    good = total - counts['unsupported']
    print(f'# {share:.1f} %: {good} of the {total} files read are without an option that is not '
          'supported yet')
    for why, number in reasons.items():
        print(f'#   {number} more of the {nr} files not read: {why}')
    print(f'#   {100 * good / max(nr, 1):.1f} % of all {nr}')
    is_reached = share >= GOAL_PERCENT
    print(f'{"ok" if is_reached else "not ok"} {nr + 1} - at least {GOAL_PERCENT} %')
    print(f'1..{nr + 1}')
    return int(any(key not in ('same', 'unsupported') for key in counts) or not is_reached)


if __name__ == '__main__':
    sys.exit(main())
