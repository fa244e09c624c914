#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 5
# needs: EXPORT_CALLGRIND EXPORT_FOLDED LIBELF
#
# pt export --callgrind: callgrind_annotate finds in it what --folded has, and the calls and lines
# that pt script prints.

. test/export/common

if ! command -v callgrind_annotate > /dev/null; then
	skip "there is no callgrind_annotate"
	finish
	exit
fi

# "COST NAME" of each function; of all files of which code is in it.
annotated() {
	callgrind_annotate --threshold=100 "$@" "$dir/callgrind" 2>&1 |
		LC_ALL=C sed -n 's/ \[[^]]*[/?.][^]]*\]$//; s/^ *\([0-9][0-9,]*\) (.*%)  [^:]*:/\1 /p' |
		LC_ALL=C tr -d , |
		LC_ALL=C awk '$2 !~ /^\(/ { n[$2] += $1 } END { for (f in n) print n[f], f }' | sort
}

# shellcheck disable=SC2086 -- options are words
as_folded() {
	what=$1
	shift
	export_as callgrind "$@"
	is "$what: it ends well" "$?" 0
	export_as folded "$@"
	sum=$(awk '{ n += $NF } END { print n }' "$dir/folded")
	is "$what: the total" "$(callgrind_annotate "$dir/callgrind" 2>&1 | tr -d , |
		awk '/PROGRAM TOTALS/ { print $1 }')" "$sum"
	read_as folded "$dir/folded" | tr -d "'" > "$dir/read"
	is "$what: each function itself" "$(annotated)" \
		"$(awk '$1 { print $1, $3 }' "$dir/read" | sort)"
	# What has no symbol may be code of several files, which callgrind_annotate takes apart.
	is "$what: each function with what it called" \
		"$(annotated --inclusive=yes | grep -v ' \[')" \
		"$(awk '{ print $2, $3 }' "$dir/read" | grep -v ' \[' | sort)"
}

# shellcheck disable=SC2086
{
	as_folded hello $hello
	as_folded "hello by time" $hello --weight=time
	as_folded "some of hello" $hello --time 1158.470275,1158.47028
	for t in recursion indirect longjmp; do
		[ ! -d "$GEN/$t" ] || as_folded $t -i "$GEN/$t/perf.data" --symfs "$GEN/root"
	done
	export_as callgrind $hello
	# There are further calls in the file: a jump to the start of a function counts as one.
	"$PT" script --itrace=b -F ip,sym,addr,flags $hello 2> /dev/null | awk '
		$1 == "call" && !/\[/ { n[$3 " " $NF]++ }
		END { for (f in n) print f, n[f] }' | sort > "$dir/calls"
	is "how often each function called each other" "$(callgrind_annotate --tree=calling \
		--threshold=100 "$dir/callgrind" | sed -n 's/^.*) *\([*>]\) *[^:]*:/\1 /p' | tr -d , |
		awk 'NR == FNR { called[$1 " " $2] = 1; next }
		     $1 == "*" { from = $2 }
		     $1 == ">" && (from " " $2) in called { print from, $2, substr($3, 2) + 0 }' \
			"$dir/calls" - | sort)" "$(cat "$dir/calls")"
	hurt_names
	export_as callgrind $hostile
	is "a name is on one line" "$(annotated | LC_ALL=C sed -n 's/^\([0-9]* a"<\\??&\).*;$/\1/p')" \
		'10996 a"<\??&'
	if record_threads; then
		as_folded threads $threads
	else
		skip "several threads: nothing can be recorded here"
	fi
	# Lines, where they are built in and there is a compiler that says them.
	if "$PT" --version -v | grep -q CONFIG_SRCLINE=y && [ -n "$threads" ] &&
		$CC -static -g -O1 -pthread -o "$dir/threads" test/live/threads.c 2> /dev/null; then
		"$PT" record --soft -o "$dir/lines.data" "$dir/threads" > /dev/null 2>&1
		export_as callgrind -i "$dir/lines.data"
		is "instructions of each line" "$(callgrind_annotate --auto=yes --threshold=100 \
			--include=test/live --context=0 "$dir/callgrind" 2>&1 |
			sed -n '/Auto-annotated source: .*threads.c/,/^---.*[^-]$/p' | tr -d , |
			awk '$2 ~ /^\(/ && !/events annotated/ { print $1 }' | sort -n)" \
			"$("$PT" script --itrace=i0ns -F ip,srcline -i "$dir/lines.data" 2> /dev/null |
			awk '$1 ~ /^threads.c:/ { n[$1]++ } END { for (l in n) print n[l] }' | sort -n)"
	else
		skip "lines of the source: they are not built in, or cannot be recorded here"
	fi
}
finish
