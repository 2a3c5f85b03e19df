// The way of the data, with what went over each step.
function memoryChain(totals) {
  const n = (path) => at(totals, path);
  return [
    {
      name: "SMs",
      facts: [["loads", n("l1.loads")], ["stores", n("l1.stores")], ["atomics", n("l1.atomics")]]
    },
    {
      name: "L1",
      edge: n("l1.accesses"),
      unit: "accesses",
      facts: [
        ["miss", n("l1.miss_rate"), percent], ["MSHR hits", n("l1.mshr_hits")],
        ["mean", n("l1.load_latency.mean"), (v) => `${whole(v)} cycles`]
      ]
    },
    {
      name: "network",
      edge: n("noc.request.packets"),
      unit: "packets",
      facts: [
        ["there", n("noc.request.latency"), (v) => `${fixed(v, 1)} cycles`],
        ["back", n("noc.reply.latency"), (v) => `${fixed(v, 1)} cycles`]
      ]
    },
    {
      name: "L2",
      edge: n("l2.accesses"),
      unit: "sectors",
      facts: [
        ["miss", n("l2.miss_rate"), percent],
        ["mean", n("l2.latency.mean"), (v) => `${whole(v)} cycles`]
      ]
    },
    {
      name: "DRAM",
      edge: isNumber(n("dram.reads")) ? n("dram.reads") + (n("dram.writes") || 0) : null,
      unit: "sectors",
      facts: [
        ["row hits", n("dram.row_hit_rate"), percent], ["busy", n("dram.utilization"), percent],
        ["mean", n("dram.latency.mean"), (v) => `${whole(v)} cycles`]
      ]
    },
  ];
}

view({
  id: "memory",
  half: true,
  schemas: ["flagstone.run/1"],
  question: "How much went through each level of memory?",
  build(panel, run) {
    const chain = memoryChain(run.totals);
    if (!isNumber(chain[1].edge))
      return panel.missing("Only a timed run moves data: run without --functional.");
    const bytes = 32 * (chain[4].edge || 0);
    panel.answer(
        `Of ${short(chain[1].edge)} L1 accesses ${
            percent(at(run.totals, "l1.miss_rate"))} missed; L2 answered all but ${
            percent(at(run.totals, "l2.miss_rate"))} of ${short(chain[3].edge)} sectors; ` +
        `DRAM moved ${bytesText(bytes)}.`);
    panel.chart(190, (p) => {
      const step = p.width / chain.length, box = Math.min(92, step - 26);
      const most = Math.max(...chain.map((stage) => stage.edge || 0), 1);
      chain.forEach((stage, i) => {
        const left = i * step + (step - box) / 2;
        if (i > 0) {
          const from = left - (step - box),
                thick = Math.max(1.5, 34 * Math.sqrt((stage.edge || 0) / most));
          p.area(
              [
                [from, 62 - thick / 2], [left - 8, 62 - thick / 2], [left, 62],
                [left - 8, 62 + thick / 2], [from, 62 + thick / 2]
              ],
              "#56b4e9");
          p.text(
              (from + left) / 2, 18, short(stage.edge),
              {anchor: "middle", size: 12, weight: "600"});
          p.text(
              (from + left) / 2, 32, stage.unit, {anchor: "middle", size: 10, fill: p.theme.muted});
          p.hit(from, 8, left - from, 74, `${whole(stage.edge)} ${stage.unit} to ${stage.name}`);
        }
        p.rect(left, 40, box, 44, p.theme.none, p.theme.muted);
        p.text(
            left + box / 2, 62, stage.name,
            {anchor: "middle", weight: "600", size: box < 66 ? 10 : 14});
        stage.facts.forEach(
            ([name, value, format], k) => p.text(
                left + box / 2, 102 + 18 * k,
                `${name} ${(format || short)(value)}`.replace(step < 110 ? " cycles" : "", ""),
                {anchor: "middle", size: step < 110 ? 9 : 11, fill: p.theme.ink}));
        p.marks += 1;
      });
      p.text(
          4, 180, "Arrows: the square root of the count; latencies in cycles.",
          {size: 10, fill: p.theme.muted});
    });
    panel.table(
        [{name: "level", left: true}, {name: "figure", left: true}, {name: "value"}],
        chain.flatMap(
            (stage) =>
                [...(stage.edge === undefined ? [] : [[stage.name, stage.unit, stage.edge]]),
                 ...stage.facts.map(([name, value]) => [stage.name, name, value])]));
  },
});
