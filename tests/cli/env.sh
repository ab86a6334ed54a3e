#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio env diff: what differs between two samples, and only that.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

run_regio run --name=x --ioengine=null --rw=read --size=4k --label=old
run_regio run --name=x --ioengine=null --rw=read --size=4k --label=same
run_regio run --name=x --ioengine=null --rw=read --size=4k --label=new --set cmd=true
run_regio env diff old same
expect_ok 'env diff of equal samples'
grep -q 'nothing that was recorded differs' out
ok 'says that nothing differs'
run_regio env diff old new
expect_ok 'env diff of samples with another setting'
grep -Eq '^cmd .* true .* yes *$' out && [ "$(grep -Ec ' (yes|no) *$' out)" -eq 1 ]
ok 'shows the setting, as meant, and nothing else'
run_regio env diff old new --json
grep -q '"schema": "regio.env_diff"' out && grep -q '"on_purpose": true' out
ok '--json names its schema'
run_regio env
expect 2 'env diff BASE NEW' 'env alone says what there is'
run_regio env diff old nosuch
expect 2 "'nosuch' is neither a file nor a label" 'an unknown label'
done_testing
