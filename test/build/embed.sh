#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 8
#
# kconfig/embed, as far as it can be tested without the systems that it is for; a few lines simulate
# each of them.

. test/verdict

embed=$PWD/kconfig/embed
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

sed "s|^\. .*|copy_exec() { echo \"\$1 \$2\"; }|" "$embed/initramfs-hook" > "$dir/hook"
is "initramfs-tools copies pt" "$(PATH=$(dirname "$PT"):$PATH sh "$dir/hook")" "$PT /bin/pt"
is "its hook needs no other first" "$(sh "$embed/initramfs-hook" prereqs; echo $?)" 0

is "dracut installs pt" "$(bash -c "inst_multiple() { echo \$*; }
	. $embed/dracut/module-setup.sh; install" 2>&1)" pt
is "and only where it is asked to" "$(bash -c "require_binaries() { return 0; }
	. $embed/dracut/module-setup.sh; check" 2>&1; echo $?)" 255

. "$embed/APKBUILD"
is "Alpine has this version" "$pkgver" "$(sed -n 's/^VERSION := //p' Makefile)"
is "Alpine's targets are there" "$(env -u MAKEFLAGS make -n O="$dir" full_defconfig all install \
	check-quick DESTDIR="$dir" > /dev/null 2>&1; echo $?)" 0

is "Yocto has the licence" "$(sed -n 's/.*md5=\(.*\)"/\1/p' "$embed/pt.bb")" \
	"$(md5sum < LICENSE | cut -d ' ' -f 1)"

# Buildroot: a package by its Makefile, configured, built and installed.
cat > "$dir/Makefile" << 'END'
BR2_EXTERNAL_PT_PATH = $(EMBED)/buildroot
BR2_PACKAGE_PT_TINY = y
TARGET_CC = $(CC)
SED = sed -i -e
INSTALL = install
include $(EMBED)/buildroot/external.mk
$(SOURCE)/.stamp:
	$(PT_CONFIGURE_CMDS)
	$(PT_BUILD_CMDS)
	$(PT_INSTALL_TARGET_CMDS)
END
mkdir "$dir/source"
tar cf - Makefile src arch include test kconfig | tar xf - -C "$dir/source"
sed -i "s|^PT_OPTS.*|PT_OPTS = CC=\"\$(TARGET_CC)\" O=\"\$(@D)/build\"|" \
	"$dir/source/kconfig/embed/buildroot/external.mk"
env -u MAKEFLAGS -u MAKELEVEL -u O make -C "$dir" EMBED="$dir/source/kconfig/embed" CC="$CC" \
	SOURCE="$dir/source" TARGET_DIR="$dir/target" "$dir/source/.stamp" > "$dir/log" 2>&1 || cat "$dir/log"
is "Buildroot installs a tiny pt" "$("$dir/target/usr/bin/pt" version -v 2> /dev/null |
	sed -n 's/ *\(CONFIG_CMD_.*\)/\1/p')" "CONFIG_CMD_DUMP=y"

finish
