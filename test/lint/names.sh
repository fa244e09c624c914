#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# Names: a name that is not static begins with the name of a file in its folder, of the folder, or
# of a struct that a header declares. Thus a name shows where to look.

. test/verdict

# These say what they do without it.
exceptions='main put fmt warn fail why zcalloc zcfree adler32 inflate_fast memcpy memset'

structs=$(sed -n 's/^struct \([a-z_0-9]*\)\( {\|;\)$/\1/p' include/pt/*.h src/*/*.h)

culprits=$(awk -v fine_words="$exceptions $(echo $structs)" '
BEGIN {
	n = split(fine_words, word, " ")
	for (i = 1; i <= n; i++)
		fine[word[i]] = fine[first(word[i])] = 1
}
function first(name) {
	sub(/_.*/, "", name)
	return name
}
FNR == 1 {
	n = split(FILENAME, part, "/")
	file = substr(part[n], 1, length(part[n]) - 2)
	folder = part[n - 1]
	known[folder, folder] = 1
	n = split(file, word, "_")
	for (i = 1; i <= n; i++)
		known[folder, word[i]] = 1
}
/^[A-Za-z_].*\(/ && !/^(static|typedef|INLINE)/ && !/;[ \t]*$/ {
	name = $0
	gsub(/__attribute__\(\([^)]*(\([^)]*\))?\)\) */, "", name)
	if (name !~ /^[A-Za-z_].*[ *][A-Za-z_0-9]+\(/)
		next
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	where[++n_names] = FILENAME ":" FNR
	names[n_names] = name
	of[n_names] = folder
}
END {
	for (i = 1; i <= n_names; i++) {
		name = names[i]
		if (!((of[i], first(name)) in known) && !(first(name) in fine) && !(name in fine))
			print where[i] ": " name "()"
	}
}' $(find src arch -name '*.c'))
none "a global function's name says where it is" "$culprits"

none "no typedefs but those of <pt/base.h>" "$(grep -n '^typedef' \
	$(find src arch include -name '*.[ch]' ! -path include/pt/base.h) | grep -v vector_size)"

finish
