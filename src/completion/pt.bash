# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion for bash: what this pt says to --help, so it is always that of the binary.

_pt_commands() {
	pt --help 2> /dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
}

# _pt_options COMMAND: its long options and letters
_pt_options() {
	pt help "$1" all 2> /dev/null |
		sed -n 's/^ \{1,8\}\(-[a-zA-Z]\)\{0,1\},\{0,1\} *\(--[a-z][a-z-]*\)\{0,1\}.*/\1 \2/p'
}

# _pt_topics COMMAND: of --help=TOPIC
_pt_topics() {
	echo all
	pt help "$1" all 2> /dev/null | sed -n 's/^\([a-z][a-z]*\): .*/\1/p' | grep -v '^usage$'
}

_pt() {
	local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "$(_pt_commands) help -D --help --version" -- "$word"))
		return
	fi
	if [ "$command" = help ]; then
		[ "$COMP_CWORD" = 2 ] && COMPREPLY=($(compgen -W "$(_pt_commands)" -- "$word"))
		[ "$COMP_CWORD" = 3 ] &&
			COMPREPLY=($(compgen -W "$(_pt_topics "${COMP_WORDS[2]}")" -- "$word"))
		return
	fi
	case $word in
	-*)
		COMPREPLY=($(compgen -W "$(_pt_options "$command") --help" -- "$word"))
		;;
	*)
		COMPREPLY=($(compgen -f -- "$word"))
		case $command in
		record | trace | crash | stat)	# of a command line
			COMPREPLY+=($(compgen -c -- "$word")) ;;
		esac
		;;
	esac
}

complete -o filenames -F _pt pt
