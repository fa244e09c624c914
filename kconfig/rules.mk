# SPDX-License-Identifier: GPL-2.0-or-later
#
# .config, and the headers made from it. Building needs only make and sh; changing the configuration
# with a menu needs kconfiglib (Debian: python3-kconfiglib).

CONFIG ?= $(O)/.config
chosen := $(or $(wildcard $(CONFIG)),kconfig/full.config)
include $(chosen)

config-h := $(O)/obj/include/pt/config.h

# Each option X becomes a macro CONFIG_X that is 1 or 0, for use in C as if (CONFIG_X). Each has its
# own header <pt/config/X.h>, so that changing an option recompiles only the files that use it.
# <pt/config.h> has the version, and all options as text. The headers are made each time, and
# replaced only if their contents change. That of an option that no longer exists is removed.
$(config-h): FORCE
	@mkdir -p $(@D)/config
	@on=" $$(sed -n 's/^CONFIG_\([A-Z0-9_]*\)=y.*/\1/p' $(chosen) | tr '\n' ' ')"; \
	sed -n 's/^config //p' kconfig/Kconfig | while read -r o; do \
		there=; \
		case $$on in *" $$o "*) set=1 ;; *) set=0 ;; esac; \
		wanted="#define CONFIG_$$o $$set"; \
		[ ! -e $(@D)/config/$$o.h ] || read -r there < $(@D)/config/$$o.h; \
		[ "$$there" = "$$wanted" ] || echo "$$wanted" > $(@D)/config/$$o.h; \
	done
	@options=$$(sed -n 's/^config \(.*\)/\1.h/p' kconfig/Kconfig); \
	cd $(@D)/config && ls | grep -vxF "$$options" | xargs rm -f
	@{ \
		echo '/* Made of .config by kconfig/rules.mk. */'; \
		echo '#define CONFIG_VERSION "$(VERSION)"'; \
		echo '#define CONFIG_OPTIONS \'; \
		sed -n 's/^\(CONFIG_[A-Z0-9_]*=.*\)/	"  \1\\n" \\/p' $(chosen); \
		echo '	""'; \
	} > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else \
		$(if $(quiet),,printf '  %-7s %s\n' CONFIG $(chosen);) mv $@.new $@; fi

# make checks their times after this rule.
$(O)/obj/include/pt/config/%.h: $(config-h) ;

# Use the distribution's python: another one in PATH may not find kconfiglib.
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

# Write kconfig/*.config again: options that are on, and those that are off but on by default.
configs:
	$(Q)for c in kconfig/*.config; do \
		$(PYTHON) kconfig/complete.py $$c > $(O)/config.new && cat $(O)/config.new > $$c; \
	done; rm -f $(O)/config.new

%_defconfig: kconfig/%.config
	$(Q)mkdir -p $(dir $(CONFIG))
	$(Q)cat $< > $(CONFIG)
	$(Q)$(MAKE) --no-print-directory needs

# Bytes by file and by option; compare them with kconfig/sizes; write kconfig/sizes.
sizes:
	@O=$(O) $(PYTHON) kconfig/sizes.py files $(chosen)
	@echo
	@O=$(O) $(PYTHON) kconfig/sizes.py options

bloatcheck:
	@O=$(O) $(PYTHON) kconfig/sizes.py compare

sizes-write:
	@O=$(O) $(PYTHON) kconfig/sizes.py write

FORCE:
.PHONY: FORCE menuconfig olddefconfig allnoconfig allyesconfig defconfig savedefconfig \
	configs sizes bloatcheck sizes-write
