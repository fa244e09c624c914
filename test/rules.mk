# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests: see test/README.
#
# A unit test is one file in test/unit, linked with what it needs of all of
# src but the commands: of what .config leaves out, too, so that each file
# compiles in each configuration, but for what a library is missing for here.

test-srcs := $(filter-out src/main.c src/cmd/% $(if $(libcapstone),,src/print/disasm.c) \
	$(if $(libiberty),,src/image/symbol_name.c),$(sort $(src-y) $(src-)))
more-libs := $(if $(CONFIG_DEMANGLE),$(libiberty)) $(if $(CONFIG_DISASM),$(libcapstone))
test-libs := $(O)/obj/test.a $(if $(libelf),$(O)/obj/libelf.a) $(libz) $(more-libs)
units := $(patsubst test/unit/%.c,%,$(wildcard test/unit/*.c))
unit-bins := $(addprefix $(O)/obj/unit/,$(units))

$(O)/obj/test.a: $(test-srcs:%.c=$(O)/obj/%.o)
	$(Q)rm -f $@; ar rcs $@ $^

$(O)/obj/unit/%: test/unit/%.c test/test.h $(test-libs) src/link.ld
	$(call say,TEST,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(all-flags) -Itest -I. -O1 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

# Programs that scripts use to compare pt with another. Those that need another's
# library are built by their scripts.
judges := $(addprefix $(O)/obj/judge/,big records refuse switches symbol)

$(judges): $(O)/obj/%: test/%.c $(test-libs) src/link.ld
	$(call say,TEST,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(all-flags) -I. -O1 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

# Assembles the traces of golden tests.
$(O)/obj/ptasm: test/golden/ptasm.c $(test-libs) src/link.ld
	$(call say,TEST,$<)
	$(Q)$(CC) $(all-flags) -O1 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

# Makes hostile files of a good one.
$(O)/obj/hurt: test/hostile/hurt.c $(test-libs) src/link.ld
	$(call say,TEST,$<)
	$(Q)$(CC) $(all-flags) -O1 $(link-flags) $(lib-flags) -o $@ $< $(test-libs)

# The same once more with the sanitizers, which musl has not; and the fuzzers
# with a main() that plays their corpus.
fuzz-srcs := $(filter-out test/fuzz/replay.c,$(wildcard test/fuzz/*.c))
fuzzers := $(fuzz-srcs:test/fuzz/%.c=%)
asan := $(O)/obj/asan
asan-bins := $(addprefix $(asan)/unit/,$(units)) $(addprefix $(asan)/fuzz/,$(fuzzers))
# The test that runs it is test/hostile/sanitized.sh.
asan-pt = $(if $(CONFIG_CMD_SCRIPT),$(if $(call wanted,test/hostile/sanitized.sh),$(asan)/pt))
sanitize := -D_GNU_SOURCE -w -fsanitize=address,undefined -fno-sanitize-recover=all
asan-flags = $(base-flags) -O1 $(sanitize)
asan-libs := $(if $(libelf),-lelf) $(if $(libz),-lz) $(more-libs) -lm

$(asan)/%.o: %.c $(O)/obj/host/.made | $(config-h)
	$(call say,ASAN,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(asan-flags) -MMD -MP -c -o $@ $<

$(asan)/test.a: $(test-srcs:%.c=$(asan)/%.o)
	$(Q)rm -f $@; ar rcs $@ $^

$(asan)/unit/%: test/unit/%.c test/test.h $(asan)/test.a
	$(call say,ASAN,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(asan-flags) -Itest -I. -o $@ $< $(asan)/test.a $(asan-libs)

$(asan)/fuzz/%: test/fuzz/%.c test/fuzz/replay.c $(asan)/test.a
	$(call say,ASAN,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(asan-flags) -I. -DCORPUS='"test/fuzz/corpus/$*"' -o $@ $^ $(asan-libs)

# All of pt, its commands too, but for pt stat; with help texts that are not packed.
# glibc's <fcntl.h> has another struct stat than stat.h.
$(asan)/pt: $(patsubst %.c,$(asan)/%.o,$(filter-out src/cmd/stat%,$(srcs))) \
		$(asan)/test/hostile/pairs.o
	$(call say,ASAN,$@)
	$(Q)$(HOSTCC) $(asan-flags) -o $@ $^ $(asan-libs)

# Each fuzzer for FUZZ_TIME seconds, with clang. What it finds stays in obj/fuzz/NAME-*.
FUZZ_TIME ?= 60
FUZZCC ?= clang
# What is not there is NULL and empty, and NULL + 0 is NULL: clang would stop at that.
# Nor is there an agent to be put into a process.
fuzz-flags := $(base-flags) -O2 -DAGENT_BLOB='"/dev/null"' $(sanitize) \
	-fno-sanitize=pointer-overflow -fsanitize=fuzzer
# Not what reads texts that the build packs: there are none.
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

# Of these programs those that T asks for.
wanted = $(if $(T),$(foreach b,$1,$(if $(findstring $(T),$b),$b)),$1)

# Tests first install what they need, if they may; then make looks again what is there.
jobs := $(if $(findstring j,$(firstword -$(MAKEFLAGS))),,-j$$(nproc))
check check-long check-asan: test-needs
	$(Q)$(MAKE) --no-print-directory $(jobs) WERROR=1 run-$@

build-needs test-needs:
	$(Q)sh test/install $@ $(chosen)

run-tests = $(Q)O='$(O)' CC='$(CC)' HOSTCC='$(HOSTCC)' MAKE='$(MAKE)' sh test/run
can-asan := echo 'int main(void) { return 0; }' | \
	$(HOSTCC) -fsanitize=address,undefined -x c - -o $(O)/obj/can-asan 2> /dev/null

asan-if-can: $(O)/obj/host/.made
	$(Q)if $(can-asan); then $(MAKE) --no-print-directory asan-bins; \
		else echo 'SKIP the sanitizers: $(HOSTCC) has none here'; fi
asan-bins: $(call wanted,$(asan-bins)) $(asan-pt)
	@:

run-check: $(O)/pt $(O)/obj/ptasm $(O)/obj/hurt $(call wanted,$(unit-bins)) $(judges) asan-if-can
	$(run-tests) all $(call wanted,$(unit-bins) $(asan-bins))
run-check-long: $(O)/pt $(O)/obj/ptasm $(O)/obj/hurt $(call wanted,$(unit-bins)) $(judges) \
	asan-if-can
	$(run-tests) long $(call wanted,$(unit-bins) $(asan-bins))
run-check-asan: asan-if-can
	$(run-tests) none $(asan-bins)
check-quick: WERROR = 1
check-quick: $(O)/pt $(O)/obj/ptasm $(O)/obj/hurt $(O)/obj/judge/records \
	$(O)/obj/judge/refuse $(call wanted,$(unit-bins))
	$(run-tests) quick $(call wanted,$(unit-bins))
lint:
	$(run-tests) lint

# The commands of src/pt.1, of what --help says.
man: $(O)/pt
	$(Q)PT=$(O)/pt test/man > $(O)/obj/pt.1 && cat $(O)/obj/pt.1 > src/pt.1

# What is measured: scripts, and programs that have none.
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
