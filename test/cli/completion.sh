#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_SCRIPT CMD_RECORD
#
# Completion offers what the help texts have.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ln -s "$PT" "$dir/pt"
PATH=$dir:$PATH

# bash WORDS: what is offered for the last of them
bash_offers() {
	bash -c '. src/completion/pt.bash
COMP_WORDS=(pt "$@") COMP_CWORD=$#
_pt
printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort -u | tr '\n' ' '
}

if command -v bash > /dev/null; then
	is "commands" "$(bash_offers s)" \
		"$(pt --help | sed -n 's/^  \(s[a-z]*\) .*/\1/p' | sort | tr '\n' ' ')"
	if pt --help | grep -q '^  buildid-list '; then
		is "a command with a dash" "$(bash_offers bu)" "buildid-list "
	fi
	is "an option" "$(bash_offers script --it)" "--itrace "
	is "letters" "$(bash_offers record -o)" "-o "
	for command in $(pt --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'); do
		is "each option of $command" "$(for o in $(bash_offers "$command" --); do
			[ "$o" = --help ] || pt help "$command" all | grep -q -- "$o" || echo "$o"
		done)$(bash_offers "$command" -- | wc -w | sed 's/^[1-9].*/some/')" some
	done
	is "topics of help" "$(bash_offers help script fi)" "fields "
	is "files" "$(bash_offers script -i test/golden/hello/pe)" "test/golden/hello/perf.data "
else
	skip "bash: there is none"
fi
if pt --version -v | grep -q HELP_TOPICS=y; then
	is "pt help TOPIC finds the command" "$(pt help itrace)" \
		"$(printf 'pt script --help=itrace\n\n'; pt script --help=itrace)"
	is "a topic of several" "$(pt help buffers | grep -c '^pt [a-z]* --help=buffers')" 1
	is "what is none is no command" "$(pt help qqqq 2>&1; echo $?)" \
		"$(printf "pt: 'qqqq' is not a command: pt --help lists them\n1")"
fi
# zsh_offers WORDS: the same. These functions of zsh take what completes from there.
zsh_offers() {
	zsh -f -c '_describe() { print -l -- ${(P)2} }
_files() { print files }
_command_names() { print commands }
words=(pt "$@") CURRENT=$(($# + 1))
. src/completion/_pt' zsh "$@" | sed 's/:.*//' | sort -u | tr '\n' ' '
}
if command -v zsh > /dev/null; then
	is "zsh: commands" "$(zsh_offers '' | tr ' ' '\n' | grep .)" \
		"$(pt --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | sort)"
	for command in $(pt --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'); do
		is "zsh: each long option of $command" "$(zsh_offers "$command" -- | tr ' ' '\n' | grep .)" \
			"$(bash_offers "$command" -- | tr ' ' '\n' | grep '^--[a-z]' | grep -vx -- --help)"
	done
	is "zsh: topics of help" "$(zsh_offers help script '')" "$(bash_offers help script '')"
	is "zsh: files" "$(zsh_offers script -i te)" "files "
	is "zsh: a command line" "$(zsh_offers record l)" "commands files "
else
	skip "zsh: there is none"
fi
finish
