#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 4
# needs: EXPORT_HTML EXPORT_FOLDED LIBELF
#
# pt export --html: a page that has what --folded has, loads nothing, and does in a browser what it
# says: zoom, search, keys, on a phone, in the dark.

. test/export/common

# shellcheck disable=SC2086 -- options are words
as_folded() {
	what=$1
	shift
	export_as html "$@"
	is "$what: it ends well" "$?" 0
	export_as folded "$@"
	is "$what: instructions of each frame" "$(read_as html_frames "$dir/html")" \
		"$(read_as folded "$dir/folded")"
	sed '/\[gap\]/d' "$dir/folded" > "$dir/no_gaps"
	export_as folded --weight=time "$@"
	is "$what: time of each frame" "$(read_as html_time "$dir/html")" \
		"$(read_as folded "$dir/folded")"
}

# shellcheck disable=SC2086
{
	as_folded hello $hello
	is "the timeline has each call" "$(read_as html_calls "$dir/html")" \
		"$(read_as folded "$dir/no_gaps")"
	none "no other file, and no network, is named" "$(grep -E 'https?:|@import|url\(' "$dir/html")"
	as_folded "one function" $hello --symbols main,memcpy
	hurt_names
	export_as html $hostile
	is "any name is a string of JSON" "$(read_as html_frames "$dir/html" | grep ' .a"')" \
		"10996 16806 'a\"<\\\\\\n\\x01&\\xe9\\ufffd;'"
	if record_threads; then
		as_folded threads $threads
	else
		skip "several threads: nothing can be recorded here"
	fi
}

if ! command -v chromedriver > /dev/null || ! command -v chromium > /dev/null; then
	skip "there is no Chromium, or no chromedriver"
	finish
	exit
fi
# shellcheck disable=SC2086
export_as html $hello
mv "$dir/html" "$dir/page.html"

# in_browser SIZE SCHEME: what the commands on standard input say.
in_browser() {
	python3 test/export/browser.py "file://$dir/page.html" "$@" 2>&1
}
place='(function (name) {
	var i = [].findIndex.call(flame.name, function (nr) { return names[nr] == name; });
	var p = flame.place(i);
	return [p.x, p.y];
})'
place=$(printf '%s' "$place" | tr '\n\t' '  ')
is "a click zooms, keys move, a search finds" "$(in_browser 1280x900 light << E2
js document.title
click $place("main")
js document.getElementById("path").lastChild.textContent
js document.getElementById("tip").hidden
js (flame.canvas.focus(), 0)
keys <ArrowDown><Enter>
js document.getElementById("path").lastChild.textContent
keys <Escape>
js document.getElementById("path").textContent
keys /
keys printf_core
js document.getElementById("found").textContent
keys <Escape>
js document.getElementById("found").textContent
js (document.querySelectorAll("#weights button")[1].click(), document.querySelector("#functions tbody td").textContent)
js (time.scale(0.5, 0.5), time.to - time.from < data.length)
E2
)" "$(cat << E2
"test/golden/hello/perf.data - pt"
"main"
true
0
"strlen"
""
"1 function, 69.5 %"
""
"$("$PT" export --folded --weight=time $hello 2> /dev/null | sed 's/.*;//' |
	awk '{ n[$1] += $2 } END { for (f in n) print n[f], f }' | sort -n | tail -n 1 | cut -d' ' -f2)"
true
E2
)"
is "it fits a phone, and is dark where that is asked for" "$(in_browser 390x844 dark << E2
js document.documentElement.scrollWidth <= innerWidth
js getComputedStyle(document.body).backgroundColor
js theme.dark
E2
)" "$(printf 'true\n"rgb(18, 19, 22)"\ntrue')"
finish
