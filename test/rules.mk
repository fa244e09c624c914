# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests: see test/README.
#
# A unit test is one file in test/unit, linked with a library of all of src except the commands. The
# library includes files that .config leaves out, so that each file is compiled in each
# configuration, except files whose library is missing here.

test-srcs := $(filter-out src/main.c src/cmd/% $(if $(libcapstone),,src/print/disasm.c) \
	$(if $(libiberty),,src/image/symbol_name.c) \
	$(if $(libzstd),, \
		src/perf/perf_write_zstd.c src/perf/perf_read_zstd.c),$(sort $(src-y) $(src-)))
more-libs := $(if $(CONFIG_DEMANGLE),$(libiberty)) $(if $(CONFIG_DISASM),$(libcapstone)) \
	$(if $(CONFIG_ZSTD),$(libzstd))
test-libs := $(O)/obj/test.a $(if $(libelf),$(O)/obj/libelf.a) $(libz) $(more-libs)
units := $(patsubst test/unit/%.c,%,$(wildcard test/unit/*.c))
unit-bins := $(addprefix $(O)/obj/unit/,$(units))

$(O)/obj/test.a: $(test-srcs:%.c=$(O)/obj/%.o)
	$(Q)rm -f $@; ar rcs $@ $^

$(O)/obj/unit/%: test/unit/%.c test/test.h $(test-libs) src/link.ld
	$(call say,TEST,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(all-flags) -Itest -I. -Og $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

# Programs that scripts use to compare pt with other programs. Scripts build those that need a
# library of another program.
judges := $(addprefix $(O)/obj/judge/,big records refuse switches symbol)

$(judges): $(O)/obj/%: test/%.c $(test-libs) src/link.ld
	$(call say,TEST,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(all-flags) -I. -O1 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

# Assemble the traces and perf.data files of golden tests.
assemblers := $(O)/obj/ptasm $(O)/obj/dataasm
$(O)/obj/ptasm: test/golden/ptasm.c test/golden/assembler.h $(test-libs) src/link.ld
	$(call say,TEST,$<)
	$(Q)$(CC) $(all-flags) -O1 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

$(O)/obj/dataasm: test/golden/dataasm.c test/golden/assembler.h test/unit/perf_data.h \
	$(test-libs) src/link.ld
	$(call say,TEST,$<)
	$(Q)$(CC) $(all-flags) -I. -O1 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

# Makes hostile files from a good one.
$(O)/obj/hurt: test/hostile/hurt.c $(test-libs) src/link.ld
	$(call say,TEST,$<)
	$(Q)$(CC) $(all-flags) -O1 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

# The same with the sanitizers, which need glibc; and the fuzzers with a main() that runs their
# corpus.
fuzz-srcs := $(filter-out test/fuzz/replay.c,$(wildcard test/fuzz/*.c))
fuzzers := $(fuzz-srcs:test/fuzz/%.c=%)
asan := $(O)/obj/asan
asan-bins := $(addprefix $(asan)/unit/,$(units)) $(addprefix $(asan)/fuzz/,$(fuzzers))
# The test that runs it is test/hostile/sanitized.sh.
asan-pt = $(if $(CONFIG_CMD_SCRIPT),$(if $(call wanted,test/hostile/sanitized.sh),$(asan)/pt))
sanitize := -D_GNU_SOURCE -w -fsanitize=address,undefined -fno-sanitize-recover=all
# Compiling takes most of the time of all that is done with these programs. Checks that are calls
# compile in three quarters of the time of checks in the code itself, and -O0 in three quarters of
# the time of -Og; the tests then take as long.
# The address sanitizer reports a NULL pointer and a read past an object, too. Also it finds what a
# pointer that overflowed reads: only check-long and check-asan look for the overflow itself, and
# for accesses to addresses that are not aligned, which x86 permits.
asan-flags = $(base-flags) -g1 -O0 -fPIC -fno-var-tracking $(sanitize) \
	--param asan-instrumentation-with-call-threshold=0 \
	-fno-sanitize=null,object-size \
	$(if $(SANITIZE_ALL),,-fno-sanitize=pointer-overflow$(comma)alignment)
comma := ,
asan-libs := $(if $(libelf),-lelf) $(if $(libz),-lz) $(more-libs) -lm

$(O)/obj/compile-asan: commands = $(HOSTCC) $(asan-flags)
$(asan)/%.o: %.c $(O)/obj/compile-asan $(O)/obj/host/.made | $(config-h)
	$(call say,ASAN,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(asan-flags) -MMD -MP -c -o $@ $<

$(asan)/test.a: $(test-srcs:%.c=$(asan)/%.o)
	$(Q)rm -f $@; ar rcs $@ $^

# A shared library, because linking all of that to each program would take longer than compiling
# the program. Functions of libraries that .config does not use may be missing, because they are
# never called.
$(asan)/test.so: $(asan)/test.a
	$(Q)$(HOSTCC) $(sanitize) -shared -o $@ -Wl,-z,lazy,--whole-archive $^ \
		-Wl,--no-whole-archive $(asan-libs)
asan-link = -no-pie -Wl,-z,lazy,--allow-shlib-undefined,-rpath,'$$ORIGIN/..' $(asan)/test.so \
	$(asan)/pairs.a $(asan-libs)

# The table of tests that have none of their own.
$(asan)/pairs.a: $(asan)/test/hostile/pairs.o
	$(Q)rm -f $@; ar rcs $@ $^

# In the code of a test itself only wrong addresses are looked for. With -O0 unit/translate_32.c,
# which changes segments, would crash.
asan-test-flags = $(asan-flags) $(if $(filter %/translate_32.c,$<),-Og) -fno-sanitize=undefined \
	-Itest -I.
$(asan)/unit/%: test/unit/%.c test/test.h $(asan)/test.so $(asan)/pairs.a
	$(call say,ASAN,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(asan-test-flags) -o $@ $< $(asan-link)

$(asan)/fuzz/%: test/fuzz/%.c test/fuzz/replay.c $(asan)/test.so $(asan)/pairs.a
	$(call say,ASAN,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(asan-test-flags) -DCORPUS='"test/fuzz/corpus/$*"' -o $@ $< \
		test/fuzz/replay.c $(asan-link)

# All of pt with its commands, except pt stat, since glibc's <fcntl.h> and stat.h both have a struct
# stat. Help texts are not packed. With -O0 some calls of functions that .config leaves out remain:
# these are in test.a, or never called. A program at a fixed address starts in two thirds of the
# time.
$(asan)/pt: $(patsubst %.c,$(asan)/%.o,$(filter-out src/cmd/stat%,$(srcs))) \
		$(asan)/pairs.a $(asan)/test.a
	$(call say,ASAN,$@)
	$(Q)$(HOSTCC) $(asan-flags) -no-pie -Wl,--unresolved-symbols=ignore-all -o $@ $^ \
		$(asan-libs)

# Run each fuzzer for FUZZ_TIME seconds, with clang. Its finds are in obj/fuzz/NAME-*.
FUZZ_TIME ?= 60
FUZZCC ?= clang
# Empty bytes may be NULL, and pt computes NULL + 0, which clang's sanitizer reports. There is no
# agent in this build.
fuzz-flags := $(base-flags) -O2 -DAGENT_BLOB='"/dev/null"' -DAGENT_SUM='""' \
	-DPAGES='"src/print/"' -DPAGES_END='""' $(sanitize) \
	-fno-sanitize=pointer-overflow -fsanitize=fuzzer
# Without the code that unpacks texts, since they are not packed.
fuzzed := $(filter-out src/base/packed.c src/base/opt.c,$(test-srcs))

$(O)/obj/fuzz/%: test/fuzz/%.c $(fuzzed) $(O)/obj/host/.made $(config-h)
	$(call say,FUZZ,$<)
	@mkdir -p $@-corpus test/fuzz/corpus/$*
	$(Q)$(FUZZCC) $(fuzz-flags) -I. -o $@ $< $(fuzzed) $(asan-libs)

.PRECIOUS: $(O)/obj/fuzz/%
fuzz-%: $(O)/obj/fuzz/%
	$< -max_total_time=$(FUZZ_TIME) -timeout=30 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix=$<- $<-corpus test/fuzz/corpus/$*

fuzz:
	$(Q)command -v $(FUZZCC) > /dev/null || { echo 'make fuzz needs clang'; exit 1; }
	$(Q)for f in $(fuzzers); do $(MAKE) --no-print-directory fuzz-$$f || exit 1; done

-include $(test-srcs:%.c=$(O)/obj/%.d) $(test-srcs:%.c=$(asan)/%.d)

# The programs that T selects.
wanted = $(if $(T),$(foreach b,$1,$(if $(findstring $(T),$b),$b)),$1)

# First install packages, if permitted; then make searches for them again.
jobs := $(if $(findstring j,$(firstword -$(MAKEFLAGS))),,-j$$(nproc))
check check-long check-asan: test-needs
	$(Q)$(MAKE) --no-print-directory $(jobs) WERROR=1 $(if $(filter check,$@),,SANITIZE_ALL=1) \
		run-$@

build-needs test-needs:
	$(Q)sh test/install $@ $(chosen)

run-tests = $(Q)O='$(O)' CC='$(CC)' HOSTCC='$(HOSTCC)' MAKE='$(MAKE)' sh test/run
can-asan := echo 'int main(void) { return 0; }' | \
	$(HOSTCC) -fsanitize=address,undefined -x c - -o $(O)/obj/can-asan 2> /dev/null

# This make and the one that builds asan-bins run at the same time: what both need is made before.
asan-if-can: $(O)/obj/host/.made $(agent-blob) $(config-h)
	$(Q)if $(can-asan); then $(MAKE) --no-print-directory asan-bins; \
		else echo 'SKIP the sanitizers: $(HOSTCC) has none here'; fi
asan-bins: $(call wanted,$(asan-bins)) $(asan-pt)
	@:

run-check: $(O)/pt $(assemblers) $(O)/obj/hurt $(call wanted,$(unit-bins)) $(judges) asan-if-can
	$(run-tests) all $(call wanted,$(unit-bins) $(asan-bins))
run-check-long: $(O)/pt $(assemblers) $(O)/obj/hurt $(call wanted,$(unit-bins)) $(judges) \
	asan-if-can
	$(run-tests) long $(call wanted,$(unit-bins) $(asan-bins))
run-check-asan: asan-if-can
	$(run-tests) none $(asan-bins)
check-quick: WERROR = 1
check-quick: $(O)/pt $(assemblers) $(O)/obj/hurt $(O)/obj/judge/records \
	$(O)/obj/judge/refuse $(call wanted,$(unit-bins))
	$(run-tests) quick $(call wanted,$(unit-bins))
lint:
	$(run-tests) lint

# Make the section COMMANDS of src/pt.1 from the output of --help, if this pt has all commands.
man: $(O)/pt
	$(Q)! grep =y kconfig/desk.config | grep -qvxFf $(chosen) || { \
		echo "this pt has not all commands: make O=obj/desk desk_defconfig man"; exit 1; }
	$(Q)PT=$(O)/pt test/man > $(O)/obj/pt.1 && cat $(O)/obj/pt.1 > src/pt.1

# Benchmarks: scripts, and programs without a script.
bench-srcs := $(filter-out $(patsubst %.sh,%.c,$(wildcard test/bench/*.sh)), \
	$(wildcard test/bench/*.c))
benches := $(patsubst test/%.c,$(O)/obj/%,$(bench-srcs))

$(O)/obj/bench/%: test/bench/%.c $(test-libs) src/link.ld
	$(call say,BENCH,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(all-flags) -O2 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

bench bench-json: $(O)/pt $(benches)
	$(Q)JSON='$(filter %-json,$@)' \
		O='$(O)' CC='$(CC)' HOSTCC='$(HOSTCC)' sh test/bench/run $(benches)

.PHONY: check check-long check-asan check-quick run-check run-check-long run-check-asan \
	asan-if-can asan-bins build-needs test-needs lint man fuzz bench bench-json
