#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 20
# needs: CMD_RECORD CMD_SCRIPT CMD_DUMP RECORD_SOFT
#
# Every example in README and in the help texts (and so in the man page) runs unchanged, also on a
# machine without Intel PT.

. test/verdict

dir=$(mktemp -d)
# What is recorded by -p: it works for a while and sleeps for longer, since it runs all the time.
sh -c 'while :; do i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done; sleep 0.05; done' &
busy=$!
trap 'kill $busy; rm -rf "$dir"' EXIT
mkdir "$dir/bin" "$dir/here"
ln -s "$PT" "$dir/bin/pt"
# The other machine is this one.
printf '#!/bin/sh\nshift\nexec "$@"\n' > "$dir/bin/ssh"
chmod +x "$dir/bin/ssh"
PATH=$dir/bin:$PATH
export PATH

# The words up to two blanks; where README or a help text has them.
{
	sed -n 's/^    \(pt [^ ].*\)/\1/p' README | sed '/^pt COMMAND/d' |
		sed -n '/^pt record ls/,/^pt script -j/p'
	for command in -D $("$PT" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		"$PT" help "$command" | sed -n 's/^  \(pt [^ ].*\)/\1/p; s/^  \(ssh .*\)/\1/p'
	done
} | sed 's/   *[^ ].*$//; s/ every branch of.*//; s/  *$//' | sort -u > "$dir/examples"
is "there are examples" "$(($(wc -l < "$dir/examples") > 20))" 1

cd "$dir/here" || exit 1
"$PT" record -q -o ls.data ls > /dev/null 2>&1
cp "$OLDPWD/test/golden/hello/perf.data" hello.data
echo 'psb; psbend; tnt TN' | "$O/obj/ptasm" > trace.pt
# What the examples of pt crash and pt diff have: a program that dies, two recordings.
printf '#!/bin/sh\nkill -SEGV $$\n' > a.out
chmod +x a.out
printf 'test:\n\t@./a.out\n' > Makefile
cp ls.data good.data
cp ls.data bad.data
cp ls.data box.data
# README says which option of Kconfig a few of them need.
needs_an_option() {
	! "$PT" --version -v | grep -q WINDOW=y || grep -A4 'see TRIM' "$OLDPWD/README" | grep -qF "    $1"
}
# What a terminal logged. Without EXPORT_CONSOLE there is none.
"$PT" export --console -i ls.data > minicom.log 2> /dev/null || rm -f minicom.log
while read -r example; do
	cp ls.data perf.data
	case $example in
	*minicom.log*)
		[ -e minicom.log ] || {
			skip "$example: not in this build"
			continue
		} ;;
	'pt probe '*|*probe_libc*)
		skip "$example: it changes the machine"
		continue ;;
	'pt '[a-z]*)
		"$PT" help "$(echo "$example" | cut -d ' ' -f 2)" > /dev/null 2>&1 || {
			skip "$example: not in this build"
			continue
		} ;;
	esac
	example=$(printf '%s\n' "$example" | sed "s/ PID / $busy /")
	case $example in
	*' -I '*) limit=3 ;;	# it goes on until Ctrl-C
	*) limit=300 ;;
	esac
	case $example in
	'pt record '*'-e cycles'*)	# a container may forbid it
		"$PT" record -q -e cycles -o try.data true 2> /dev/null || {
			skip "$example: not permitted here"
			continue
		} ;;
	esac
	timeout -k 2 $limit sh -c "$example" > "$dir/out" 2> "$dir/err" < /dev/null
	status=$?
	if [ $status = 1 ] && grep -qE 'unknown option|built without' "$dir/err" && needs_an_option "$example"; then
		skip "$example: not in this build"
		continue
	fi
	# The name that libc's symbols have differs.
	if [ $status = 1 ] && grep -q 'no such function begins in' "$dir/err"; then
		skip "$example: this ls does not call it by that name"
		continue
	fi
	# On a busy machine nothing may have been executed in the first part of the time.
	if [ $status = 1 ] && grep -q 'the options select no code' "$dir/err"; then
		skip "$example: nothing was executed in this time"
		continue
	fi
	case $example:$status in
	'pt crash '*a.out:139 | 'pt crash '*'make test':2 | *'pt diff'*:1) status=0 ;;
	'pt info:1' | *' -I '*:124 | *'kill -SEGV'*:139) status=0 ;;
	esac
	is "$example" "$status $(grep -vE 'recording in software|it did not die of a signal|SIGSEGV in |lines?, |gaps? in|records were lost|about .* baud|--call-trace, ' "$dir/err" |
		grep '^pt: ')" "0 "
done < "$dir/examples"

finish
