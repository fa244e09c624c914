#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# Layers: a folder includes <pt/...> headers of lower stages and its own. Folders of the same stage
# do not include each other's.

. test/verdict

# A header belongs to the folder that has a file of its name, or whose name it
# is; these have neither.
owners='base base
command cmd
arch arch
agent base
cpus perf
target record
record record'

owner() {
	echo "$owners" | sed -n "s/^$1 //p" | grep . && return
	for file in arch/*/"$1".c src/*/"$1".c src/*/"$1"_*.c; do
		case $file in arch/x*) [ -e "$file" ] && echo arch && return ;; esac
		[ -e "$file" ] && basename "${file%/*}" && return
	done
	for folder in agent arch base decode image perf session record synth print cmd; do
		case $1 in $folder | "${folder}_"*) echo $folder && return ;; esac
	done
	echo none
}

headers=$(for header in include/pt/*.h; do
	name=$(basename "$header" .h)
	echo "$name $(owner "$name")"
done)

culprits=$(echo "$headers" | awk -v files="$(find src arch include -name '*.[ch]')" '
BEGIN {
	split("base 0 arch 1 agent 2 decode 2 image 2 perf 2 session 3 record 3 synth 4 print 5 " \
		"cmd 6 main 7 none 8", word)
	for (i = 1; i in word; i += 2)
		stage[word[i]] = word[i + 1]
}
{ owner[$1] = $2 }
END {
	n = split(files, file)
	for (i = 1; i <= n; i++)
		look(file[i])
}
function folder_of(path,	part) {
	split(path, part, "/")
	if (part[1] == "include")
		return owner[substr(part[3], 1, length(part[3]) - 2)]
	if (part[1] == "arch")
		return "arch"
	return part[2] == "main.c" ? "main" : part[2]
}
function look(path,	line, mine, theirs, name) {
	mine = folder_of(path)
	if (!(mine in stage))
		print path ": no folder of the picture is its place"
	while ((getline line < path) > 0) {
		if (line ~ /^#[ \t]*include[ \t]*"[^"]*\.\.\//)
			print path ": " line
		if (line !~ /^#[ \t]*include[ \t]*<pt\//)
			continue
		name = line
		sub(/.*<pt\//, "", name)
		sub(/\.h>.*/, "", name)
		if (name ~ /^config(\/|$)/)
			continue
		theirs = owner[name]
		if (name == "fail")
			speaks(path, mine)
		else if (!(theirs in stage))
			print path ": <pt/" name ".h> is of no folder"
		else if (theirs != mine && stage[theirs] >= stage[mine])
			print path ": " mine " (stage " stage[mine] ") includes <pt/" name \
				".h> of " theirs " (stage " stage[theirs] ")"
	}
	close(path)
}
function speaks(path, folder) {
	if (folder != "cmd" && folder != "main" && folder != "base")
		print path ": only commands speak, and <pt/fail.h> is how"
}')
none "a folder includes headers of lower stages and its own" "$culprits"

none "only commands end the program" "$(grep -nE '(^|[^_a-z.>])(exit|abort|quick_exit)\(' \
	$(find src arch -name '*.[ch]' ! -path 'src/cmd/*' ! -path src/main.c))"

none "nobody above src/session reads struct flow" \
	"$(grep -nE 'struct flow\>|->flow\>' src/synth/* src/print/* src/cmd/* src/main.c)"

none "src/session sets nothing in a flow" \
	"$(grep -nE -- '->flow->[a-z_.]+ [-+|&]?= ' src/session/*.c)"

finish
