#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio env: the environment here and of samples. regio env diff: what differs, and only that.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

run_regio run --name=x --ioengine=null --rw=read --size=4k --label=old
run_regio run --name=x --ioengine=null --rw=read --size=4k --label=same
run_regio run --name=x --ioengine=null --rw=read --size=4k --label=new --set cmd=true
run_regio run --name=x --ioengine=null --rw=read --bs=2k --size=4k --label=half
run_regio env diff old same
expect_ok 'env diff of equal samples'
grep -q 'nothing that was recorded differs' out
ok 'says that nothing differs'
run_regio env diff old new
expect_ok 'env diff of samples with another setting'
grep -Eq '^cmd .* true .* setting *$' out && [ "$(grep -Ec ' (setting|by .*) *$' out)" -eq 1 ]
ok 'shows the setting, as meant, and nothing else'
run_regio env diff old half
grep -Eq '^job.bs +4k +2k +no setting *$' out && [ "$(grep -c 'no setting' out)" -eq 1 ]
ok 'shows an option of the job that only one side gave'
run_regio env diff old new --json
grep -q '"schema": "regio.env_diff"' out && grep -q '"on_purpose": true' out
ok '--json names its schema'
job() { # OPTIONS: a document of fio whose job has them
	printf '{"fio version":"fio-3.33","global options":{"bs":"4k"},"jobs":[{"jobname":"a","job options":{"rw":"write"%s},' "$1"
	printf '"write":{"io_bytes":307200,"bw":300,"iops":75.5,"runtime":1000,"total_ios":75}}]}\n'
}
job '' >plain.json
job ',"fsync":"1","bs":"8k"' >sync.json
run_regio env diff plain.json sync.json
grep -Eq '^job.fsync +(0|-) +1 +no setting' out && grep -Eq '^job.bs +4k +8k +no setting' out &&
	[ "$(grep -c '^job' out)" -eq 2 ]
ok 'shows the options that fio recorded of a job'
"$REGIO" run --name=x --ioengine=null --rw=read --size=4k --no-save --output-format=json >own.json 2>/dev/null
run_regio env diff old own.json
grep -q 'nothing that was recorded differs' out
ok 'defaults are no differences from what prints no defaults'
run_regio compare plain.json sync.json
grep -Eq '^job.fsync +(0|-) +1' out
ok 'and compare shows them too'
run_regio env diff old nosuch
expect 2 "'nosuch' is neither a file nor a label" 'an unknown label'
run_regio env diff old
expect 2 "'old' is no file, so it can be one sample only; give BASE NEW" 'one sample is not enough'

run_regio env .
expect_ok 'env of a folder'
grep -Eq '^[a-z0-9]+ on /' out && grep -Eq "^kernel +release +$(uname -r)\$" out
ok 'shows its filesystem and the kernel'
run_regio env --json .
python3 -c '
import json, os, sys
doc = json.load(open("out"))
assert doc["schema"] == "regio.env" and doc["of"] == "."
assert doc["facts"]["kernel.release"] == os.uname().release
fs = doc["stack"][0]
assert fs["node"] == "fs.1" and fs["facts"]["type"]
'
ok '--json nests the stack'
printf '[a]\nfilename=data\nsize=4k\niodepth=3\nioengine=libaio\n' >job.fio
run_regio env job.fio
expect_ok 'env of a job file'
grep -Eq '^[a-z0-9]+ on /' out && grep -q 'iodepth=3' out && grep -q 'bs=4k' out
ok 'shows the stack under its files and its options, defaults too'
run_regio env old
expect_ok 'env of a stored sample'
grep -Eq '^kernel +release' out && grep -q 'ioengine=null' out
ok 'shows what was recorded'
run_regio env
expect_ok 'env alone'
run_regio env . nosuch
expect 4 "'nosuch' is no file, device or job file" 'something that is nothing'
run_regio env nosuch
expect 2 "'nosuch' is neither a file nor a label" 'a label that there is not'
done_testing
