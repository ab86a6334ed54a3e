# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the tests that boot guests: two kernels, $old and $new, and a cache of their own. Ends
# the test with a skip where there is no QEMU, no guest program or no kernel to be had.
# The packages are downloaded once into $REGIO_KERNELS (default: beside the program).
# shellcheck shell=sh
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

kernels=${REGIO_KERNELS:-$(dirname "$REGIO")/kernels}
old=$kernels/old.deb
new=$kernels/new.deb

# The newest cloud kernel of a series: a third of the size of the full one.
fetch() { # SERIES FILE
	[ -s "$2" ] && return
	release=$("$REGIO" vm fetch list | grep "^$1\..*-cloud-amd64\$" | sort -V | tail -n 1)
	[ -n "$release" ] && "$REGIO" vm fetch --dir "$tmp" "$release" >/dev/null &&
		mv "$tmp"/linux-image-*.deb "$2"
}

mkdir -p "$kernels"
if ! command -v qemu-system-x86_64 >/dev/null 2>&1; then
	skip 'guests' 'QEMU is not installed'
	done_testing
	exit 0
fi
if [ -z "${REGIO_GUEST:-}" ] && [ ! -x "$(dirname "$REGIO")/guest/regio-guest" ]; then
	skip 'guests' 'a build with sanitizers has no guest program; REGIO_GUEST names one'
	done_testing
	exit 0
fi
if ! fetch 6.1 "$old" 2>"$tmp/why" || ! fetch 6.12 "$new" 2>"$tmp/why"; then
	skip 'guests' "no kernel packages here: $(tail -n 1 "$tmp/why")"
	done_testing
	exit 0
fi
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
cd "$tmp" || exit 1

guest() { # words of run or ab; in virtual time
	command=$1
	shift
	run_regio "$command" --on=vm --time=virtual --vm-timeout=10m "$@"
}

# A process that nobody has reaped yet is gone, too.
runs() {
	case $(ps -o stat= -p "$1") in
	'' | Z*) return 1 ;;
	esac
}

# start_victim WORDS..: regio with a job that does not end, in the background; its QEMU is there
# when this returns. Sets $victim and $guest_pid. What it leaves in $TMPDIR is in $tmp/own.
start_victim() {
	guest_pid=
	TMPDIR=$tmp/own "$REGIO" run --on=vm --time=virtual --no-save --set "kernel=$old" \
		--stack null_blk:1G --name=j --rw=randread --bs=4k --ioengine=psync --direct=1 \
		--time_based --runtime=10h "$@" >out 2>err &
	victim=$!
	for _ in $(seq 600); do
		guest_pid=$(pgrep -f -P "$victim" 'qemu.*-initrd')
		[ -n "$guest_pid" ] && return
		sleep 0.1
	done
}

# guest_is_gone: within 5 s
guest_is_gone() {
	for _ in $(seq 50); do
		runs "$guest_pid" || break
		sleep 0.1
	done
	[ -n "$guest_pid" ] && ! runs "$guest_pid"
}
