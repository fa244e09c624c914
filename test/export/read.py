# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what pt export writes, by what the formats' authors say of them, and prints for each
function "SELF INCLUSIVE NAME", sorted. Recursion counts once.

usage: read.py FORMAT FILE
"""
import collections
import json
import sys


class Profile:
    def __init__(self):
        self.own = collections.Counter()
        self.all = collections.Counter()

    def add(self, stack, weight):
        """A stack, the outermost frame first."""
        self.own[stack[-1]] += weight
        for name in set(stack):
            self.all[name] += weight

    def print(self):
        for name in sorted(self.all):
            if self.all[name]:
                print(self.own[name], self.all[name], ascii(name))


def folded(path):
    profile = Profile()
    for line in open(path):
        stack, weight = line.rsplit(" ", 1)
        profile.add(stack.split(";")[1:] or ["[none]"], int(weight))
    return profile


def speedscope(path):
    profile = Profile()
    file = json.load(open(path))
    assert file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    for one in file["profiles"]:
        assert one["type"] == "sampled" and isinstance(one["name"], str)
        assert one["unit"] in ("none", "nanoseconds")
        assert len(one["samples"]) == len(one["weights"])
        assert one["startValue"] == 0 and one["endValue"] == sum(one["weights"])
        for stack, weight in zip(one["samples"], one["weights"]):
            profile.add([frames[i] for i in stack] or ["[none]"], weight)
    return profile


class Tracks:
    """Calls that begin and end, by track. What is closed has to be what is open, and time does
    not go back."""

    def __init__(self, what):
        self.what = what
        self.open = collections.defaultdict(list)
        self.last = collections.Counter()
        self.profile = Profile()

    def begin(self, track, at, name):
        assert at >= self.last[track], "time goes back"
        self.last[track] = at
        self.open[track].append([name, at, 0])

    def end(self, track, at, insns):
        assert at >= self.last[track], "time goes back"
        self.last[track] = at
        stack = self.open[track]
        name, start, inner = stack.pop()
        weight = insns if self.what == "insns" else at - start
        if name == "[not traced]":
            weight = 0 if self.what == "insns" else weight
            self.profile.own[name] += weight
        else:
            assert weight >= inner, (name, weight, inner)
            self.profile.own[name] += weight - inner
        if stack:
            stack[-1][2] += weight
        if name not in [frame[0] for frame in stack]:
            self.profile.all[name] += weight

    def finish(self):
        assert not any(self.open.values()), "calls without an end"
        return self.profile


def chrome(path, what="insns"):
    tracks = Tracks(what)
    file = json.load(open(path))
    assert file["displayTimeUnit"] == "ns"
    named = set()
    for event in file["traceEvents"]:
        track = event["pid"], event.get("tid")
        if event["ph"] == "M":
            assert event["args"]["name"]
            named.add(track)
            continue
        assert track in named
        at = round(event["ts"] * 1000)
        if event["ph"] == "B":
            tracks.begin(track, at, event["name"])
        else:
            assert event["ph"] == "E"
            tracks.end(track, at, event["args"]["instructions"])
    return tracks.finish()


def chrome_time(path):
    return chrome(path, "time")


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2]).print()
