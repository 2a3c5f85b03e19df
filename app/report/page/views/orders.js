// TB orders by rank: what each is predicted to cost beside identity, and what it cost.
const kOrdersShown = 24;

view({
  id: "orders",
  schemas: ["flagstone.order/1"],
  question: "Which TB order is the best?",
  build(panel, result) {
    const candidates = list(result.candidates);
    const identity = candidates.find((candidate) => candidate.name === "identity");
    if (!identity) return panel.missing("No orders are known.");
    const share = (candidate, path) => {
      const base = at(identity, path), value = at(candidate, path);
      return isNumber(base) && isNumber(value) && base > 0 ? value / base : null;
    };
    const first = candidates[0];
    // What was simulated counts more than what was predicted.
    const [source, how] =
        first.simulated && identity.simulated ? ["simulated", ", as simulated"] : ["predicted", ""];
    const gain = (path, what) => {
      const value = share(first, `${source}.${path}`);
      return `${change(1, value, "less", "more")} ${what}`.replace("as many", "as much");
    };
    const unseen = list(result.unseen_lines);
    panel.answer(
        unseen.length > 0 ?
            `Cannot say: loads are left out, in line${unseen.length > 1 ? "s" : ""} ${
                unseen.slice(0, 8).join(", ")}${unseen.length > 8 ? ", ..." : ""}.` :
            first === identity ?
            `Leave it: of ${plural(candidates.length, "order")} none gains enough.` :
            `${first.name}: ${gain("cycles", "time")}, ${gain("dram_bytes", "data from DRAM")}${
                how}.`);
    const figures = [
      ["predicted.dram_bytes", "data from DRAM"], ["predicted.cycles", "time"],
      ["simulated.cycles", "simulated time"]
    ].filter(([path]) => candidates.some((candidate) => share(candidate, path) !== null));
    const shown = candidates.filter(
        (candidate, i) => i < kOrdersShown || candidate === identity || candidate.simulated);
    panel.add(legend(figures.map(([, name], i) => [name, classColour(i)])));
    panel.chart(40 + 18 * shown.length, (p) => {
      const left = 120, right = p.width - 30 - 44 * figures.length, bottom = 6 + 18 * shown.length;
      const values = shown.flatMap((candidate) => figures.map(([path]) => share(candidate, path)));
      const x = d3.scaleLinear([0, Math.max(1, d3.max(values))], [left, right]);
      shown.forEach((candidate, row) => {
        const top = 6 + 18 * row, height = 14 / figures.length;
        p.text(left - 6, top + 7, candidate.name, {anchor: "end", room: left - 8});
        const shares = figures.map(([path]) => share(candidate, path)).filter(isNumber);
        p.text(
            x(d3.max(shares) || 0) + 6, top + 7, shares.map((value) => value.toFixed(3)).join(" "),
            {size: 10, fill: p.theme.muted});
        figures.forEach(([path, name], i) => {
          const value = share(candidate, path);
          if (value === null) return;
          p.marks += 1;
          p.rect(left, top + i * height, x(value) - left, height - 0.5, classColour(i));
          p.hit(
              left, top + i * height, x(value) - left, height,
              `${candidate.name}: ${name} ${fixed(value)} of identity's`);
        });
      });
      axisBelow(p, x, bottom, {label: "relative to identity"});
    });
    panel.add(facts([
      ["workload", workloadName(result)], ["machine", result.machine], ["level", result.level],
      ["data", result.data], ["version", result.version], ["command", result.command, true]
    ]));
    panel.table(
        [
          {name: "order", left: true}, {name: "limit", left: true}, {name: "L2 bytes"},
          {name: "DRAM bytes"}, {name: "cycles"}, {name: "simulated L2 bytes"},
          {name: "simulated DRAM bytes"}, {name: "simulated cycles"}
        ],
        candidates.map(
            (candidate) =>
                [candidate.name, at(candidate, "predicted.limit"),
                 Math.round(at(candidate, "predicted.l2_bytes")),
                 Math.round(at(candidate, "predicted.dram_bytes")),
                 Math.round(at(candidate, "predicted.cycles")), at(candidate, "simulated.l2_bytes"),
                 at(candidate, "simulated.dram_bytes"), at(candidate, "simulated.cycles")]));
  },
});
