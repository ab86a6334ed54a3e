#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Job files and fio's command-line form as a user gives them: `regio run --parse-only`.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

# parse WORDS..
parse() {
	run_regio run --parse-only "$@"
}

# expect_good DESCRIPTION: the last run accepted its input without a word
expect_good() {
	[ "$status" -eq 0 ] && [ ! -s "$tmp/err" ]
	ok "$1"
}

# expect_warning REGEX DESCRIPTION: accepted, with one warning that matches
expect_warning() {
	[ "$status" -eq 0 ] && [ "$(grep -c 'regio: warning:' "$tmp/err")" -eq 1 ] &&
		grep -Eq -- "$1" "$tmp/err"
	ok "$2"
}

printf '[global]\nbs=8k\n[a]\nsize=1m\nioengine=null\n' >a.fio

parse a.fio
expect_good 'a job file'
parse --name=x --rw=randread --ioengine=null --size=1m
expect_good 'jobs of the command line'
parse -name x -rw=randread -ioengine null --size 1m --group_report
expect_good 'single dashes, values as words, an abbreviation'
parse a.fio --name=x --ioengine=null --size=1m
expect_good 'a file and a job of the command line'
run_regio run --parse-only - <a.fio
expect_good 'standard input'
printf '[a]\nioengine=null\nsize=1m\nbs=x\n' >bad.fio
run_regio run --parse-only - <bad.fio
expect 3 "stdin:4: bs: 'x' is not a size" 'an error of standard input, with its line'

# who wins
parse a.fio --bs=2m
expect 2 'command line: bs: 2097152 is more than the size of 1048576' \
	'an option of the command line wins over the file'
parse --fio-strict a.fio --bs=2m
expect_good 'as fio, it is only a default'
parse --set job.bs=2m --fio-strict a.fio
expect 2 'setting: bs: 2097152 is more than the size of 1048576' 'a setting wins always'

# includes and variables
mkdir sub
# shellcheck disable=SC2016
printf 'iodepth=${DEPTH}\n' >sub/common.inc
printf '[b]\nioengine=null\nsize=1m\ninclude common.inc\n' >sub/b.fio
DEPTH=4 parse sub/b.fio
expect_good 'an include beside the including file, with a variable'
unset DEPTH
parse sub/b.fio
expect 3 "sub/common.inc:1: iodepth: the value is empty \(environment variable 'DEPTH' is not set\)" \
	'a variable that is not set'
printf '[c]\ninclude c.fio\n' >c.fio
parse c.fio
expect 3 "c.fio:2: include 'c.fio': the file includes itself" 'an include of itself'
rm sub/common.inc
parse sub/b.fio
expect 3 "sub/b.fio:4: include 'common.inc': No such file or directory" 'a missing include'

# what fio would read as something else
printf '[d]\nioengine=null\nsize=1MiB\n' >d.fio
parse d.fio
expect_warning "d.fio:3: size: '1MiB' is 1048576 bytes here; fio takes it as 1000000" '1MiB'
printf '[e]\nioengine=null\nsize=1m\nthreads=1\n' >e.fio
parse e.fio
expect_warning "e.fio:4: option 'threads' has no effect in a job; did you mean 'thread'" 'threads=1'
printf '[job]\nioengine=null\nsize=1m\n[job]\nioengine=null\nsize=1m\n' >f.fio
parse f.fio
expect_warning "f.fio:4: 2 jobs use the same file 'job.0.0'" 'two sections of one name'

# one clear line
parse --name=x --bs
expect 2 "'--bs' needs a value" 'a value that is missing'
parse --name=x --i=1
expect 2 "'--i' is short for: " 'an ambiguous abbreviation'
parse --name=x --verify_policy=data
expect 6 "option 'verify_policy' is a fio option that regio does not support yet" 'known, not supported'
parse name=x
expect 4 "did you mean '--name=x'" 'forgotten dashes'
parse --section=nobody a.fio
expect 2 "no section is named 'nobody'" 'a section that is not there'

done_testing
