#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

check() {
	require_binaries pt || return 1
	return 255
}

depends() {
	return 0
}

install() {
	inst_multiple pt
}
