#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_ANNOTATE PERF_DATA LIBELF
#
# pt annotate: the number at each instruction is how often it is in the list of what was executed;
# samples are those of pt report.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# counts: lines "COUNT LOW-BITS-OF-ADDRESS" of the output, sorted.
counts() {
	awk '$2 ~ /^[0-9]+[.][0-9][0-9]$/ && $3 ~ /^[0-9a-f]+$/ {
		print $1, substr("000" $3, length($3) + 1) }' | sort
}

for t in hello recursion indirect longjmp ptwrite; do
	file=$GEN/$t/perf.data
	[ -f "$file" ] || continue
	"$PT" annotate -i "$file" --symfs "$GEN/root" --percent-limit 0 --no-source > "$dir/out" \
		2> "$dir/err"
	is "$t: status" $? 0
	counts < "$dir/out" > "$dir/got"
	{ cat "$GEN/$t/truth.insn" 2> /dev/null || gzip -dc "$GEN/$t/truth.insn.gz"; } | sort |
		uniq -c | awk '{ print $1, substr($2, length($2) - 2) }' |
		sort > "$dir/wanted"
	cmp -s "$dir/got" "$dir/wanted" && pass ||
		flunk "$t: counts are those of the truth" "$(diff "$dir/wanted" "$dir/got" | head -n 8)"
	"$PT" annotate -i "$file" --symfs "$GEN/root" --percent-limit 0 --no-source --itrace=i1i \
		2> "$dir/err" | counts > "$dir/got"
	cmp -s "$dir/got" "$dir/wanted" && pass ||
		flunk "$t: samples of each instruction" "$(diff "$dir/wanted" "$dir/got" | head -n 8)"
	for o in i100i i1us b; do
		"$PT" annotate -i "$file" --symfs "$GEN/root" --percent-limit 0 --itrace=$o 2> "$dir/err" |
			awk '/ samples? of / { match($0, / samples? of/); print substr($0, 1, RSTART - 1) }' |
			awk '{ print $NF, $1 }' | grep -v unknown | sort > "$dir/got"
		"$PT" report -i "$file" --symfs "$GEN/root" --itrace=$o --no-children -g none -q \
			-F sample,sym 2> "$dir/err" | awk 'NF && $3 !~ /^0/ { print $1, $3 }' |
			sort > "$dir/wanted.$o"
		is "$t: samples of functions with --itrace=$o" "$(cat "$dir/got")" \
			"$(cat "$dir/wanted.$o")"
	done
done
hello=$GEN/hello/perf.data
if [ -f "$hello" ]; then
	"$PT" annotate -i "$hello" --symfs "$GEN/root" main > "$dir/out" 2>&1
	is "one function" "$(grep -c ' instructions executed, ' "$dir/out")" 1
	is "its head" "$(head -n 1 "$dir/out")" \
		"main in /opt/pt-data/bin/hello: 334 instructions executed, 1.38 % of all"
	is "-s SYMBOL" "$("$PT" annotate -v -i "$hello" --symfs "$GEN/root" -s main 2>&1 | cksum)" \
		"$(cksum < "$dir/out")"
	"$PT" annotate -i "$hello" --symfs "$GEN/root" nothing > "$dir/out" 2>&1
	is "no such function: status" $? 1
	grep -q "nothing of 'nothing' was executed" "$dir/out" && pass || flunk "it says so" \
		"$(cat "$dir/out")"
	"$PT" annotate -i "$hello" --percent-limit x > "$dir/out" 2>&1
	is "--percent-limit x: status" $? 1
else
	skip "there is no $hello"
fi

cat > "$dir/work.c" <<'END'
volatile unsigned long sum;

__attribute__((noinline)) static void leaf(unsigned n)
{
	while (n--)
		sum += n;	/* here */
}

int main(void)
{
	for (int i = 0; i < 300; i++)
		leaf(100000);
	return 0;
}
END
${HOSTCC:-gcc} -g -O1 -static -o "$dir/work" "$dir/work.c"
if "$PT" record -q -e cpu-clock:u -o "$dir/w" "$dir/work" > "$dir/log" 2>&1; then
	"$PT" annotate -i "$dir/w" --percent-limit 0 > "$dir/out"
	"$PT" report -i "$dir/w" --no-children -g none -q -F sample,sym |
		awk 'NF { print $1, $3 }' | sort > "$dir/wanted"
	awk '/ samples? of cpu-clock/ { match($0, / samples? of/); print substr($0, 1, RSTART - 1) }' \
		"$dir/out" | awk '{ print $NF, $1 }' | sort > "$dir/got"
	is "samples of functions" "$(cat "$dir/got")" "$(cat "$dir/wanted")"
	is "samples of instructions" "$(awk '$2 ~ /^[0-9]+[.][0-9][0-9]$/ { n += $1 }
		END { print n }' "$dir/out")" "$(awk '{ n += $1 } END { print n }' "$dir/wanted")"
	is "addresses are those of the file" "$("$PT" annotate -i "$dir/w" --no-source leaf |
		awk 'NF && / [0-9a-f]+  / { print $(NF > 2 && $2 ~ /[.]/ ? 3 : 1); exit }')" \
		"$(nm "$dir/work" | awk '$3 == "leaf" { sub(/^0+/, "", $1); print $1 }')"
	"$PT" annotate -i "$dir/w" --no-source leaf --percent-type global-hits |
		awk '$2 ~ /^[0-9]+[.][0-9][0-9]$/ { n += $2 } END { print (n < 100.1) }' > "$dir/got"
	is "shares of all functions" "$(cat "$dir/got")" 1
	is "periods" "$("$PT" annotate -i "$dir/w" --no-source --show-total-period leaf |
		awk '$2 ~ /^[0-9]+[.][0-9][0-9]$/ { n += $1 } END { print (n > 250000) }')" 1
	is "-d" "$("$PT" annotate -i "$dir/w" -d work --no-source leaf | cksum)" \
		"$("$PT" annotate -i "$dir/w" --no-source leaf | cksum)"
	"$PT" annotate -i "$dir/w" --no-source --stdio2 leaf > "$dir/labels"
	is "--stdio2: shares" "$(awk '$1 ~ /^[0-9]+[.][0-9][0-9]$/ { print $1 }' "$dir/labels")" \
		"$("$PT" annotate -i "$dir/w" --no-source leaf |
			awk '$2 ~ /^[0-9]+[.][0-9][0-9]$/ { print $2 }')"
	# Without the names of instructions, which differ from objdump's.
	parts() {
		LC_ALL=C sed -nE 's/^( *[0-9]+[.][0-9][0-9]|      ) ( *[0-9a-f]+:)?.*[^ -~] j/\1\2 > j/p
			s/^( *[0-9]+[.][0-9][0-9]|      ) ( *[0-9a-f]+:)?.*/\1\2/p' |
			tr -d ' ' | grep .
	}
	if has_perf && command -v objdump > /dev/null &&
		"$PT" version -v | grep -q CONFIG_DISASM=y; then
		perf annotate --stdio2 -i "$dir/w" leaf 2> "$dir/err" | parts > "$dir/wanted"
		parts < "$dir/labels" > "$dir/got"
		compare "--stdio2: shares, labels and jumps"
	fi
	if "$PT" version -v | grep -q CONFIG_SRCLINE=y; then
		grep -q 'work.c:6  .*here' "$dir/out" && pass || flunk "the text of the source" \
			"$(head -n 20 "$dir/out")"
		"$PT" annotate -i "$dir/w" --percent-type local --no-source > "$dir/got" 2>&1
		is "an unknown --percent-type: status" $? 1
		grep -q 'work.c' <<-END && flunk "--no-source has none" || pass
			$("$PT" annotate -i "$dir/w" --no-source leaf)
		END
	fi
else
	skip "samples: pt may not record them here"
fi
finish
