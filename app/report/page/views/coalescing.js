// Threads at the 32 locations of the 128 bytes from their warp's first sector (Kim et al.).
view({
  id: "coalescing",
  half: true,
  schemas: ["flagstone.analyze/1"],
  question: "Are the loads coalesced?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    const all = launch && launch.coalescing, graph = list(all && all.graph);
    if (graph.length === 0) return panel.missing("No load's coalescing is known.");
    const loads =
        list(launch.loads).filter((load) => list(at(load, "coalescing.graph")).length > 0);
    const worst =
        [...loads]
            .filter((load) => isNumber(at(load, "coalescing.sectors_per_request")))
            .sort((a, b) => b.coalescing.sectors_per_request - a.coalescing.sectors_per_request)[0];
    panel.answer(
        `${percent(all.degree)} of a warp's threads lie within 128 bytes; a request takes ${
            fixed(all.sectors_per_request)} sectors in the mean` +
        (worst ? `, most, ${fixed(worst.coalescing.sectors_per_request)}, the load in line ${
                     worst.line}.` :
                 "."));
    let shown = {graph, name: "the kernel"};
    panel.controls(panel.choice(
        "Of",
        [
          ["all", "the kernel"],
          ...loads.map((load, i) => [i, `the load in line ${load.line} (${load.array})`])
        ],
        (chosen) => {
          shown = chosen === "all" ? {graph} : {graph: loads[chosen].coalescing.graph};
          chart.redraw();
        }));
    const chart = panel.chart(200, (p) => {
      const left = 46, right = p.width - 8, bottom = 160, width = (right - left) / 32;
      const y = d3.scaleLinear([0, Math.max(1, d3.max(shown.graph))], [bottom, 20]);
      axisLeft(p, y, left, right, {label: "threads of a warp"});
      shown.graph.forEach((threads, i) => {
        p.rect(
            left + i * width, y(threads), width - 1, bottom - y(threads),
            kClasses[Math.floor(i / 8) % 2 === 0 ? 0 : 4]);
        p.hit(left + i * width, 20, width, bottom - 20, `byte ${4 * i}: ${fixed(threads)} threads`);
        p.marks += 1;
      });
      axisBelow(
          p, d3.scaleLinear([0, 128], [left, right]), bottom,
          {label: "bytes from the first sector; colours: sectors of 32 bytes"});
    });
    panel.table(
        [
          {name: "load", left: true}, {name: "array", left: true},
          {name: "degree", format: (v) => percent(v)},
          {name: "sectors a request", format: (v) => fixed(v)}
        ],
        [
          ["kernel", "", all.degree, all.sectors_per_request],
          ...loads.map(
              (load) =>
                  [`line ${load.line}`, load.array, load.coalescing.degree,
                   load.coalescing.sectors_per_request])
        ]);
  },
});
