#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Packets per second, without text: see packet.c.

bench=$BENCH/packet
libipt=
if echo '#include <intel-pt.h>' | ${HOSTCC:-cc} -E - > /dev/null 2>&1; then
	libipt="-DHAVE_LIBIPT=1 -lipt"
fi
${HOSTCC:-cc} -std=gnu11 -O2 -Iinclude -o "$bench" test/bench/packet.c src/decode/packet.c \
	src/decode/sync.c src/decode/last_ip.c src/decode/encode.c $libipt || exit 1
"$bench" made-up
for trace in real/pie-hello-cyc gen/indirect/trace; do
	[ -e "$SHARED/data/$trace.pt" ] && "$bench" $trace "$SHARED/data/$trace.pt"
done
exit 0
