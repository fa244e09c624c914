# SPDX-License-Identifier: GPL-2.0-or-later
#
# .config, and the header made of it. Reading one takes make and sh; changing
# one by menu takes kconfiglib (Debian: python3-kconfiglib).

CONFIG ?= $(O)/.config
-include $(CONFIG)

$(CONFIG):
	$(Q)mkdir -p $(@D)
	$(Q)cp kconfig/full.config $@

# Every option becomes a macro that is 1 or 0, so that C can say if (CONFIG_X).
$(O)/include/pt/config.h: $(CONFIG) kconfig/Kconfig kconfig/rules.mk
	$(call say,CONFIG,$@)
	@mkdir -p $(@D)
	$(Q){ \
		echo '/* Made of $(notdir $(CONFIG)) by kconfig/rules.mk. */'; \
		echo '#define CONFIG_VERSION "$(VERSION)"'; \
		for o in $$(sed -n 's/^config //p' kconfig/Kconfig); do \
			grep -q "^CONFIG_$$o=y" $(CONFIG) && v=1 || v=0; \
			echo "#define CONFIG_$$o $$v"; \
		done; \
		echo '#define CONFIG_OPTIONS \'; \
		sed -n 's/^\(CONFIG_[A-Z0-9_]*=.*\)/	"  \1\\n" \\/p' $(CONFIG); \
		echo '	""'; \
	} > $@

# The distribution's python: another one first in PATH may not see kconfiglib.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
kconfig-tool = KCONFIG_CONFIG=$(CONFIG) $(PYTHON) -m $(1) $(2)

menuconfig olddefconfig allnoconfig allyesconfig:
	$(Q)mkdir -p $(O)
	$(Q)$(call kconfig-tool,$@,kconfig/Kconfig)

defconfig:
	$(Q)mkdir -p $(O)
	$(Q)cp kconfig/full.config $(CONFIG)

%_defconfig:
	$(Q)mkdir -p $(O)
	$(Q)cp kconfig/$*.config $(CONFIG)

savedefconfig:
	$(Q)$(call kconfig-tool,savedefconfig,--kconfig kconfig/Kconfig --out $(O)/defconfig)

.PHONY: menuconfig olddefconfig allnoconfig allyesconfig defconfig savedefconfig
