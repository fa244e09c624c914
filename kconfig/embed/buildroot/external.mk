# SPDX-License-Identifier: GPL-2.0-or-later

PT_VERSION = local
PT_SITE = $(realpath $(BR2_EXTERNAL_PT_PATH)/../../..)
PT_SITE_METHOD = local
PT_LICENSE = GPL-2.0-or-later
PT_LICENSE_FILES = LICENSE

PT_CONFIG = $(if $(BR2_PACKAGE_PT_FULL),full,$(if $(BR2_PACKAGE_PT_TINY),tiny,rescue))
PT_OPTS = CC="$(TARGET_CC)" HOSTCC="$(HOSTCC)" SYSROOT="$(STAGING_DIR)" O="$(@D)/build"

define PT_CONFIGURE_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) $(PT_OPTS) $(PT_CONFIG)_defconfig
	$(SED) '/CONFIG_LIBELF=y/d' -e '/CONFIG_ZLIB=y/d' $(@D)/build/.config
endef

define PT_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) $(PT_OPTS)
endef

define PT_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 755 $(@D)/build/pt $(TARGET_DIR)/usr/bin/pt
endef

$(eval $(generic-package))
