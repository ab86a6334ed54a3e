#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# regio vm fetch, with a package manager that is a script.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1
mkdir bin
cat >bin/apt-get <<'END'
#!/bin/sh
for package; do :; done
[ "$package" = linux-image-6.1.0-9-amd64 ] || { echo "E: Unable to locate package $package" >&2; exit 100; }
file=${package}_6.1.1-1_amd64.deb
case $* in
*--print-uris*) echo "'http://example.org/pool/$file' $file 7 SHA256:1" ;;
*) echo package >"$file" ;;
esac
END
cat >bin/apt-cache <<'END'
#!/bin/sh
for release in 6.12.9+deb12-amd64 6.1.0-47-amd64 6.1.0-9-amd64 6.1.0-9-amd64-dbg 6.1.0-9-amd64-unsigned \
	6.12-amd64 6.12-amd64-signed-template 6.12.9-amd64-signed-template; do
	echo "linux-image-$release - a package"
done
END
chmod +x bin/*
PATH=$tmp/bin:$PATH
export PATH

run_regio vm fetch --dir some/packages 6.1.0-9-amd64
file=some/packages/linux-image-6.1.0-9-amd64_6.1.1-1_amd64.deb
[ "$status" -eq 0 ] && [ "$(cat out)" = "$file" ] && [ "$(cat $file)" = package ]
ok 'fetch --dir: the folder is made, and the file is told'
run_regio vm fetch linux-image-6.1.0-9-amd64
[ "$status" -eq 0 ] && [ "$(cat out)" = "${file##*/}" ] && [ -e "${file##*/}" ]
ok 'fetch without --dir: here'
run_regio vm fetch --dir none 6.9
expect 4 'linux-image-6.9: .*Unable to locate package' 'a release that there is not'
[ ! -e none ]
ok 'for which no folder is made'
run_regio vm fetch list
[ "$status" -eq 0 ] && [ "$(tr '\n' ' ' <out)" = '6.1.0-9-amd64 6.1.0-47-amd64 6.12.9+deb12-amd64 ' ]
ok 'fetch list: the releases that can be fetched, oldest first'
done_testing
