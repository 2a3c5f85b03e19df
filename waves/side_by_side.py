"""A scene of two runs: one wave that holds the same cycles of the same warp scheduler of each.

A warp scheduler's ports do not say how far its warps are, so the wave has counters besides, in the scope
RUN.counted. They follow the ports from the first cycle on:

  issued, issued_load, issued_warp  what issues in this cycle; issued_warp is kept
  loads_warp_N                      loads that the warp in slot N has issued, one cycle later
  least, most, spread               of the warps that live, which the scene's policy makes one TB group

A scheduler is not clocked while it has nothing to do. Its own signals keep their values then, `issued` does not.

Some schedulers have no port that tells loads. The scene says which of a warp's instructions are loads:
so many before the loop (`first`), then `passes` of the loop with L for a load. Where there is such a port,
both must agree.
"""
import re

WIDTHS = {"issued": 1, "issued_load": 1, "issued_warp": 6}  # of counters; all others 12
NAMES = ("issued", "issued_load", "issued_warp", "least", "most", "spread")
SLOTS = 64
COUNTED = "counted."  # before a counter's name, where keys of signals are codes of a VCD file


class Counters:
    """What one scheduler's warps have done. Throws ValueError where the scene does not fit the run."""

    def __init__(self, program):
        self.program, self.issues, self.loads, self.groups = program, {}, {}, set()
        self.values = {}  # that show

    def is_load(self, number):
        loop = self.program["loop"]
        number -= self.program["first"]
        if number >= self.program["passes"] * len(loop):
            raise ValueError("a warp has left its loop: the scene has to end before")
        return number >= 0 and loop[number % len(loop)] == "L"

    def tick(self, find):
        """Takes one clock edge. What shows in this cycle, and what shows from the next one on.

        `find` says which value a port has; None: there is no such port.
        """
        started, finished = find("started_i"), find("finished_i")
        if started is None or finished is None:
            raise ValueError("the wave has no ports 'started_i' and 'finished_i'")
        issued = find("issued_valid_i") == 1
        now = {"issued": int(issued), "issued_load": 0}
        if issued:
            warp = find("issued_warp_i" if find("issued_warp_i") is not None else "grant_warp_o")
            load = self.is_load(self.issues[warp])
            if find("issued_load_i") not in (None, int(load)):
                raise ValueError(f"instruction {self.issues[warp]} of warp {warp}: "
                                 "the scene and issued_load_i differ on whether it is a load")
            self.issues[warp] += 1
            self.loads[warp] += load
            now |= {"issued_load": int(load), "issued_warp": warp}
        for slot in range(SLOTS):
            if finished >> slot & 1:
                self.issues.pop(slot, None)
                self.loads.pop(slot, None)
            if started >> slot & 1:
                self.issues[slot] = self.loads[slot] = 0
                self.groups.add(find("started_group_i"))
        if len(self.groups) > 1:
            raise ValueError("the SM gets more than one TB group, whose warps need not be near each other")
        loads = self.loads.values() or [0]
        later = {"issued": 0, "issued_load": 0, "least": min(loads), "most": max(loads),
                 "spread": max(loads) - min(loads)}
        return now, later | {f"loads_warp_{slot}": count for slot, count in self.loads.items()}


class Wave:
    """One run's wave: its signals and counters within a window of times."""

    def __init__(self, lines, program, first, last, ticks):
        self.declarations, self.kept, self.changes = [], {}, {}
        self.counters = Counters(program)
        self.ports, self.values = {}, {}
        self.read(lines, first, last, ticks)

    def read(self, lines, first, last, ticks):
        depth, time = 0, None
        shows = {0: dict.fromkeys(NAMES, 0)}  # counters from a time on
        for line in lines:
            words = line.split()
            if line.startswith("#"):
                if time is not None:
                    self.clock(time, ticks, shows)
                time = int(line[1:])
                self.count(shows, time, first, last)
            elif time is None and words[:1] in (["$scope"], ["$upscope"], ["$var"]):
                depth += {"$scope": 1, "$upscope": -1, "$var": 0}[words[0]]
                self.declarations.append(line)
                if words[0] == "$var" and depth == 3:  # gpu.smN.warp_schedulerM
                    self.ports[words[4]] = words[3]
            elif time is not None and line[:1] in ("0", "1", "b"):
                value, code = line.rsplit(" ", 1) if line[0] == "b" else (line[0], line[1:])
                self.values[code] = value
                self.change(time, first, last, code, value)
        self.count(shows, last + ticks, first, last)

    def find(self, port):
        value = self.values.get(self.ports.get(port))
        if value is not None and set(value) & set("xXzZ"):
            raise ValueError(f"the port '{port}' is '{value}': expected bits")
        return None if value is None else int(value.removeprefix("b"), 2)

    def clock(self, time, ticks, shows):
        """After all changes of a time. A rising edge stands at a whole cycle."""
        if time % ticks or self.find("clk_i") != 1:
            return
        now, later = self.counters.tick(self.find)
        shows.setdefault(time, {}).update(now)
        shows[time + ticks] = later

    def count(self, shows, until, first, last):
        """Passes on what the counters show before `until`."""
        for time in sorted(time for time in shows if time < until):
            for name, value in shows.pop(time).items():
                if self.counters.values.get(name) != value:
                    self.counters.values[name] = value
                    form = str(value) if WIDTHS.get(name) == 1 else f"b{value:b}"
                    self.change(time, first, last, COUNTED + name, form)

    def change(self, time, first, last, key, value):
        if time <= first:
            self.kept[key] = value
        elif time <= last:
            self.changes.setdefault(time, {})[key] = value

    def at(self, time, *names):
        """What counters show at a time of the window."""
        values = dict(self.kept)
        for when in sorted(when for when in self.changes if when <= time):
            values.update(self.changes[when])
        return [int(values[COUNTED + name].removeprefix("b"), 2) for name in names]


def vcd(waves, first, last):
    """One VCD text of the waves by their names."""
    text, codes = ["$timescale 1ps $end"], {}
    for number, (name, wave) in enumerate(waves.items()):
        text += [f"$scope module {name} $end", "$scope module counted $end"]
        for index, key in enumerate(sorted(wave.counters.values)):
            codes[name, COUNTED + key] = f"{chr(ord('A') + number)}{index}"
            width = WIDTHS.get(key, 12)
            part = f" [{width - 1}:0]" if width > 1 else ""
            text.append(f"$var wire {width} {codes[name, COUNTED + key]} {key}{part} $end")
        text.append("$upscope $end")
        for line in wave.declarations:
            match = re.match(r"(\s*\$var \S+ \d+ )(\S+)( .*)", line)
            if match:
                codes[name, match[2]] = f"{chr(ord('a') + number)}{match[2]}"
                line = match[1] + codes[name, match[2]] + match[3]
            text.append(line)
        text.append("$upscope $end")
    text += ["$enddefinitions $end", f"#{first}"]

    def put(changed, name):
        for key, value in changed.items():
            text.append(value + " " * (value[0] == "b") + codes[name, key])

    for name, wave in waves.items():
        put(wave.kept, name)
    for time in sorted({time for wave in waves.values() for time in wave.changes}):
        text.append(f"#{time}")
        for name, wave in waves.items():
            put(wave.changes.get(time, {}), name)
    return "\n".join([*text, f"#{last}"]) + "\n"
