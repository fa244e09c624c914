# SPDX-License-Identifier: GPL-2.0-or-later
SUMMARY = "Records and decodes Intel Processor Trace"
LICENSE = "GPL-2.0-or-later"
LIC_FILES_CHKSUM = "file://LICENSE;md5=b234ee4d69f5fce4486a80fdaf4a4263"

# Where pt's source is: its folder, here.
inherit externalsrc
EXTERNALSRC ?= "${TOPDIR}/../pt"

PT_CONFIG ?= "rescue"
EXTRA_OEMAKE = "'CC=${CC}' 'HOSTCC=${BUILD_CC}' 'SYSROOT=${STAGING_DIR_TARGET}' 'O=${B}'"

# pt has no section headers, which strip would look for.
INHIBIT_PACKAGE_STRIP = "1"
INHIBIT_SYSROOT_STRIP = "1"

# libelf and zlib are shared libraries in Yocto; without them there are
# addresses, files and kernel symbols.
do_configure() {
	oe_runmake -C ${S} ${PT_CONFIG}_defconfig
	sed -i -e '/CONFIG_LIBELF=y/d' -e '/CONFIG_ZLIB=y/d' ${B}/.config
}

do_compile() {
	oe_runmake -C ${S}
}

do_install() {
	oe_runmake -C ${S} DESTDIR=${D} PREFIX=${prefix} install
}

python () {
    if d.getVar("TCLIBC") != "musl":
        raise bb.parse.SkipRecipe("pt is built with TCLIBC = \"musl\"")
}
