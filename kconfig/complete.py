#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints a configuration: the options that are on, and those that are off but on by default.

usage: complete.py CONFIG [+OPTION | -OPTION]...   that file, then switch some; an option that
                                                  it does not mention is off (desk: on)
       complete.py [+] [+OPTION | -OPTION]...      the same of no option, or with "+" of all

An option that is switched on switches on what it depends on.
"""
import sys
import kconfiglib


def switch_on(symbol):
    for item in kconfiglib.expr_items(symbol.direct_dep):
        if item.is_constant is False and item is not symbol:
            switch_on(item)
    symbol.set_value(2)


def main():
    kconf = kconfiglib.Kconfig("kconfig/Kconfig", warn=False)
    args = sys.argv[1:]
    if args and args[0][0] not in "+-":
        kconf.load_config(args[0])
        for symbol in kconf.unique_defined_syms:
            if symbol.user_value is None:
                symbol.set_value(2 if "desk.config" in args[0] else 0)
        args = args[1:]
    else:
        everything = args[:1] == ["+"]
        for symbol in kconf.unique_defined_syms:
            symbol.set_value(2 if everything else 0)
        args = args[everything:]
    for arg in args:
        if arg[0] == "+":
            switch_on(kconf.syms[arg[1:]])
        else:
            kconf.syms[arg[1:]].set_value(0)
    for symbol in kconf.unique_defined_syms:
        if symbol.str_value == "y":
            print(f"CONFIG_{symbol.name}=y")
        elif symbol.defaults:
            print(f"# CONFIG_{symbol.name} is not set")


main()
