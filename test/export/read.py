# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what pt export writes, by what the formats' authors say of them, and prints for each
function "SELF INCLUSIVE NAME", sorted. Recursion counts once.

usage: read.py FORMAT FILE...       of several files the sum
"""
import ast
import collections
import html.parser
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


class Tags(html.parser.HTMLParser):
    """All that is open is closed, in its order; the text of the element with id "data" is kept."""
    VOID = ("meta", "input", "br")

    def __init__(self):
        super().__init__()
        self.open, self.data = [], ""

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append((tag, dict(attrs).get("id")))
        for name, value in attrs:
            assert name not in ("src", "href"), "it loads something"

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag, "line %d: </%s>" % (self.getpos()[0], tag)

    def handle_data(self, text):
        if self.open and self.open[-1][1] == "data":
            self.data += text


def page(path):
    tags = Tags()
    tags.feed(open(path, encoding="utf-8").read())
    tags.close()
    assert not tags.open
    return json.loads(tags.data)


def html_frames(path, weight=2):
    """weight 2: instructions, 3: ns."""
    profile, data, stacks = Profile(), page(path), [[]]
    for i in range(0, len(data["frames"]), 5):
        frame = data["frames"][i:i + 5]
        stacks.append(stacks[frame[0]] + [data["names"][frame[1]]])
        profile.add(stacks[-1][1:] or ["[none]"], frame[weight])
    return profile


def html_time(path):
    return html_frames(path, 3)


def html_calls(path):
    """The timeline: calls in the order in which they end, each after those that it made."""
    profile, data = Profile(), page(path)
    waiting = collections.defaultdict(list)
    assert data["shorter"][0] == 0
    for i in range(0, len(data["calls"]), 6):
        track, depth, name, start, length, insns = data["calls"][i:i + 6]
        made = waiting.pop((track, depth + 1), [])
        assert all(start <= call[1] and call[2] <= start + length for call in made)
        assert sum(call[3] for call in made) <= insns
        call = (data["names"][name], start, start + length, insns, made)
        waiting[track, depth].append(call)

    def add(call, callers):
        name, insns, made = call[0], call[3], call[4]
        profile.own[name] += insns - sum(other[3] for other in made)
        if name not in callers:
            profile.all[name] += insns
        for other in made:
            add(other, callers + [name])

    for (_, depth), calls in waiting.items():
        assert depth == 0
        for call in calls:
            add(call, [])
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


def message(lines):
    """What protoc --decode prints, as a list of (name, value)."""
    fields = []
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith(" {"):
            fields.append((line[:-2], message(lines)))
        else:
            name, _, value = line.partition(": ")
            assert not name.isdigit(), "a field that the schema does not have"
            if value.startswith('"'):
                value = ast.literal_eval("b" + value).decode()
            fields.append((name, int(value) if value.lstrip("-").isdigit() else value))
    return fields


def perfetto(path, what="insns"):
    """Of protoc's text."""
    tracks, names, notes, uuids = Tracks(what), {}, {}, set()
    for name, fields in message(iter(open(path))):
        assert name == "packet"
        packet = dict(fields)
        assert packet["trusted_packet_sequence_id"] == 1
        for name, fields in packet.get("interned_data", []):
            entry = dict(fields)
            assert entry["iid"]
            (names if name == "event_names" else notes)[entry["iid"]] = entry["name"]
        if "track_descriptor" in packet:
            track = dict(packet["track_descriptor"])
            if "process" in track:
                process = dict(track["process"])
                assert process["pid"] and process["process_name"]
                continue
            thread = dict(track["thread"])
            assert thread["pid"] and thread["tid"] and thread["thread_name"]
            uuids.add(track["uuid"])
        if "track_event" in packet:
            event = dict(packet["track_event"])
            assert event["track_uuid"] in uuids
            at = packet["timestamp"]
            if event["type"] == "TYPE_SLICE_BEGIN":
                tracks.begin(event["track_uuid"], at, names[event["name_iid"]])
            else:
                assert event["type"] == "TYPE_SLICE_END"
                note = dict(event["debug_annotations"])
                assert notes[note["name_iid"]] == "instructions"
                tracks.end(event["track_uuid"], at, note["uint_value"])
    return tracks.finish()


def perfetto_time(path):
    return perfetto(path, "time")


def pprof(path, what="instructions", by_label=False):
    """Of protoc's text. by_label: the samples of each label are one function."""
    fields = message(iter(open(path)))
    strings = [value for name, value in fields if name == "string_table"]
    assert strings[0] == ""
    types = [strings[dict(value)["type"]] for name, value in fields if name == "sample_type"]
    functions = {dict(value)["id"]: dict(value) for name, value in fields if name == "function"}
    locations = {}
    for name, value in fields:
        if name == "location":
            line = dict(dict(value)["line"])
            assert line["line"] == functions[line["function_id"]].get("start_line", 0)
            locations[dict(value)["id"]] = strings[functions[line["function_id"]]["name"]]
    profile = Profile()
    for name, sample in fields:
        if name != "sample":
            continue
        values = [value for field, value in sample if field == "value"]
        label = dict(dict(sample)["label"])
        assert len(values) == len(types)
        assert strings[label["key"]] == "thread" and strings[label["str"]]
        stack = [locations[value] for field, value in sample if field == "location_id"]
        if by_label:
            stack = [strings[label["str"]]]
        profile.add(stack[::-1] or ["[none]"], values[types.index(what)])
    return profile


def pprof_time(path):
    return pprof(path, "time")


def pprof_threads(path):
    return pprof(path, by_label=True)


if __name__ == "__main__":
    total = Profile()
    for path in sys.argv[2:]:
        part = globals()[sys.argv[1]](path)
        total.own.update(part.own)
        total.all.update(part.all)
    total.print()
