#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: long
#
# configs.sh with many more random mixes.

LONG=1 exec sh test/build/configs.sh
