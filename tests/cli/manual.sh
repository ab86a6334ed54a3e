#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manuals and the option rows name the same options, in both directions.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
man=${REGIO_SOURCE_ROOT:-.}/man

# same FIRST SECOND DESCRIPTION: two lists of names, one a line
same() {
	sort -u "$1" >"$tmp/first"
	sort -u "$2" >"$tmp/second"
	cmp -s "$tmp/first" "$tmp/second"
	ok "$3"
	[ "$tap_status" -eq 0 ] || comm -3 "$tmp/first" "$tmp/second" | sed 's/^/# only on one side: /'
}

# page of a command: its own if it has one, else the general one
page_of() {
	[ -e "$man/regio-$1.1.scd" ] && echo "$man/regio-$1.1.scd" || echo "$man/regio.1.scd"
}

"$REGIO" --list-job-options | cut -f1 >"$tmp/rows"
sed -n '/^# OPTIONS/,/^# ENGINES/s/^\*\([a-z_]*\)\*.*/\1/p' "$man/regio-job.5.scd" >"$tmp/page"
same "$tmp/rows" "$tmp/page" 'regio-job(5) describes every job option, and no other'

"$REGIO" ab --help | grep -A1 -e --min-effect | grep -o '[0-9.]*%' >"$tmp/rows"
missing=$(while read -r default; do
	for page in "$man/../README.md" "$man/regio.1.scd"; do
		grep -A1 -e '--min-effect' "$page" | grep -q "[ (]$default" || echo "$default in $page"
	done
done <"$tmp/rows")
[ -z "$missing" ] && [ "$(grep -c . "$tmp/rows")" -eq 2 ]
ok "README and regio(1) name both defaults of --min-effect${missing:+, but not $missing}"

"$REGIO" --list-monitors | cut -f1 >"$tmp/rows"
sed -n '/^# MONITORS/,/^# JOB FILES/s/^\(\*[a-z, *-]*\*\)$/\1/p' "$man/regio.1.scd" |
	grep -o '[a-z-]*' | grep . >"$tmp/page"
same "$tmp/rows" "$tmp/page" 'regio(1) describes every monitor, and no other'

"$REGIO" --list-layers | awk -F'\t' '$2 == "" { print $1 }' >"$tmp/rows"
sed -n '/^# LAYERS/,/^# SETTINGS/s/^\(\*[a-z0-9_, *]*\*\)$/\1/p' "$man/regio-stack.5.scd" |
	grep -o '[a-z0-9_]*' | grep . >"$tmp/page"
same "$tmp/rows" "$tmp/page" 'regio-stack(5) describes every layer, and no other'
"$REGIO" --list-layers | awk -F'\t' '$2 != "" { print $2 }' >"$tmp/rows"
sed -n '/^# LAYERS/,/^# SETTINGS/p' "$man/regio-stack.5.scd" >"$tmp/page"
missing=$(sort -u "$tmp/rows" | while read -r option; do
	grep -q "\*$option\b" "$tmp/page" || echo "$option"
done)
[ -z "$missing" ]
ok "regio-stack(5) describes every option of a layer${missing:+, but not $missing}"

"$REGIO" --list-workloads | awk -F'\t' '$2 != "" { print $2 }' >"$tmp/rows"
sed -n '/^# AIOL/,/^# COMMANDS/s/^\*\([a-z-]*\)\*\(=.*\)\{0,1\}$/\1/p' "$man/regio.1.scd" >"$tmp/page"
same "$tmp/rows" "$tmp/page" 'regio(1) describes every option of aiol, and no other'

"$REGIO" --list-plan-keys | cut -f1 >"$tmp/rows"
sed -n '/^# KEYS/,/^# LKP/s/^\*\([a-z_]*\):\*.*/\1/p' "$man/regio-plan.5.scd" >"$tmp/page"
same "$tmp/rows" "$tmp/page" 'regio-plan(5) describes every key, and no other'

"$REGIO" --list-lkp-keys | cut -f1 >"$tmp/rows"
sed -n '/^# LKP/,/^# SEE ALSO/s/^\*\([a-z0-9_, *<-]*\)\*$/\1/p' "$man/regio-plan.5.scd" |
	tr -d '* ' | tr ',' '\n' | grep . >"$tmp/page"
same "$tmp/rows" "$tmp/page" "regio-plan(5) describes every key of LKP's, and no other"

# name, what fio does, what regio does: the words of the page are those of the table
"$REGIO" --list-traps | sed 's/\t/\n/; s/\t/.\n/; s/\t/.\n/' >"$tmp/rows"
sed -n '/^# TRAPS/,/^# DIFFERENCES/p' "$man/regio-job.5.scd" | tr -d '\\' |
	awk '/^\*/ { flush(); name = $1; gsub("[*]", "", name); strict = /the same with/ ? "the same" : "as fio"; next }
		/^\tfio / { fio = substr($0, 6); at = "fio"; next }
		/^\tregio / { regio = substr($0, 8); at = "regio"; next }
		/^\t/ { if (at == "fio") fio = fio " " substr($0, 2); else regio = regio " " substr($0, 2) }
		/^#/ { flush() }
		function flush() { if (name != "") printf "%s\n%s\n%s\n%s\n", name, fio, regio, strict; name = "" }' >"$tmp/page"
cmp -s "$tmp/rows" "$tmp/page"
ok 'regio-job(5) says of every trap what the table says'
[ "$tap_status" -eq 0 ] || diff "$tmp/rows" "$tmp/page" | sed 's/^/# /'

"$REGIO" --list-notes | cut -f1 >"$tmp/rows"
sed -n '/^# NOTES/,/^# SEE ALSO/s/^\*\([a-z-]*\)\*$/\1/p' "$man/regio-notes.7.scd" >"$tmp/page"
same "$tmp/rows" "$tmp/page" 'regio-notes(7) describes every note, and no other'

: >"$tmp/general_rows"
for command in $("$REGIO" --list-commands); do
	page=$(page_of "$command")
	"$REGIO" --list-options "$command" >"$tmp/rows"
	if [ "$page" = "$man/regio.1.scd" ]; then
		cat "$tmp/rows" >>"$tmp/general_rows"
		grep -Eq "^\*regio $command\*" "$page"
		ok "regio(1) has a synopsis of $command"
		continue
	fi
	grep -o -- '\*--[a-z-]*\*' "$page" | tr -d '*' >"$tmp/page"
	if grep -q 'of \*regio run\* are known too' "$page"; then # what regio(1) describes
		"$REGIO" --list-options run >"$tmp/shared"
		for list in rows page; do
			grep -vxF -f "$tmp/shared" "$tmp/$list" >"$tmp/own"
			mv "$tmp/own" "$tmp/$list"
		done
	fi
	same "$tmp/rows" "$tmp/page" "regio-$command(1) and the rows agree"
done
grep -o -- '\*--[a-z-]*\*' "$man/regio.1.scd" | tr -d '*' | sed 's/^--no-/--/' |
	grep -vx -e --name -e --rw >"$tmp/page"
same "$tmp/general_rows" "$tmp/page" 'regio(1) and the rows of its commands agree'

if command -v scdoc >/dev/null 2>&1; then
	for page in "$man"/*.scd; do
		scdoc <"$page" >"$tmp/roff" 2>"$tmp/err"
		ok "$(basename "$page") is well formed"
	done
else
	skip 'pages are well formed' 'scdoc is not installed'
fi
done_testing
