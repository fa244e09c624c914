# SPDX-License-Identifier: GPL-2.0-or-later
#
# make            build ./pt (static) by .config, or by kconfig/full.config
# make demo       build, and show what it does on a real trace
# make check      build and run all the tests; installs what they need (Debian, as root)
# make help       everything else
#
# make O=DIR builds elsewhere. V=1 shows commands. CROSS_COMPILE=, DESTDIR=, PREFIX= as usual.

O ?= .
VERSION := 0.1
PREFIX ?= /usr/local
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)')
HOST_ARCH := $(shell uname -m)
ARCH ?= $(firstword $(subst -, ,$(CROSS_COMPILE)) $(HOST_ARCH))
all: $(O)/pt

# What is built, from the commands down. An option names the files it needs;
# the map of the program is README's ARCHITECTURE.
include kconfig/rules.mk

src-y := src/main.c src/base/arena.c src/base/fail.c src/base/fmt.c src/base/num.c \
	src/base/opt.c src/base/out.c
src-$(CONFIG_CMD_SCRIPT) += src/image/dso.c src/image/file.c src/image/image.c src/image/note.c \
	src/image/space.c src/image/symbol.c

src-$(CONFIG_CMD_SCRIPT) += arch/x86/insn.c
src-$(CONFIG_PERF_DATA) += src/perf/perf_event.c src/perf/perf_input.c src/perf/perf_order.c \
	src/perf/perf_read.c src/perf/perf_record.c

srcs := $(sort $(src-y))
objs := $(srcs:%.c=$(O)/obj/%.o)

# Hot paths are built for speed, all else for size.
hot := src/decode/% src/synth/% src/print/print_sample.c src/print/print_packet.c \
	src/base/out.c arch/x86/insn.c

include src/rules.mk

$(O)/pt: $(objs) $(host-libs)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(objs) $(host-libs)

$(O)/obj/%.o: %.c $(O)/include/pt/config.h $(O)/include/host/.made
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(if $(filter $(hot),$<),-O2,-Os) -MMD -MP -c -o $@ $<

-include $(objs:.o=.d)

include test/rules.mk

install: $(O)/pt
	install -D -m 755 $(O)/pt $(DESTDIR)$(PREFIX)/bin/pt

clean:
	rm -rf $(O)/obj $(O)/include/host $(O)/include/pt/config.h $(O)/test-bin $(O)/pt

.PHONY: all install clean demo help
