// How many TBs read a piece of data, and how warps and TBs share it.
const kSharing = [
  ["unshared", "one warp alone"], ["intra_tb", "warps of one TB"],
  ["inter_tb", "several TBs, a warp of each"], ["both", "several TBs, several warps"]
];

view({
  id: "sharers",
  half: true,
  schemas: ["flagstone.analyze/1"],
  question: "How much can sharing give?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    const buckets = launch && at(launch, "graph.sharers"),
          data = launch && at(launch, "graph.distribution");
    if (!buckets || buckets.length === 0)
      return panel.missing("Analyze with --detail or --report.");
    const all = sum(buckets), alone = buckets[0];
    const names =
        buckets.map((units, i) => (i === 0 ? "1 TB" : `${2 ** i} to ${2 ** (i + 1) - 1}`));
    const shared = d3.scan(buckets.slice(1), (x, y) => y - x);
    panel.answer(
        `${percent(alone / all)} of the data are read by one TB alone` +
        (shared === undefined ? "." : `; of the rest, most are read by ${names[shared + 1]} TBs.`));
    const rows = data ? kSharing.map(([key, words]) => ({label: words, value: data[key]})) : [];
    const options = {left: 190, top: 24, right: 110, barHeight: 15, gap: 5};
    panel.chart(
        lyingHeight(buckets.length, options) +
            (rows.length > 0 ? lyingHeight(rows.length, options) : 0) + 6,
        (p) => {
          const draw = (title, bars, top, colour) => {
            p.text(4, top + 10, title, {fill: p.theme.muted, size: 11});
            lyingBars(
                p,
                bars.map(
                    (bar) => ({
                      ...bar,
                      parts: [
                        {value: bar.value, colour, text: `${bar.label}: ${whole(bar.value)} units`}
                      ]
                    })),
                {
                  ...options,
                  top: top + 24,
                  most: d3.max(bars, (bar) => bar.value),
                  total: (bar) => `${short(bar.value)} (${
                      percent(bar.value / (sum(bars.map((b) => b.value)) || 1))})`
                });
            return top + lyingHeight(bars.length, options);
          };
          const next = draw(
              "data units, by the number of TBs that read them",
              names.map((label, i) => ({label, value: buckets[i]})), 0, kClasses[0]);
          if (rows.length > 0) draw("data units, by who reads them", rows, next, kClasses[2]);
        });
    panel.table([{name: "read by", left: true}, {name: "data units"}], [
      ...names.map((name, i) => [name, buckets[i]]), ...rows.map((row) => [row.label, row.value])
    ]);
  },
});
