#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# Rules that can be checked by looking at the text of a file.

. test/verdict

program=$(find src arch include -name '*.[ch]')
all="$program $(find Makefile .ci src arch include kconfig test -type f \
	! -path '*/corpus/*' ! -path "test/golden/*/*" \( -path "test/*.[ch]" -o -name '*.sh' \
	-o -name '*.mk' -o -name '*.py' -o -name 'Kconfig*' -o -name Makefile \
	-o -path .ci/run -o -path test/run -o -path test/install \))"

none "every file says its licence in the first two lines" "$(awk '
	FNR <= 2 && /SPDX-License-Identifier: GPL-2.0-or-later/ { says[FILENAME] }
	END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in says)) print ARGV[i] }' $all)"

none "no file is longer than 800 lines" "$(awk 'FNR == 801 { print FILENAME }' $program)"

# Tests hold long tables.
none "no line is wider than 100 columns" "$(awk '
{
	line = $0
	width = 0
	while (i = index(line, "\t")) {
		width += i - 1
		width += 8 - width % 8
		line = substr(line, i + 1)
	}
	if (width + length(line) > 100)
		print FILENAME ":" FNR ": " width + length(line) " columns"
}' $(echo "$all" | tr ' ' '\n' | grep -v '^test/.*\.\(c\|sh\)$'))"

none "no line ends with a blank" "$(grep -nE '[ 	]+$' $all)"
none "no file ends with an empty line" "$(awk '
	function check() { if (file && last == "") print file }
	FNR == 1 { check(); file = FILENAME }
	{ last = $0 }
	END { check() }' $all)"
none "nothing is left to do" "$(grep -nwE 'TO''DO|FIX''ME|X''XX|HA''CK' $all)"
none "ASCII only" "$(LC_ALL=C grep -n '[^ -~	]' $all)"

# Calls of FUNCTIONS, not their mention in comments.
calls() {
	grep -nE "(^|[^_a-z>.])($1)\(" $program | grep -vE '^[^:]*:[0-9]*:[ 	]*(/?\*)'
}
none "memory comes from arenas" "$(calls \
	'[cm]alloc|realloc(array)?|free|strn?dup|v?asprintf|getline|alloca' |
	grep -v '^src/base/arena.c')"
none "what musl has in large is not asked for" "$(calls \
	'fork|[gs]etrlimit|sysconf|realpath|opendir|strstr|strto[a-z]*|ato[a-z]*|qsort')"
none "text comes from out_fmt() and put_*()" "$(calls \
	'v?[fsd]?n?printf|f?puts|putc(har)?|perror|fwrite|errx?|warnx')"
none "formats are those of fmt.c" "$(grep -nE \
	"\"[^\"]*%[-#0-9.*' +]*(l|ll|z)?[oipaefgAEFG]([^A-Za-z]|\$)" $program |
	grep -vE ':[ 	]*/?\*')"

none "no #if in a function" "$(awk '
/^\{/ { inside = 1 }
/^\}/ { inside = 0 }
FNR == 1 { inside = 0 }
inside && /^[ \t]*#[ \t]*(if|else|elif)/ { print FILENAME ":" FNR ": " $0 }' $program)"

none "a header guards itself by its name" "$(for f in include/pt/*.h; do
	guard=PT_$(basename "$f" .h | tr a-z- A-Z_)_H
	grep -q "^#ifndef $guard\$" "$f" && grep -q "^#define $guard\$" "$f" || echo "$f: $guard"
done)"

finish
