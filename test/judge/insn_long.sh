#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: long
LONG=1 exec sh test/judge/insn.sh
