# SPDX-License-Identifier: GPL-2.0-or-later
#
# make            build ./pt (static) by .config, or by kconfig/full.config
# make demo       build, and show what it does on a real trace
# make check      build and run all tests; installs the packages they need (Debian, as root)
# make help       all other targets
#
# make O=DIR builds elsewhere. V=1 shows commands. CROSS_COMPILE=, DESTDIR=, PREFIX= as usual.

# Without this, make searches its built-in rules for each file: a quarter of a second.
MAKEFLAGS += -r

O ?= .
VERSION := 0.1
PREFIX ?= /usr/local
Q := $(if $(V),,@)
quiet := $(V)$(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say = $(if $(quiet),,@printf '  %-7s %s\n' '$(1)' '$(2)')
all: $(O)/pt

# The source files, from the commands down. Each option names the files that it needs. README's
# ARCHITECTURE describes the folders.
include kconfig/rules.mk

src-y := src/main.c src/base/arena.c src/base/fail.c src/base/fmt.c src/base/near.c \
	src/base/num.c src/base/opt.c src/base/out.c src/base/packed.c src/base/ranges.c \
	src/base/text.c src/cmd/input.c
src-$(CONFIG_RECORD_MORE) += src/record/hw_more.c src/perf/perf_topology.c
src-$(CONFIG_RECORD_FILES) += src/record/hw_files.c src/base/date.c
src-$(CONFIG_CONSOLE) += src/base/fit.c src/base/term.c
src-$(CONFIG_COLOR) += src/base/paint.c
src-$(if $(CONFIG_CONSOLE),$(or $(CONFIG_CMD_DUMP),$(CONFIG_CMD_SCRIPT))) += \
	src/print/short_packets.c
src-$(CONFIG_EVENTS) += src/base/textfile.c src/base/mounts.c src/perf/counter.c src/perf/cpus.c \
	src/perf/event_name.c src/perf/event_parse.c src/perf/event_pmu.c src/perf/event_spec.c \
	src/perf/event_terms.c src/perf/event_tracepoint.c src/record/target.c
src-$(CONFIG_CMD_STAT) += src/cmd/stat.c src/cmd/stat_ask.c src/cmd/stat_diff.c \
	src/cmd/stat_once.c src/cmd/stat_table.c \
	src/base/date.c src/base/real.c src/print/print_diff.c \
	src/perf/count_rows.c src/perf/count_sums.c src/perf/perf_count.c \
	src/print/print_stat.c src/print/stat_metric.c src/record/stat_run.c
src-$(CONFIG_STAT_FILE) += src/cmd/stat_file.c src/perf/perf_places.c
src-$(CONFIG_STAT_MORE) += src/cmd/stat_more.c
src-$(CONFIG_CMD_LIST) += src/cmd/list.c src/print/print_caps.c
src-$(CONFIG_CMD_INFO) += src/cmd/info.c src/record/machine.c arch/x86/host.c
src-$(if $(CONFIG_CMD_INFO),$(CONFIG_PERF_DATA)) += src/cmd/info_file.c src/base/rbtree.c \
	src/image/file.c src/image/note.c src/image/segment.c
src-$(CONFIG_CMD_SCRIPT) += src/image/cache.c src/image/dso.c src/image/file.c \
	src/image/image.c src/image/note.c src/base/rbtree.c src/image/segment.c \
	src/image/map_tree.c src/image/space.c src/image/symbol.c src/image/symtab.c src/base/sort.c
src-$(CONFIG_CMD_REPORT) += src/cmd/report.c src/cmd/report_runs.c src/cmd/report_columns.c \
	src/cmd/report_sample.c $(if $(CONFIG_TRACEPOINT_TEXT),src/cmd/report_trace.c) \
	arch/x86/cost.c src/synth/hist.c src/synth/hist_sort.c src/synth/samples_ahead.c \
	src/print/print_report.c src/base/hash.c src/base/real.c
src-$(CONFIG_REPORT_MORE) += src/cmd/report_more.c src/cmd/report_stats.c src/cmd/report_threads.c \
	src/synth/hist_keys.c \
	src/print/print_report_keys.c src/print/print_report_levels.c
src-$(if $(CONFIG_REPORT_MORE),$(CONFIG_TRACEPOINT_TEXT)) += src/cmd/report_fields.c
src-$(CONFIG_CMD_EXPORT) += src/cmd/export.c src/synth/tree.c src/synth/blocks.c \
	src/synth/spans.c src/base/hash.c
src-$(CONFIG_EXPORT_CALLGRIND) += src/print/print_callgrind.c
src-$(CONFIG_EXPORT_HTML) += src/print/print_html.c src/synth/timeline.c src/print/json.c \
	src/base/sort.c
src-$(CONFIG_EXPORT_PERFETTO) += src/print/print_perfetto.c src/print/proto.c
src-$(CONFIG_EXPORT_PPROF) += src/print/print_pprof.c src/print/proto.c
src-$(CONFIG_EXPORT_SPLIT) += src/cmd/split.c src/base/whole.c
src-$(CONFIG_EXPORT_DRCOV) += src/print/print_drcov.c
src-$(CONFIG_EXPORT_LCOV) += src/print/print_lcov.c
src-$(CONFIG_EXPORT_SPEEDSCOPE) += src/print/print_speedscope.c src/print/json.c src/base/sort.c
src-$(CONFIG_EXPORT_CHROME) += src/print/print_chrome.c src/print/json.c
src-$(CONFIG_EXPORT_FOLDED) += src/print/print_folded.c
src-$(CONFIG_EXPORT_SVG) += src/print/print_svg.c
src-$(CONFIG_PARALLEL) += src/cmd/parallel.c src/cmd/board.c src/base/digest.c \
	src/decode/flow_state.c src/session/part.c src/synth/samples_state.c
src-$(CONFIG_LIBELF) += src/image/elf.c src/image/elf_libc.c src/image/symbol_elf.c
src-$(if $(CONFIG_SRCLINE),$(CONFIG_CMD_PROBE)) += src/image/dwarf_decl.c
src-$(CONFIG_SRCLINE) += src/image/dwarf_line.c src/image/source.c src/print/print_srccode.c \
	src/base/hash.c
src-$(CONFIG_UNWIND) += src/image/cfi.c src/image/cfi_expression.c src/image/unwind.c \
	src/synth/unwound.c
src-$(CONFIG_DEMANGLE) += src/image/symbol_name.c
src-$(CONFIG_ZLIB) += src/base/zip.c
src-$(CONFIG_KERNEL) += src/base/mounts.c src/image/kallsyms.c \
	src/image/kcore.c src/image/kernel.c \
	src/image/kernel_maps.c

src-$(CONFIG_CMD_SCRIPT) += arch/x86/insn.c
src-$(CONFIG_PERF_DATA) += src/base/date.c src/base/whole.c src/perf/perf_event.c \
	src/perf/perf_input.c src/perf/perf_order.c src/perf/perf_read.c src/perf/perf_record.c \
	src/print/print_bytes.c src/print/print_dump.c src/print/print_fields.c \
	src/print/print_header.c src/print/print_record.c src/print/print_tool_record.c
src-$(CONFIG_CMD_RECORD) += src/perf/perf_ring.c
src-$(CONFIG_PERF_WRITE) += src/perf/perf_write.c src/perf/perf_write_record.c \
	src/perf/perf_features.c src/perf/perf_tracing.c src/perf/perf_dir.c arch/x86/host.c
src-$(CONFIG_SANDBOX) += src/base/sandbox.c
src-$(CONFIG_CMD_TRACE) += src/cmd/trace.c
src-$(CONFIG_CMD_CRASH) += src/cmd/crash.c src/cmd/crash_say.c src/synth/history.c \
	src/print/print_crash.c src/print/crash_text.c src/perf/perf_death.c \
	src/record/soft_death.c src/base/hash.c
src-$(CONFIG_CMD_RECORD) += src/cmd/record.c src/cmd/record_values.c \
	src/record/record.c src/record/record_say.c src/record/control.c \
	src/record/dsos.c src/record/running.c src/record/own_kernel.c \
	src/record/kcore.c src/record/elf_view.c src/record/pt_terms.c \
	src/base/lines.c src/image/file.c src/image/note.c src/image/segment.c
src-$(CONFIG_RECORD_HW) += src/record/record_hw.c src/record/hw_config.c src/record/hw_event.c \
	src/record/hw_events.c \
	src/record/hw_open.c src/record/hw_print.c src/record/hw_target.c src/record/filter.c
src-$(CONFIG_KCORE_MODULES) += src/record/kcore_modules.c
src-$(CONFIG_RECORD_SAMPLES) += src/cmd/record_ask.c src/record/hw_samples.c
src-$(CONFIG_RECORD_SOFT) += src/base/date.c src/record/record_soft.c \
	src/record/soft_follow.c src/record/soft_maps.c src/record/soft_step.c \
	src/record/soft_signal.c src/record/soft_stuck.c src/record/soft_threads.c \
	src/record/trans_pack.c \
	src/decode/encode.c src/decode/last_ip.c \
	arch/x86/insn.c arch/x86/tracee.c
src-$(CONFIG_SOFT_AGAIN) += src/record/trans_over.c
src-$(CONFIG_SOFT_FILTERS) += src/record/trans_filter.c
src-$(CONFIG_SOFT_SNAPSHOT) += src/record/soft_snapshot.c
src-$(CONFIG_SOFT_TRANSLATE) += src/base/sort.c src/record/trans.c src/record/trans_blob.c \
	src/record/trans_attach.c src/record/trans_code.c src/record/trans_files.c \
	src/record/trans_inject.c src/record/trans_out.c src/record/trans_signal.c arch/x86/inject.c
src-$(if $(CONFIG_CMD_RECORD),$(CONFIG_BUNDLE)) += src/record/bundle_write.c
src-$(if $(CONFIG_CMD_SCRIPT)$(CONFIG_CMD_INFO),$(CONFIG_BUNDLE)) += src/image/bundle.c
decode := src/decode/packet.c src/decode/sync.c src/decode/last_ip.c
src-$(CONFIG_CMD_DUMP) += $(decode) src/cmd/dump.c src/cmd/dump_file.c src/print/print_packet.c \
	src/print/print_packets.c
src-$(CONFIG_CMD_SCRIPT) += $(decode) src/decode/encode.c src/print/print_packet.c \
	src/print/print_packets.c

# Decoding a trace, its side-band, and printing it.
src-$(CONFIG_CMD_SCRIPT) += src/decode/clock.c src/decode/flow.c \
	src/decode/flow_chain.c src/decode/flow_due.c src/decode/flow_event.c \
	src/decode/flow_fup.c src/decode/flow_look.c \
	src/decode/flow_psb.c src/decode/flow_read.c src/decode/flow_search.c \
	src/decode/flow_skip.c src/decode/flow_skip_time.c src/decode/flow_walk.c \
	src/decode/runs.c src/session/code.c src/session/errata.c src/session/filter.c \
	src/session/heap.c src/session/open.c src/session/overlap.c src/session/process.c \
	src/session/queue.c src/session/raw.c src/session/session.c src/session/setup.c \
	src/session/sideband.c src/session/switch.c \
	src/synth/calls.c src/synth/itrace.c src/synth/listing.c src/synth/made.c \
	src/synth/samples.c \
	src/print/print_sample.c src/print/sample_text.c src/print/print_insn.c \
	src/print/print_calls.c \
	src/print/print_chain.c src/print/print_run.c src/print/run_text.c src/print/print_place.c \
	src/print/fields.c src/cmd/script.c src/cmd/script_ask.c \
	src/cmd/script_dump.c src/cmd/script_lines.c src/cmd/ask.c src/cmd/ask_end.c \
	src/cmd/ask_raw.c \
	src/base/mounts.c

src-$(CONFIG_DECODE_LOG) += src/cmd/ask_log.c
src-$(CONFIG_SCRIPT_MORE) += src/cmd/script_more.c src/synth/choice.c src/base/hash.c \
	src/base/whole.c
src-$(CONFIG_ZSTD) += src/cmd/expand.c src/perf/perf_write_zstd.c \
	src/perf/perf_read_zstd.c
src-$(CONFIG_DISASM) += src/print/disasm.c
src-$(CONFIG_ROWS) += src/print/print_rows.c src/print/json.c
src-$(CONFIG_PROGRESS) += src/cmd/progress.c
src-$(CONFIG_CMD_PROBE) += src/cmd/probe.c src/base/lines.c
src-$(CONFIG_BRANCH_STACKS) += src/synth/branches.c src/print/print_blocks.c \
	$(if $(CONFIG_CMD_REPORT),src/cmd/report_branches.c)
src-$(CONFIG_BRANCH_HISTORY) += src/synth/branch_chain.c src/print/print_branch_counts.c \
	src/synth/branch_blocks.c src/print/print_branch_blocks.c
src-$(CONFIG_SYSCALLS) += src/cmd/syscalls.c src/base/hash.c src/base/real.c src/base/sort.c \
	src/perf/count_sums.c src/base/text.c
src-$(CONFIG_CMD_SCHED) += src/cmd/sched.c src/cmd/sched_lines.c src/cmd/sched_summary.c \
	src/cmd/sched_chain.c src/base/hash.c src/base/real.c src/base/sort.c \
	src/perf/count_sums.c
src-$(CONFIG_CMD_ARCHIVE) += src/cmd/archive.c src/record/archive.c
src-$(CONFIG_PERF_OPTIONS) += src/cmd/unsupported.c \
	$(if $(CONFIG_CMD_SCRIPT),src/cmd/ask_config.c src/base/lines.c)
src-$(CONFIG_GUEST_DATA) += src/cmd/inject_guest.c src/cmd/inject_vm.c
src-$(CONFIG_CMD_INJECT) += src/cmd/inject.c src/cmd/inject_ids.c \
	src/cmd/inject_aslr.c src/cmd/inject_jit.c src/base/digest.c src/base/hash.c \
	src/synth/made_sample.c src/perf/perf_write_sample.c src/print/print_made.c
src-$(CONFIG_HEADER_INFO) += src/print/print_machine.c
src-$(CONFIG_CMD_EVLIST) += src/cmd/evlist.c src/cmd/buildid_list.c
src-$(CONFIG_CMD_ANNOTATE) += src/cmd/annotate.c src/synth/tree.c src/synth/blocks.c \
	src/synth/spots.c src/base/hash.c src/base/sort.c src/image/source.c \
	src/print/print_annotate.c
src-$(CONFIG_CMD_DIFF) += src/cmd/diff.c src/cmd/diff_profile.c src/synth/ways.c \
	src/print/print_ways.c src/base/hash.c src/base/real.c src/base/sort.c
src-$(CONFIG_SEVERAL) += src/cmd/several.c src/perf/perf_elsewhere.c src/base/sort.c
src-$(CONFIG_CAPTURE) += src/cmd/capture.c src/cmd/holes.c src/base/frame.c src/base/sort.c
src-$(CONFIG_EXPORT_CONSOLE) += src/cmd/console.c src/base/frame.c
src-$(CONFIG_GUESTS) += src/session/guest.c
src-$(CONFIG_BPF_PROGRAMS) += src/session/bpf.c \
	$(if $(CONFIG_RECORD_HW),src/record/bpf_programs.c)
src-$(CONFIG_PEBS) += src/synth/pebs.c
src-$(CONFIG_WINDOW) += src/synth/window.c src/base/hash.c src/cmd/ask_window.c \
	$(if $(CONFIG_CMD_EXPORT),src/cmd/ask_count.c) \
	src/cmd/script_window.c src/cmd/tail.c \
	$(if $(CONFIG_LIBELF),src/image/slots.c src/base/sort.c)

src-$(if $(CONFIG_CMD_SCRIPT),$(CONFIG_CONSOLE)) += src/print/print_short.c \
	src/cmd/script_term.c

src-$(if $(CONFIG_CONSOLE),$(CONFIG_PERF_DATA)) += src/print/short_record.c
src-$(CONFIG_SAMPLE_COLUMNS) += src/print/print_columns.c src/base/date.c
src-$(CONFIG_TRACEPOINT_TEXT) += src/perf/event_format.c src/print/print_tracepoint.c \
	src/print/trace_expr.c src/print/tracepoint_address.c

# The agent, which runs inside a traced process, is linked by itself: src/agent/agent.ld.
agent-srcs := src/agent/entry.S src/agent/agent.c src/agent/cache.c src/agent/enter.c \
	src/agent/guard.c src/agent/handlers.c src/agent/maps.c src/agent/masks.c \
	src/agent/origin.c src/agent/reuse.c src/agent/ring.c src/agent/room.c \
	src/agent/signals.c src/agent/sys.c src/agent/syscalls.c src/agent/threads.c \
	src/agent/undo.c src/agent/writes.c \
	arch/x86/translate.c arch/x86/translate_check.c arch/x86/translate_copy.c \
	arch/x86/translate_emit.c arch/x86/translate_enter.c arch/x86/translate_form.c \
	arch/x86/insn.c $(if $(CONFIG_SOFT_TRANSLATE_32),\
	src/agent/calls_32.c src/agent/frames_32.c arch/x86/translate_32.c)
src- += arch/x86/translate.c arch/x86/translate_check.c arch/x86/translate_copy.c \
	arch/x86/translate_emit.c arch/x86/translate_enter.c arch/x86/translate_form.c \
	arch/x86/translate_32.c

# Hot paths are compiled for speed, all other files for size.
hot := $(filter-out %/flow.c %/flow_due.c %/flow_event.c %/flow_fup.c %/flow_psb.c %/flow_search.c \
	%/flow_skip_time.c %/flow_state.c %/flow_walk.c %/encode.c %/clock.c %/runs.c %/sync.c \
	%/flow_read.c, \
	$(wildcard src/decode/*.c)) src/print/print_run.c \
	src/print/print_packet.c \
	src/record/trans_pack.c arch/x86/insn.c

include src/rules.mk
include test/rules.mk

demo: build-needs
	$(Q)$(MAKE) --no-print-directory $(O)/pt
	$(Q)PT=$$(cd $(O) && pwd)/pt sh test/golden/hello/demo

# pt(1), and a page for each command.
man-dir = $(DESTDIR)$(PREFIX)/share/man/man1
man-commands = $(shell sed -n 's/\\-/-/g; s/^\.SS pt \([a-z-]*\)$$/\1/p' src/pt.1)
make-man = install -D -m 644 src/pt.1 $1/pt.1 && for c in $(man-commands); do \
	awk -v command=$$c -f src/man.awk src/pt.1 > $1/pt-$$c.1 || exit 1; done

install: $(O)/pt
	install -D -m 755 $(O)/pt $(DESTDIR)$(PREFIX)/bin/pt
	$(call make-man,$(man-dir))
	install -D -m 644 src/completion/pt.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/pt
	install -D -m 644 src/completion/_pt $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_pt

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/pt $(man-dir)/pt.1 $(man-commands:%=$(man-dir)/pt-%.1) \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/pt \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_pt

# A release, in $(O)/obj/dist. The same source gives the same bytes in any folder at any time: all
# files get the time of the last commit, or of the newest file.
dist-dir = $(O)/obj/dist
release = pt-$(VERSION)
dist-tree = $(wildcard Makefile README LICENSE .gitignore .ci src arch include test kconfig)
dist-list = { [ -e .git ] && git ls-files || find $(dist-tree) -type f; }
dist-times = { [ -e .git ] && git log -1 --format=%ct || $(dist-list) | xargs stat -c %Y; }
dist-time = $${SOURCE_DATE_EPOCH:-$$($(dist-times) | sort -n | tail -n 1)}
dist: $(O)/pt
	$(Q)rm -rf $(dist-dir) && mkdir -p $(dist-dir)
	$(Q)$(dist-list) | LC_ALL=C sort | tar -cf - --format=ustar --mtime=@$(dist-time) \
		--owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w \
		--transform='s,^,$(release)/,' -T - | gzip -9n > $(dist-dir)/$(release).tar.gz
	$(Q)cp $(O)/pt $(dist-dir)/$(release)-$(ARCH)
	$(Q)$(call make-man,$(dist-dir))
	$(Q)cd $(dist-dir) && sha256sum $(release)* pt*.1 > SHA256SUMS && cat SHA256SUMS

clean:
	$(Q)rm -rf $(O)/obj $(O)/pt

define help
make                 build ./pt, one static binary
make demo            build it and decode a trace
make install         into DESTDIR and PREFIX (/usr/local)
make dist            source, binary, man pages and checksums, into obj/dist
make clean

make menuconfig      choose options (also olddefconfig, allnoconfig,
                     allyesconfig, savedefconfig)
make X_defconfig     X: full (the default), rescue, tiny, desk
make sizes           bytes by file and by option
make bloatcheck      compare them with kconfig/sizes, written by make sizes-write

make check           all tests; as root on Debian installs their packages
make check-quick     tests that take seconds        T=WORD: only tests with
make check-long      tests that take an hour        WORD in their path
make check-asan      unit tests and fuzz corpora under the sanitizers
make lint            layers, names, and tables of files
make fuzz            every fuzzer for FUZZ_TIME=60 seconds (clang)
make bench           speed and memory against their budgets (bench-json: for programs)

O=DIR build there    V=1 show commands    CROSS_COMPILE=x86_64-linux-musl-
CFLAGS= LDFLAGS= CC= SYSROOT= as usual
endef

help:
	$(info $(help))@:

.PHONY: all install uninstall dist clean demo help
