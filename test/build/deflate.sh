#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# kconfig/deflate.c writes what gzip reads, and less than gzip writes.

. test/verdict

[ -x "$O/obj/deflate" ] || { skip "deflate: not used by this configuration"; finish; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

printf x > "$dir/one"
printf xxxx > "$dir/same"
head -c 10000 /dev/zero > "$dir/zero"
head -c 2000 /dev/urandom > "$dir/random"
head -c 5000 README > "$dir/text"
{
	cat "$dir/random" "$dir/text"
	head -c 4000 /dev/zero
	cat "$dir/random" "$dir/text"
} > "$dir/mixed"
seq 1500 > "$dir/numbers"
cp src/base/zip.c "$dir/code"
for f in one same zero random mixed numbers code; do
	"$O/obj/deflate" < "$dir/$f" > "$dir/gz"
	is "gzip reads it: $f" "$(gzip -dc < "$dir/gz" | cmp - "$dir/$f" && echo same)" same
done
for f in mixed numbers code; do
	ours=$("$O/obj/deflate" < "$dir/$f" | wc -c)
	is "$f is smaller than gzip's" $((ours < $(gzip -9n < "$dir/$f" | wc -c))) 1
done

finish
