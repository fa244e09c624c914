#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Bytes of the program, by file and by option.

usage: sizes.py files           of ./pt in its configuration, from the linker's map
       sizes.py options         how many bytes each option adds to full.config
       sizes.py write           both into kconfig/sizes, from where prompts of Kconfig
                                read them; no other file has sizes
       sizes.py check           whether the sizes of options there are still right
       sizes.py compare         what has grown since it was written

The size of an option includes everything that goes with it: options that depend
on it, and code that only it uses.
"""
import os
import re
import subprocess
import sys
import time
import kconfiglib

OUT = os.environ.get("O", ".") + "/obj/sizes"
WRITTEN = "kconfig/sizes"
KCONFIG = "kconfig/Kconfig"
START = time.monotonic()
SECTIONS = {}  # by configuration: those that were built
CONFIGS = ("full", "rescue", "tiny", "desk")
BUDGET = {"tiny": 40 << 10, "rescue": 400 << 10, "full": 512 << 10}


def build(config):
    """Builds a configuration, given as complete.py's arguments; returns its folder."""
    os.makedirs(OUT, exist_ok=True)
    with open(OUT + "/.config", "w") as file:
        subprocess.run([sys.executable, "kconfig/complete.py", *config], stdout=file, check=True)
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    env["LDFLAGS"] = f"-Wl,-Map={OUT}/map"
    subprocess.run(["make", "-s", "-j2", f"O={OUT}", f"CONFIG={OUT}/.config"], env=env, check=True)
    return OUT


def size_of(*config):
    return os.stat(build(config) + "/pt").st_size


def sections_of(*config):
    """Bytes of code and data: a file's size moves by pages."""
    options = subprocess.check_output([sys.executable, "kconfig/complete.py", *config], text=True)
    if options not in SECTIONS:
        out = subprocess.check_output(["size", build(config) + "/pt"], text=True)
        text, initialized = out.splitlines()[1].split()[:2]
        SECTIONS[options] = int(text) + int(initialized)
    return SECTIONS[options], options


def by_file(path):
    """Bytes of each object in the program, from the linker's map."""
    sizes = {}
    name = None
    with open(path) as file:
        text = file.read().split("Linker script and memory map", 1)[1]
    for section, size, where in re.findall(
            r"^ (\.\S+|COMMON)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+\.(?:o|a\(\S+\)))$", text, re.M):
        if section.split(".")[1:2] in (["text"], ["rodata"], ["data"]) or section == ".rodata":
            name = re.sub(r".*/obj/(?=src/|arch/|packed/pairs)", "", where)
            name = re.sub(r".*/(lib\w+\.a)\(.*\)$", r"\1", name)
            name = re.sub(r".*/(\w+\.o)$", r"\1", name) if name.startswith("/") else name
            sizes[name] = sizes.get(name, 0) + int(size, 16)
    return sizes


def options():
    """The options that can be chosen, in Kconfig's order, with their prompts."""
    kconf = kconfiglib.Kconfig(KCONFIG, warn=False)
    return [s for s in kconf.unique_defined_syms if any(n.prompt for n in s.nodes)]


def progress(done, total, name):
    """On a terminal: which option is built, and how long the rest will take."""
    if sys.stderr.isatty():
        left = (time.monotonic() - START) / done * (total - done) if done else 0
        print(f"\r{done} of {total}, {name}, {left:.0f} s left\033[K" if name else "\r\033[K",
              end="", file=sys.stderr, flush=True)


def costs():
    """The size that each option adds to full; of an option that others select, to tiny. What it
    depends on is there in both."""
    cost = {}
    names = [s.name for s in options()]
    for done, name in enumerate(names):
        progress(done, len(names), name)
        for base in ("kconfig/full.config", "+CMD_DUMP"):
            with_it, _ = sections_of(base, "+" + name)
            without, config = sections_of(base, "+" + name, "-" + name)
            cost[name] = with_it - without
            if cost[name] > 0 and f"CONFIG_{name}=y" not in config:
                break
    progress(len(names), len(names), "")
    return cost


def in_words(size):
    if size < 1000:
        return f"{max(size, 0)} bytes"
    return f"{(size + 500) // 1000} kB"


def table(cost):
    """Print the size of each option."""
    rows = []
    for symbol in options():
        prompt = re.sub(r" \(.*", "", symbol.nodes[0].prompt[0]).rstrip()
        rows.append(f"{cost[symbol.name]:>8,}  {symbol.name:<16} {prompt}")
    return "\n".join(rows) + "\n"


def read(path):
    with open(path) as file:
        return file.read()


def written():
    sizes = {}
    for line in read(WRITTEN).splitlines():
        name, size = line.split()[:2]
        sizes[name] = int(size)
    return sizes


def check():
    """The written sizes may be wrong by 10 % plus 1000 bytes."""
    wrong = 0
    then = written()
    for name, size in costs().items():
        said = then.get(name, 0)
        if abs(said - size) > size / 10 + 1000:
            print(f"{name}: {WRITTEN} says {said:,}, it is {size:,}; run make sizes-write")
            wrong = 1
    return wrong


def now():
    sizes = {}
    for config in CONFIGS:
        sizes[config] = size_of(f"kconfig/{config}.config")
        if config == "full":
            sizes.update(by_file(OUT + "/map"))
    return sizes


def write():
    cost = costs()
    sizes = now()
    lines = [f"{name} {sizes.pop(name)}\n" for name in CONFIGS]
    lines += [f"{name} {size} ({in_words(size)})\n" for name, size in cost.items()]
    lines += [f"{name} {size}\n" for name, size in sorted(sizes.items())]
    with open(WRITTEN, "w") as file:
        file.writelines(lines)


def compare():
    """Print what has grown since kconfig/sizes was written, and whether it is too much."""
    then = {name: size for name, size in written().items() if not name.isupper()}
    sizes = now()
    for name in sorted(set(then) | set(sizes)):
        old, new = then.get(name, 0), sizes.get(name, 0)
        if old != new:
            print(f"{name:<40} {old:>8,} -> {new:>8,}  {new - old:+,}")
    over = [c for c in BUDGET if sizes[c] > BUDGET[c]]
    grown = [c for c in CONFIGS if sizes[c] > then[c] * 1.02 + 1024]
    for config in over:
        print(f"{config} is over its budget of {BUDGET[config]:,} bytes")
    for config in grown:
        print(f"{config} grew by more than 2 %: take it back, or run 'make sizes-write'")
    return 1 if over or grown else 0


def main():
    what = sys.argv[1]
    if what == "files":
        build(sys.argv[2:])
        sizes = by_file(OUT + "/map")
        for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
            print(f"{size:>8,}  {name}")
        print(f"{os.stat(OUT + '/pt').st_size:>8,}  in all")
    elif what == "options":
        print(table(costs()), end="")
    elif what == "write":
        write()
    elif what == "check":
        return check()
    elif what == "compare":
        return compare()
    return 0


sys.exit(main())
