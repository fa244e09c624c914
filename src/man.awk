# SPDX-License-Identifier: GPL-2.0-or-later
#
# The man page of one command, from src/pt.1, which has a section for each.
# usage: awk -v command=record -f src/man.awk src/pt.1

# 'all' is the first paragraph of the help text, in one line: its first sentence says what it is.
function start(all) {
	sub(/[.?] .*/, "", all)
	sub(/\.$/, "", all)
	print ".\\\" SPDX-License-Identifier: GPL-2.0-or-later"
	print ".TH PT-" toupper(command) " 1"
	print ".SH NAME\npt\\-" command " \\- " tolower(substr(all, 1, 1)) substr(all, 2)
	print ".SH SYNOPSIS\n.nf\n" usage ".fi\n.SH DESCRIPTION\n.nf\n" lines
	started = 1
}

/^\.S[HS] / { gsub(/\\-/, "-"); on = $0 == ".SS pt " command; next }
!on || /^\.(nf|fi)$/ || /^\.\\" END/ { next }
started { print; next }
/^usage: / { part = "usage" }
!/./ && part == "lines" { start(joined); next }
!/./ { part = "lines"; next }
part == "usage" { usage = usage substr($0, 8) "\n"; next }
{ lines = lines $0 "\n"; joined = joined (joined ? " " : "") $0 }

END {
	print ".fi\n.SH SEE ALSO\n.BR pt (1),\n.BR perf (1)"
}
