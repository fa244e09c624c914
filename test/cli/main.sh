#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# The part of pt before commands: help, version, names of commands, and an output that cannot be
# written.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# says STATUS WANTED COMMAND...: exit status and first line of stdout and stderr.
says() {
	status=$1 wanted=$2
	shift 2
	got=$("$@" 2>&1 < /dev/null | head -n 1)
	"$@" > "$dir/out" 2>&1 < /dev/null
	is "$* ends with $status" $? "$status"
	is "$* says '$wanted'" "$got" "$wanted"
}

says 1 'usage: pt COMMAND [OPTIONS]' "$PT"
says 0 'usage: pt COMMAND [OPTIONS]' "$PT" --help
says 0 'usage: pt COMMAND [OPTIONS]' "$PT" help
says 0 "$("$PT" version)" "$PT" --version
says 1 "pt: 'qqqq' is not a command: pt --help lists them" "$PT" qqqq
says 1 "pt: 'qqqq' is not a command: pt --help lists them" "$PT" help qqqq
is "the version lists what was built in" "$("$PT" --version -v | grep -c '^  CONFIG_.*=y$')" \
	"$("$PT" --version -v | sed '1d; /sandbox of/d' | wc -l | tr -d ' ')"

commands=$("$PT" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
	is "pt $command --help ends with 0" "$("$PT" "$command" --help > "$dir/help"; echo $?)" 0
	is "pt help $command is the same" "$("$PT" help "$command")" "$(cat "$dir/help")"
	is "pt $command: a wrong option is one line" \
		"$("$PT" "$command" --frobnicate 2>&1 | sed 's/; .*)$/)/')" \
		"pt: unknown option --frobnicate (see pt $command --help)"
	for option in $("$PT" "$command" --help=all |
			sed -n 's/^ \{1,8\}\(-., \)\{0,1\}--\([a-z-]*\)[ =][A-Z].*/\2/p'); do
		is "pt $command --no-$option is taken back, or refused" "$(cd "$dir" &&
			"$PT" "$command" "--no-$option" /dev/null > /dev/null 2>&1 < /dev/null
			[ $? -lt 128 ] && echo so)" so
	done
	ln -s "$PT" "$dir/pt-$command"
	is "pt-$command is that command" "$("$dir/pt-$command" --help)" "$(cat "$dir/help")"
	is "pt $command: a help page fits 80x24" \
		"$(awk 'length > 80 || NR > 24' "$dir/help")" ""
	is "pt $command: its help ends with examples" "$(tail -n 3 "$dir/help" | grep -vc '^  pt ')" 0
	for topic in $("$PT" help "$command" all | grep -oE -- '--help=[a-z]+' | sort -u); do
		is "pt $command $topic fits 80x24" "$("$PT" "$command" "$topic" 2>&1 |
			awk 'length > 80 || (NR > 24 && topic !~ /all$/)' topic="$topic")" ""
	done
	is "pt $command: no help on frob" "$("$PT" "$command" --help=frob > /dev/null 2>&1; echo $?)" 1
done
is "a help page fits 80x24" "$("$PT" --help | awk 'length > 80 || NR > 24')" ""

if [ -w /dev/full ]; then
	is "a full disk is exit 1" "$("$PT" --help 2>&1 > /dev/full; echo $?)" \
		"pt: cannot write: No space left on device
1"
else
	skip "a full disk: there is no /dev/full"
fi
is "a closed stdout is exit 1" "$("$PT" --help 2>&1 >&-; echo $?)" "pt: cannot write: Bad file descriptor
1"
is "a closed stderr does no harm" "$("$PT" frob 2>&-; echo $?)" 1
(trap '' PIPE; "$PT" --help 2> "$dir/err"; echo $? > "$dir/status") | true
case $(cat "$dir/status"):$(cat "$dir/err") in
0: | 1:) pass ;;
*) flunk "a reader that leaves is no reason to speak" ;;
esac

finish
