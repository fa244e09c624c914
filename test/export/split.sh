#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: EXPORT_SPLIT EXPORT_CHROME EXPORT_FOLDED LIBELF
#
# pt export --split: each file is complete by itself, and together they have what one has.

. test/export/common

# split_as FORMAT SIZE OPTIONS: to $dir/parts/FORMAT.1, ...
split_as() {
	rm -rf "$dir/parts"
	mkdir "$dir/parts"
	format=$1 size=$2
	shift 2
	"$PT" export --"$format" --split "$size" -o "$dir/parts/$format" "$@" 2>&1
}

# shellcheck disable=SC2086 -- options are words
as_one() {
	what=$1
	shift
	split_as chrome 8K "$@"
	is "$what: it ends well" "$?" 0
	export_as chrome "$@"
	is "$what: the same instructions" "$(read_as chrome "$dir/parts"/chrome.*)" \
		"$(read_as chrome "$dir/chrome")"
	is "$what: the same time" "$(read_as chrome_time "$dir/parts"/chrome.*)" \
		"$(read_as chrome_time "$dir/chrome")"
	split_as folded 4K "$@"
	export_as folded "$@"
	is "$what: the same stacks" "$(find "$dir/parts" -type f | sort -t. -k 3n | xargs cat |
		cksum)" "$(cksum < "$dir/folded")"
}

# shellcheck disable=SC2086
{
	as_one hello $hello
	is "there are several" "$(find "$dir/parts" -type f | wc -l | awk '{ print ($1 > 1) }')" 0
	split_as chrome 8K $hello
	is "files are about as large as that" "$(find "$dir/parts" -size +12k)" ""
	is "there are several files of calls" "$(find "$dir/parts" -type f | wc -l |
		awk '{ print ($1 > 5) }')" 1
	if record_threads; then
		as_one threads $threads
	else
		skip "several threads: nothing can be recorded here"
	fi
	is "a format that is one file" "$("$PT" export --svg --split 1M -o "$dir/svg" $hello 2>&1)" \
		"pt: --split: --svg is one document; --folded, --chrome and --perfetto can be split"
	is "without a file" "$("$PT" export --chrome --split 1M $hello 2>&1)" \
		"pt: --split: --chrome needs -o FILE"
	is "too small" "$("$PT" export --chrome --split 1K -o "$dir/x" $hello 2>&1)" \
		"pt: --split takes a size of at least 4K: 100M (see pt export --help)"
	is "a file that cannot be made" "$("$PT" export --chrome --split 8K -o "$dir/none/x" $hello 2>&1
		echo $?)" "$(printf "pt: cannot write $dir/none/x.1: No such file or directory\n1")"
	mkdir "$dir/x.3"
	is "one that cannot be made later" "$("$PT" export --chrome --split 8K -o "$dir/x" $hello 2>&1
		echo $?)" "$(printf "pt: cannot write $dir/x.3: Is a directory\n1")"
	is "a file that does not fit is empty" "$(trap '' XFSZ; ulimit -f 8
		"$PT" export --chrome --split 64K -o "$dir/full" $hello 2>&1
		echo $? $(wc -c < "$dir/full.1"))" "$(printf "pt: cannot write $dir/full.1: File too large\n1 0")"
	is "those before it are complete" "$(read_as chrome "$dir/x.1" "$dir/x.2" > "$dir/err"; echo $?)" 0
}
finish
