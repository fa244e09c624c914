# SPDX-License-Identifier: GPL-2.0-or-later
#
# How files are compiled. The compiler is one for musl: musl-gcc if the system has another libc
# (Debian), plain gcc if libc is musl (Alpine).
#
# The headers of the kernel, libelf and zlib are in the same folder as glibc's, which must not be
# used. Therefore $(O)/obj/host has links to only these.

ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
ifeq ($(CROSS_COMPILE),)
ifeq ($(findstring musl,$(shell ($(CC) -dumpmachine) 2>/dev/null)),)
CC := musl-gcc
endif
endif
endif

HOSTCC ?= gcc
warnings := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wno-unused-parameter \
	-Wno-missing-field-initializers
base-flags := -std=gnu11 $(warnings) -I$(O)/obj/include -Iinclude -fno-strict-aliasing
all-flags = $(base-flags) -idirafter $(O)/obj/host -ffunction-sections -fdata-sections \
	-fno-asynchronous-unwind-tables -fno-stack-protector -fno-pie \
	-ffile-prefix-map=$(CURDIR)/= -ffile-prefix-map=$(O)/= $(CFLAGS)
# One segment of code and one of data: see src/link.ld.
link-flags = -fno-lto -static -no-pie -Wl,--gc-sections -Wl,--build-id=none \
	-Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-T,src/link.ld -s $(LDFLAGS)

# The architecture of the binary: x86_64, i686, aarch64, ...
ARCH ?= $(firstword $(subst -, ,$(shell ($(CC) -dumpmachine) 2>/dev/null)) unknown)
ARCH := $(ARCH)

# gcc's -Os (-Oz from gcc 12 on) has optimizations that enlarge code, and aligns tables on x86. Its
# -O2 aligns functions, loops and targets of jumps, which takes 4 kB and no longer helps. clang does
# not know these options. Do not add -fno-tree-forwprop: gcc 14 then loses cases of a switch.
is-clang := $(findstring clang,$(shell ($(CC) --version) 2>/dev/null))
Os := $(shell ($(CC) -Oz -E -xc /dev/null) > /dev/null 2>&1 && echo -Oz || echo -Os)
small := $(Os) -fno-jump-tables $(if $(is-clang),,-fno-thread-jumps -fno-move-loop-invariants \
	-fno-caller-saves -fno-tree-dominator-opts -fno-tree-tail-merge \
	-fno-optimize-sibling-calls -fno-partial-inlining -fno-if-conversion \
	-fno-ipa-sra -fno-code-hoisting \
	$(if $(filter x86_64 i%86,$(ARCH)),-malign-data=abi))
# Without -fno-tree-slp-vectorize gcc 14 combines some fields into vectors: flow_skip.o is 0.6 kB
# larger, and the loop of flow_chain.c has to split them again (decoding a trace of gzip took 1.4
# times as long).
fast := -O2 $(if $(is-clang),,-falign-functions=1 -falign-loops=1 -falign-jumps=1 \
	-fno-tree-slp-vectorize)
# An object has both code, which tests link, and what the compiler needs to compile all files again
# as one for WHOLE. Objects are the same without WHOLE, so that tests of configurations need not
# compile them again. Calls from several places are not worth a copy of the function: gcc's measure
# of size is too rough.
# OPT=-O1 compiles in three quarters of the time: for test/build/configs.sh.
can-whole := $(if $(is-clang),,$(shell \
	($(CC) -flto -S -o /dev/null -xc /dev/null) > /dev/null 2>&1 && echo yes))
whole := $(if $(can-whole),-flto -ffat-lto-objects -fipa-pta)
whole-link := $(if $(and $(can-whole),$(CONFIG_WHOLE)),-flto -flto-partition=none \
	-fno-inline-functions-called-once -fno-shrink-wrap -fipa-pta $(small))
speed = $(or $(OPT),$(if $(and $(CONFIG_SPEED),$(filter $(hot),$<)),$(fast),$(small) $(if $(filter \
	$(packed-srcs),$<),,$(whole))))

# Find libraries and kernel headers, and name missing packages.
SYSROOT ?= $(patsubst %/,%,$(shell ($(CC) -print-sysroot) 2>/dev/null))
SYSROOT := $(SYSROOT)
multiarch := $(shell ($(CC) -print-multiarch) 2>/dev/null)
lib-dirs := $(addprefix $(SYSROOT),$(if $(multiarch),/usr/lib/$(multiarch)) /usr/lib /usr/lib64)
include-dirs := $(addprefix $(SYSROOT),$(if $(multiarch),/usr/include/$(multiarch)) /usr/include)
find-lib = $(firstword $(wildcard $(addsuffix /$(1),$(lib-dirs))))
find-header = $(firstword $(wildcard $(addsuffix /$(1),$(include-dirs))))

libelf := $(and $(call find-header,gelf.h),$(call find-lib,libelf.a))
libiberty := $(and $(call find-header,libiberty/demangle.h),$(call find-lib,libiberty.a))
libcapstone := $(and $(call find-header,capstone/capstone.h),$(call find-lib,libcapstone.a))
libzstd := $(and $(call find-header,zstd.h),$(call find-lib,libzstd.a))
libz := $(and $(call find-header,zlib.h),$(call find-lib,libz.a))

# $(call need,path or empty,name,package in Debian,package in Alpine)
need = $(if $(1),,$(info pt needs $(strip $(2)): install $(3) (Debian) or $(4) (Alpine))missing)
missing = $(strip $(call need,$(shell command -v $(firstword $(CC))), \
	a C compiler for musl,gcc musl-tools,gcc musl-dev) \
$(call need,$(shell command -v $(firstword $(HOSTCC))), \
	a C compiler for this machine (HOSTCC),gcc,gcc) \
$(call need,$(call find-header,linux/perf_event.h), \
	the headers of the kernel,linux-libc-dev,linux-headers) \
$(call need,$(if $(CONFIG_LIBELF),$(libelf),no), \
	libelf.a (or CONFIG_LIBELF switched off),libelf-dev,elfutils-dev libelf-static) \
$(call need,$(if $(CONFIG_ZLIB),$(libz),no), \
	libz.a (or CONFIG_ZLIB switched off),zlib1g-dev,zlib-dev zlib-static) \
$(call need,$(if $(CONFIG_DEMANGLE),$(libiberty),no), \
	libiberty.a (or CONFIG_DEMANGLE switched off),libiberty-dev,binutils-dev) \
$(call need,$(if $(CONFIG_DISASM),$(libcapstone),no), \
	libcapstone.a (or CONFIG_DISASM switched off),libcapstone-dev, \
	capstone-dev capstone-static) \
$(call need,$(if $(CONFIG_ZSTD),$(libzstd),no), \
	libzstd.a (or CONFIG_ZSTD switched off),libzstd-dev,zstd-dev zstd-static))

# Options whose library is missing here, for tests of configurations.
lacking:
	@echo $(if $(libiberty),,DEMANGLE) $(if $(libcapstone),,DISASM) $(if $(libzstd),,ZSTD)
.PHONY: lacking

# Packages of the chosen configuration are installed, if permitted.
needs:
	$(Q)$(if $(and $(filter musl-gcc,$(CC)),$(missing)),sh test/install build-needs $(chosen),:)
.PHONY: needs

look-for-missing = $(if $(missing),$(error something is missing, see above))

host-libs := $(if $(CONFIG_LIBELF),$(O)/obj/libelf.a) $(if $(CONFIG_ZLIB),$(libz)) \
	$(if $(CONFIG_DEMANGLE),$(libiberty)) $(if $(CONFIG_DISASM),$(libcapstone)) \
	$(if $(CONFIG_ZSTD),$(libzstd))
elf-end := $(if $(CONFIG_LIBELF),-Xlinker --defsym=elf_end=elf_free)
# deflate() calls crc32() (13 kB) for gzip headers only, which pt does not write.
# A library that was compiled for glibc calls functions that musl lacks.
checked := $(if $(CONFIG_DEMANGLE),-Xlinker --defsym=__sprintf_chk=symbol_name_sprintf \
	-Xlinker --defsym=__snprintf_chk=symbol_name_snprintf)
# Functions of libcapstone for processors other than x86, 0.1 to 1 MB each, are replaced by x86's.
others := ARM AArch64 Mips PPC Sparc SystemZ XCore M68K TMS320C64x M680X EVM
x86-only := $(if $(CONFIG_DISASM),$(foreach o,$(others),$(foreach f,global_init option, \
	-Xlinker --defsym=$(o)_$(f)=X86_$(f))))
lib-flags = $(elf-end) $(no-crc) $(checked) $(x86-only)
no-crc := $(if $(CONFIG_DEFLATE),-Xlinker --defsym=crc32=adler32)

# libelf, and its libc: src/image/elf_libc.c. Its elf_end() (1 kB) would free with elf_free().
OBJCOPY ?= $(shell $(CC) -print-prog-name=objcopy)
elf-libc := malloc calloc free rawmemchr memccpy fcntl strtol __isoc23_strtol \
	__ctype_b_loc __assert_fail __libelf_seterrno eu_search_tree_init eu_search_tree_fini
$(O)/obj/libelf.a: $(libelf) src/rules.mk
	$(look-for-missing)$(call say,OBJCOPY,$@)
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) -D $(foreach f,$(elf-libc),--redefine-sym $f=elf_$(f:__%=%)) $< $@

# Made anew if a library is installed later.
host-headers := linux asm-generic asm libelf.h gelf.h zlib.h zconf.h libiberty capstone \
	zstd.h zstd_errors.h zdict.h
host-found = $(foreach f,$(host-headers),$(call find-header,$f))
$(O)/obj/host/.made: FORCE
	$(look-for-missing)
	@mkdir -p $(@D)
	@echo '$(host-found)' | cmp -s - $@ || { \
		for f in $(host-found); do ln -sfn $$f $(@D)/$${f##*/}; done; \
		echo '$(host-found)' > $@; }

srcs := $(sort $(src-y))
objs := $(srcs:%.c=$(O)/obj/%.o)

# Files with a packed text, and the objects linked in their place: see include/pt/packed.h. Their
# plain objects are for tests.
packed-srcs := $(shell grep -l '^PACKED' $(srcs))
packed := $(O)/obj/packed
packed-objs := $(packed-srcs:%.c=$(packed)/obj/%.o)
linked := $(filter-out $(packed-srcs:%.c=$(O)/obj/%.o),$(objs)) $(packed-objs) $(packed)/pairs.o

$(O)/obj/pack: kconfig/pack.c include/pt/packed.h
	$(call say,HOSTCC,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -O1 $(warnings) -Iinclude -o $@ $<

$(packed)/pairs.c: $(packed-srcs:%.c=$(O)/obj/%.o) $(O)/obj/pack $(O)/obj/link
	$(call say,PACK,$@)
	$(Q)mkdir -p $(@D)/obj
	$(Q)for f in $(packed-srcs:%.c=%); do mkdir -p $$(dirname $(@D)/obj/$$f) && \
		$(OBJCOPY) -O binary -j .rodata.packed $(O)/obj/$$f.o $(@D)/obj/$$f.text || \
		exit 1; done
	$(Q)cd $(@D)/obj && ../../pack $(packed-srcs:%.c=%.text) > ../pairs.c.new
	$(Q)mv $@.new $@

$(packed-objs): $(packed)/obj/%.o: %.c $(O)/obj/compile $(O)/obj/host/.made | $(config-h)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(all-flags) $(small) $(whole) $(if $(WERROR),-Werror) -MMD -MP \
		-DPACKED_ID='"packed_$(subst /,_,$(<:.c=))"' -c -o $@ $<

$(packed)/pairs.o: $(packed)/pairs.c
	$(Q)$(CC) $(all-flags) $(small) -c -o $@ $<

$(O)/obj/trim: kconfig/trim.c
	$(call say,HOSTCC,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -O1 $(warnings) -o $@ $<

# Copy the linker's output: a copy is in the page cache in larger pieces, and starts 14 us faster,
# as an installed file does.
$(O)/pt: $(objs) $(linked) $(host-libs) src/link.ld $(O)/obj/link $(O)/obj/trim
	$(look-for-missing)$(call say,LINK,$@)
	$(Q)$(CC) $(link-flags) $(whole-link) $(lib-flags) -o $(O)/obj/pt $(linked) $(host-libs)
	$(Q)$(O)/obj/trim < $(O)/obj/pt > $@.new && chmod 755 $@.new && mv $@.new $@

# Files that contain the commands, so that objects are made anew when a command changes.
$(O)/obj/link: commands = $(CC) $(link-flags) $(whole-link) $(lib-flags) $(linked) \
	$(host-libs)
# Where the tree is does not change objects.
$(O)/obj/compile: commands = $(CC) $(filter-out -ffile-prefix-map=%,$(all-flags)) $(small) \
	$(whole) $(hot)
$(O)/obj/compile-hot: commands = $(if $(CONFIG_SPEED),$(fast))
$(hot:%.c=$(O)/obj/%.o): $(O)/obj/compile-hot
$(O)/obj/compile-agent: commands = $(CC) $(filter-out -ffile-prefix-map=%,$(agent-flags)) \
	$(agent-small) $(agent-fast) $(agent-hot) $(agent-warm)
$(addprefix $(O)/obj/,link compile compile-hot compile-agent compile-asan): FORCE
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(commands))' | cmp -s - $@ || echo '$(subst ','\'',$(commands))' > $@

$(O)/obj/%.o: %.c $(O)/obj/compile $(O)/obj/host/.made | $(config-h)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(all-flags) $(speed) $(if $(WERROR),-Werror) -MMD -MP -c -o $@ $<

# The agent: code without a libc, linked by itself and stored as bytes in pt, which puts it into
# other processes. It never uses vector registers, since they may hold values of the program. It
# copies in loops, because string instructions start slowly and its copies are short. Optimized as
# a whole, and with fewer passes, it is 10 % smaller (compressed). It is 64-bit code in 32-bit
# programs, too.
agent := $(O)/obj/agent
agent-flags = $(base-flags) -fPIC -mgeneral-regs-only \
	-fvisibility=hidden -fno-stack-protector -fno-asynchronous-unwind-tables \
	-fcf-protection=none -fno-jump-tables -fno-tree-loop-distribute-patterns -mno-red-zone \
	-Isrc/agent $(if $(is-clang),,-mstringop-strategy=loop -flto -flto-partition=none) \
	$(if $(CONFIG_SOFT_TRANSLATE_32),-DTRANSLATE_NARROW=agent_narrow) \
	-ffile-prefix-map=$(CURDIR)/= -ffile-prefix-map=$(O)/=
agent-small := -Os $(if $(is-clang),,-fno-shrink-wrap \
	-fno-thread-jumps -fno-move-loop-invariants -fno-if-conversion -fno-if-conversion2 \
	-fno-tree-tail-merge -fno-caller-saves -fno-tree-dominator-opts -fno-schedule-insns2 \
	-fno-peephole2 -fno-tree-dse -fno-tree-sra -fno-tree-pre -fno-ssa-phiopt \
	-fno-ipa-sra -fno-optimize-sibling-calls -fno-tree-loop-im \
	-fno-inline-small-functions -fno-tree-coalesce-vars)
# Translation is a large part of the time of programs that run shortly. (translate_form.c is not
# faster with -O2.)
agent-hot := $(if $(CONFIG_SPEED),arch/x86/insn.c)
agent-warm := $(if $(CONFIG_SOFT_SPEED),arch/x86/translate.c)
agent-fast := $(fast) $(if $(is-clang),,-fno-reorder-blocks -fno-reorder-blocks-and-partition)
agent-speed = $(if $(filter $(agent-hot),$1),$(agent-fast),$(if $(filter $(agent-warm),$1),-O2,\
	$(agent-small)))

agent-objs := $(addprefix $(agent)/,$(addsuffix .o,$(basename $(agent-srcs))))

$(agent)/%.o: %.c $(O)/obj/compile-agent | $(config-h)
	$(call say,AGENT,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(agent-flags) $(call agent-speed,$<) $(if $(WERROR),-Werror) -MMD -MP -c -o $@ $<

$(agent)/%.o: %.S $(O)/obj/compile-agent | $(config-h)
	$(call say,AGENT,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(agent-flags) -MMD -MP -c -o $@ $<

$(agent)/agent.bin: $(agent-objs) src/agent/agent.ld
	$(call say,LINK,$@)
	$(Q)$(CC) $(agent-flags) $(if $(CONFIG_SOFT_SPEED),-O2,-Os) -nostdlib -static-pie \
		-Wl,--build-id=none,--no-dynamic-linker \
		-Wl,-T,src/agent/agent.ld -o $(agent)/agent.elf $(agent-objs)
	$(Q)$(OBJCOPY) -O binary -j .blob $(agent)/agent.elf $@

$(agent)/agent.bin.gz: $(agent)/agent.bin $(O)/obj/absolute $(O)/obj/deflate
	$(Q)$(O)/obj/absolute < $< | $(O)/obj/deflate > $@

-include $(agent-objs:.o=.d)

# Files that src/print/page.h stores.
pages-of = $(O)/obj/$1.o $(O)/obj/asan/$1.o
pages-end := $(if $(CONFIG_ZLIB),.gz)
$(call pages-of,src/print/print_html): $(O)/obj/page.html$(pages-end)
$(call pages-of,src/print/print_svg): $(O)/obj/flame.js$(pages-end)
$(call pages-of,src/print/print_html) $(call pages-of,src/print/print_svg): \
	private base-flags += -DPAGES='"$(O)/obj/"' -DPAGES_END='"$(pages-end)"'

# Without comments and indentation.
$(O)/obj/page.html $(O)/obj/flame.js: $(O)/obj/%: src/print/% src/rules.mk
	@mkdir -p $(@D)
	$(Q)sed -e '/^ *\/\*.*\*\/$$/d' \
		-e '/^ *\/\*/,/\*\/$$/d' -e 's/^[ 	]*//' -e '/^$$/d' $< > $@
$(O)/obj/page.html.gz $(O)/obj/flame.js.gz: $(O)/obj/%.gz: $(O)/obj/% $(O)/obj/deflate
	$(Q)$(O)/obj/deflate < $< > $@

agent-blob := $(agent)/agent.bin$(if $(CONFIG_ZLIB),.gz)
$(O)/obj/absolute: kconfig/absolute.c
	$(call say,HOSTCC,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -O1 $(warnings) -o $@ $<

$(O)/obj/deflate: kconfig/deflate.c
	$(call say,HOSTCC,$<)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) -O1 $(warnings) -o $@ $< -lm

$(O)/obj/src/record/trans_blob.o $(O)/obj/asan/src/record/trans_blob.o: $(agent-blob)
# AGENT_SUM is for ccache, which does not see what .incbin reads.
$(O)/obj/src/record/trans_blob.o $(O)/obj/asan/src/record/trans_blob.o: \
	private base-flags += -DAGENT_BLOB='"$(agent-blob)"' \
		-DAGENT_SUM='"$(shell cksum < $(agent-blob))"'

-include $(objs:.o=.d) $(packed-objs:.o=.d)
