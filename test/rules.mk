# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests. A unit test is one file in test/unit, linked with all of src but main.

unit-srcs := $(wildcard test/unit/*.c)
unit-bins := $(unit-srcs:test/unit/%.c=$(O)/test-bin/%)
test-objs = $(filter-out $(O)/obj/src/main.o $(O)/obj/src/cmd/%,$(objs))

$(O)/test-bin/%: test/unit/%.c test/test.h $(O)/pt
	$(call say,TEST,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -Itest -O1 $(LDFLAGS) -o $@ $< $(test-objs) $(host-libs)

check-quick: $(O)/pt $(unit-bins)
	$(Q)O=$(O) sh test/run quick

check: $(O)/pt $(unit-bins)
	$(Q)O=$(O) sh test/run all

.PHONY: check check-quick
