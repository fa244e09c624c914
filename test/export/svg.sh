#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: EXPORT_SVG LIBELF
#
# pt export --svg in a browser: a click zooms, a search finds, keys move.

. test/export/common

if ! command -v chromedriver > /dev/null || ! command -v chromium > /dev/null; then
	skip "there is no Chromium, or no chromedriver"
	finish
	exit
fi
# shellcheck disable=SC2086 -- options are words
export_as svg $hello
mv "$dir/svg" "$dir/flame.svg"
is "a click zooms, a search finds, keys move" "$(python3 test/export/browser.py \
	"file://$dir/flame.svg" 1280x900 light << 'E2' 2>&1
js fs.length > 40
click (function () { var f = fs.filter(function (f) { return f.n == 'main'; })[0]; var r = f.r.getBoundingClientRect(); return [r.x + 20, r.y + 8]; })()
js at.n
js Math.round(at.r.getAttribute("width"))
js (search("printf_core"), found.textContent)
keys <ArrowUp>
js at.d - fs.filter(function (f) { return f.n == 'main'; })[0].d
keys <Escape>
js fs[0].r.getAttribute("width") - 0
js found.textContent
E2
)" 'true
"main"
1180
"found: 69.47%"
1
1180
""'
finish
