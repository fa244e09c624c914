#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 12
# needs: EXPORT_DRCOV LIBELF
#
# pt export --drcov: as DynamoRIO says of its format, blocks that cover the bytes of all
# instructions that pt script prints, and no others.

. test/export/common

# Ranges of bytes as they are linked, "PATH BEGIN END", in hex; those that touch are one.
covered() {
	python3 - "$dir/drcov" << 'E2'
import struct, sys
data = open(sys.argv[1], "rb").read()
head, table, rest = data.partition(b"BB Table: ")
lines = head.decode().splitlines()
assert lines[0] == "DRCOV VERSION: 2" and lines[1] == "DRCOV FLAVOR: drcov"
version, count = lines[2].split("Module Table: version ")[1].split(", count ")
assert version == "2" and lines[3] == "Columns: id, base, end, entry, path"
modules = [line.split(", ", 4) for line in lines[4:]]
assert len(modules) == int(count)
number, _, blocks = rest.partition(b" bbs\n")
assert len(blocks) == 8 * int(number)
found = set()
for i in range(int(number)):
    start, size, nr = struct.unpack_from("<IHH", blocks, 8 * i)
    assert int(modules[nr][0]) == nr
    base, end = int(modules[nr][1], 16), int(modules[nr][2], 16)
    assert base + start + size <= end
    found.update((modules[nr][4], base + start + n) for n in range(size))
for name, byte in sorted(found):
    print(name, "%x" % byte)
E2
}
executed() {
	"$PT" script --itrace=i0ns -F ip,dso,insn "$@" 2> /dev/null | awk '!seen[$0]++' |
		python3 -c '
import re, sys
found = set()
for line in sys.stdin:
    ip, dso, code = re.match(r" *([0-9a-f]+) \((.*)\) insn: (.*)", line).groups()
    found.update((dso, int(ip, 16) + n) for n in range(len(code.split())))
for name, byte in sorted(found):
    print(name, "%x" % byte)'
}

# shellcheck disable=SC2086 -- options are words
{
	export_as drcov $hello
	is "it ends well" "$?" 0
	is "hello: bytes of code that was executed" "$(covered | sha256sum)" "$(executed $hello | sha256sum)"
	is "they are some" "$(covered | wc -l | awk '{ print ($1 > 1000) }')" 1
	export_as drcov $hello --symbols main,memcpy
	is "two functions" "$(covered | sha256sum)" "$(executed $hello --symbols main,memcpy | sha256sum)"
	if record_threads; then
		export_as drcov $threads
		is "threads: bytes of code that was executed" "$(covered | sha256sum)" \
			"$(executed $threads | sha256sum)"
	else
		skip "several threads: nothing can be recorded here"
	fi
}
finish
