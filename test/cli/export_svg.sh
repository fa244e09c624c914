#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: EXPORT_SVG EXPORT_FOLDED
#
# pt export --svg writes valid XML with the same numbers as --folded, and without external
# references.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello="--symfs test/golden/hello/root -i test/golden/hello/perf.data"

"$PT" export --svg $hello > "$dir/svg" 2> "$dir/err"
is "it ends well" "$?" 0
"$PT" export --folded $hello > "$dir/folded" 2> /dev/null
sum=$(awk '{ n += $NF } END { print n }' "$dir/folded")
is "the lowest frame has all" "$(grep -c "<g class=\"f\" data-f=\"0 $sum 0\"><title>all ($sum" \
	"$dir/svg")" 1
is "main is above who called it, as wide as all that it did" \
	"$(sed -n 's/.*data-f="\([0-9]*\) \([0-9]*\) [0-9]*"><title>main (.*/\2/p' "$dir/svg")" \
	"$(awk '/[;]main[; ]/ { n += $NF } END { print n }' "$dir/folded")"
none "no other file, and no network, is named" \
	"$(grep -E 'https?:|src=|href=|@import' "$dir/svg" | grep -v 'xmlns="http://www.w3.org')"
if command -v python3 > /dev/null; then
	# A name that XML cannot have as it is.
	LC_ALL=C sed 's/hello/<\&"\x01\xff/g' test/golden/hello/perf.data > "$dir/hurt"
	"$PT" export --svg --symfs test/golden/hello/root -i "$dir/hurt" > "$dir/svg2" 2> /dev/null
	for file in svg svg2; do
		is "an XML parser reads it" "$(python3 -c 'import sys, xml.etree.ElementTree as tree
print(tree.parse(sys.argv[1]).getroot().tag)' "$dir/$file" 2>&1)" '{http://www.w3.org/2000/svg}svg'
	done
else
	skip "there is no python3 to parse XML"
fi
finish
