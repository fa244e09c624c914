# SPDX-License-Identifier: GPL-2.0-or-later
#
# .config, and the header made of it. Reading one takes make and sh; changing
# one by menu takes kconfiglib (Debian: python3-kconfiglib).

CONFIG ?= $(O)/.config
chosen := $(or $(wildcard $(CONFIG)),kconfig/full.config)
include $(chosen)

config-h := $(O)/obj/include/pt/config.h

# Every option becomes a macro that is 1 or 0, so that C can say if (CONFIG_X).
# The header is made anew each time, and replaced only if it says something else.
$(config-h): FORCE
	@mkdir -p $(@D)
	@{ \
		echo '/* Made of .config by kconfig/rules.mk. */'; \
		echo '#define CONFIG_VERSION "$(VERSION)"'; \
		sed -n 's/^config //p' kconfig/Kconfig | while read -r o; do \
			if grep -q "^CONFIG_$$o=y" $(chosen); then echo "#define CONFIG_$$o 1"; \
			else echo "#define CONFIG_$$o 0"; fi; \
		done; \
		echo '#define CONFIG_OPTIONS \'; \
		sed -n 's/^\(CONFIG_[A-Z0-9_]*=.*\)/	"  \1\\n" \\/p' $(chosen); \
		echo '	""'; \
	} > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else \
		$(if $(quiet),,printf '  %-7s %s\n' CONFIG $(chosen);) mv $@.new $@; fi

# The distribution's python: another one first in PATH may not see kconfiglib.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
kconfig-tool = @mkdir -p $(dir $(CONFIG)); \
	$(PYTHON) -c 'import kconfiglib' 2>/dev/null || { \
		echo 'no kconfiglib: install python3-kconfiglib (Debian, Alpine: py3-)' >&2; \
		exit 1; }; \
	KCONFIG_CONFIG=$(CONFIG) $(PYTHON) -m

menuconfig olddefconfig allnoconfig allyesconfig:
	$(kconfig-tool) $@ kconfig/Kconfig

savedefconfig:
	$(kconfig-tool) $@ --kconfig kconfig/Kconfig --out $(O)/defconfig

defconfig: full_defconfig

# The checked-in ones again, with an entry for each option.
configs:
	$(Q)for c in kconfig/*.config; do \
		$(PYTHON) kconfig/complete.py $$c > $(O)/config.new && cat $(O)/config.new > $$c; \
	done; rm -f $(O)/config.new

%_defconfig: kconfig/%.config
	$(Q)mkdir -p $(dir $(CONFIG))
	$(Q)cat $< > $(CONFIG)

# Bytes by file and by option; against those written down; and into the prompts.
sizes:
	@O=$(O) $(PYTHON) kconfig/sizes.py files $(chosen)
	@echo
	@O=$(O) $(PYTHON) kconfig/sizes.py options

bloatcheck:
	@O=$(O) $(PYTHON) kconfig/sizes.py compare

bloatcheck-baseline:
	@O=$(O) $(PYTHON) kconfig/sizes.py baseline

prompts:
	@O=$(O) $(PYTHON) kconfig/sizes.py write

FORCE:
.PHONY: FORCE menuconfig olddefconfig allnoconfig allyesconfig defconfig savedefconfig \
	configs sizes bloatcheck bloatcheck-baseline prompts
