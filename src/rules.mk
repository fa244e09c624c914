# SPDX-License-Identifier: GPL-2.0-or-later
#
# How a file is compiled. The compiler is one for musl: musl-gcc where libc is
# another (Debian), the plain one where libc is musl (Alpine).
#
# Kernel headers, libelf and zlib live in the system's include folder among
# glibc's, which must not be seen. Links in $(O)/include/host show just them.

ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
ifeq ($(CROSS_COMPILE),)
ifeq ($(shell $(CC) -dumpmachine | grep musl),)
CC := musl-gcc
endif
endif
endif

warnings := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wno-unused-parameter \
	-Wno-missing-field-initializers
# malloc belongs to the arena, assert to tests.
CFLAGS += -std=gnu11 -g $(warnings) -Iinclude -I$(O)/include -idirafter $(O)/include/host \
	-ffunction-sections -fdata-sections -fno-strict-aliasing -fno-asynchronous-unwind-tables \
	-ffile-prefix-map=$(CURDIR)/= -fno-stack-protector -fno-pie
LDFLAGS += -static -no-pie -Wl,--gc-sections -Wl,--build-id=none -s

multiarch := $(shell gcc -print-multiarch 2>/dev/null)
libdirs := $(if $(multiarch),/usr/lib/$(multiarch)) /usr/lib /usr/lib64
find-lib = $(firstword $(wildcard $(addsuffix /$(1),$(libdirs))))

ifdef CONFIG_LIBELF
host-libs += $(or $(call find-lib,libelf.a),$(error libelf.a is missing: install libelf-dev (Debian) \
	or libelf-static (Alpine), or switch CONFIG_LIBELF off))
endif
ifdef CONFIG_ZLIB
host-libs += $(or $(call find-lib,libz.a),$(error libz.a is missing: install zlib1g-dev (Debian) \
	or zlib-static (Alpine), or switch CONFIG_ZLIB off))
endif

$(O)/include/host/.made: src/rules.mk
	$(Q)mkdir -p $(@D)
	$(Q)for f in linux asm-generic asm libelf.h gelf.h elf.h zlib.h zconf.h; do \
		for d in /usr/include/$(multiarch) /usr/include; do \
			[ -e $$d/$$f ] && ln -sfn $$d/$$f $(@D)/$$f && break; \
		done; \
	done; rm -f $(@D)/elf.h; touch $@
