#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# README's tree names every source file, and no other. The line of a folder begins with its stage
# and its path; the lines below it have its files without .c, some with a note in parentheses. The
# top level of the repository is fixed.

. test/verdict

listed=$(sed 's/([^)]*)//g' README | awk '
	/^    [0-7] (src|arch)\// { folder = $2; next }
	!/^        / { folder = "" }
	folder != "" { for (i = 1; i <= NF; i++) print folder "/" $i ".c" }' | sort)
there=$(find src arch -name '*.c' ! -path src/main.c | sort)
none "README's tree has every file" "$(printf '%s\n' "$there" | grep -vxF "$listed")"
none "README's tree has no file that is not there" "$(printf '%s\n' "$listed" | grep -vxF "$there")"
none "README says where things really are" "$(grep -oE '(src|test|kconfig|arch|include)/[a-z0-9_./]*[a-z0-9]' \
	README | sort -u | while read -r path; do [ -e "$path" ] || echo "$path"; done)"
none "the top level has the entries that README lists, and no others" "$(git ls-files 2> /dev/null | sed 's,/.*,,' | sort -u |
	grep -vxE 'Makefile|README|LICENSE|src|arch|include|test|kconfig|[.].*')"
none "a test is executable, or nobody runs it" "$(find test -name '*.sh' ! -executable)"
none "README is 80 to 90 columns wide" "$(awk 'length > 90 { print FNR ": " length }' README)"

finish
