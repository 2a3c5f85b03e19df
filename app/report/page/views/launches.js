// A run of several launches, one beside another.
view({
  id: "launches",
  schemas: ["flagstone.run/1"],
  question: "Which launch takes the time?",
  build(panel, run) {
    const launches = list(run.launches);
    if (launches.length < 2 || !isNumber(launches[0].cycles)) return void (panel.skip = true);
    const all = sum(launches.map((launch) => launch.cycles)) || 1;
    const worst =
        launches.map((launch, i) => [launch, i]).sort((a, b) => b[0].cycles - a[0].cycles)[0];
    panel.answer(`${launches.length} launches; the longest, ${worst[1] + 1} (${
        kernelName(worst[0])}), takes ${percent(worst[0].cycles / all)} of ${whole(all)} cycles.`);
    const names = [...new Set(launches.map(kernelName))];
    panel.add(legend(names.slice(0, 8).map((name, i) => [name, classColour(i)])));
    panel.chart(150, (p) => {
      const left = 60, right = p.width - 10, bottom = 116, width = (right - left) / launches.length;
      const y = d3.scaleLinear([0, worst[0].cycles], [bottom, 16]);
      axisLeft(p, y, left, right, {label: "cycles", ticks: 4});
      launches.forEach((launch, i) => {
        p.marks += 1;
        p.rect(
            left + i * width, y(launch.cycles), Math.max(0.5, width - (width > 4 ? 1.5 : 0)),
            bottom - y(launch.cycles), classColour(names.indexOf(kernelName(launch))));
        if (width > 3)
          p.hit(
              left + i * width, 10, width, bottom - 10,
              `launch ${i + 1}, ${kernelName(launch)}: ${whole(launch.cycles)} cycles`);
      });
      const x = d3.scaleLinear([0.5, launches.length + 0.5], [left, right]);
      axisBelow(p, x, bottom, {label: "launch", format: whole, counts: true});
    });
    panel.table(
        [
          {name: "launch"}, {name: "kernel", left: true}, {name: "grid", left: true},
          {name: "cycles"}, {name: "TBs"}, {name: "IPC"},
          {name: "L1 miss rate", format: (v) => percent(v)}, {name: "L2 accesses"}
        ],
        launches.map(
            (launch, i) =>
                [i + 1, kernelName(launch), shape(launch.grid), launch.cycles,
                 at(launch, "tb.count"), launch.ipc, at(launch, "l1.miss_rate"),
                 at(launch, "l2.accesses")]));
  },
});
