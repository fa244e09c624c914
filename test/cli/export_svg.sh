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
is "the first frame has all" "$(grep -c "<title>all ($sum instructions, 100.00%)" "$dir/svg")" 1
is "main is below who called it, as wide as all that it did" \
	"$(sed -n 's/.*<title>main (\([0-9]*\) instructions.*/\1/p' "$dir/svg")" \
	"$(awk '/[;]main[; ]/ { n += $NF } END { print n }' "$dir/folded")"
# data: "DEPTH POSITION WEIGHT NAME" of each frame in the list.
data() {
	awk '/id="data"/ { n = -1 } n < 0 { n = NR } /^<\/script>/ { exit }
		n && NR == n + 1 { names = $2 }
		n && NR > n + 1 && NR <= n + 1 + names { name[NR - n - 2] = $0 }
		n && NR > n + 1 + names { print $1, $2, $3, name[$4] }' "$dir/svg"
}
is "the list has each frame" "$(data | awk 'NR > 1 { print $3, $4 }' | sort)" "$(awk '{
		w = $NF
		sub(/ [0-9]*$/, "")
		n = split($0, stack, ";")
		path = ""
		for (i = 1; i <= n; i++) {
			path = path ";" stack[i]
			sum[path] += w
			name[path] = stack[i]
		}
	} END {
		for (path in sum)
			print sum[path], name[path]
	}' "$dir/folded" | sort)"
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
