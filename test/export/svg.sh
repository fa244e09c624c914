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
frame='(function (n) { return fs.filter(function (f) { return f.n == n; })[0]; })'
is "a click zooms, a search finds, keys move" "$(python3 test/export/browser.py \
	"file://$dir/flame.svg" 1280x900 light << E2 2>&1
js fs.length > 40
click (function () { var r = $frame('main').g.getBoundingClientRect(); return [r.x + 20, r.y + 8]; })()
js at.n
js Math.round(at.g.firstChild.getAttribute("width"))
js get("details").textContent
js (search("printf_core"), get("found").textContent)
keys <ArrowDown>
js at.d - $frame('main').d
keys <Enter>
js [to.n == at.n, drawn.indexOf($frame('_dlstart')) < 0]
keys <Escape>
js Math.round(fs[0].g.firstChild.getAttribute("width"))
js get("found").textContent
js (search("("), get("found").textContent)
E2
)" 'true
"main"
1259
"main (23,296 instructions, 96.30 %)"
"found: 69.47 %"
1
[true, true]
1259
""
"no such pattern"'
# Browsers took minutes for as many elements as this file has frames.
python3 - "$dir/flame.svg" > "$dir/large.svg" << 'E2'
import re, sys
svg = open(sys.argv[1]).read()
frames = ["0 0 60000 0"] + ["%d %d 1 0" % (1 + i % 100, i) for i in range(60000)]
print(re.sub(r"(?s)(id=.data.>\n).*?</script>",
             lambda m: m[1] + "ns 1\nall\n" + "\n".join(frames) + "</script>", svg))
E2
is "on a phone it is as wide as the screen, and only what can be seen is drawn" \
	"$(python3 test/export/browser.py "file://$dir/large.svg" 390x844 dark << 'E2' 2>&1
js svg.getAttribute("viewBox").split(" ")[2]
js getComputedStyle(svg).backgroundColor
js [fs.length, drawn.length]
js (zoom(fs[1]), drawn.length)
E2
)" '"390"
"rgb(27, 27, 31)"
[60001, 1]
2'
finish
