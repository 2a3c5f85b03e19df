// Latencies of loads at each level, one above another on one scale.
const kLatencies = [
  ["L1", "l1.load_latency", "a load, from issue to its last data"],
  ["L2", "l2.latency", "a request, in the L2 slice"],
  ["DRAM", "dram.latency", "a request, in the memory controller"]
];

// The bucket up to which `share` of all is.
function bucketOfShare(buckets, share) {
  const all = sum(buckets);
  let seen = 0;
  for (let i = 0; i < buckets.length; ++i) {
    seen += buckets[i];
    if (seen >= share * all) return i;
  }
  return 0;
}

// Histograms over powers of two: {name, buckets, text}.
function histograms(p, rows, unit) {
  const used = d3.max(rows, (row) => 1 + row.buckets.reduce((last, n, i) => (n > 0 ? i : last), 0));
  const left = 70, right = p.width - 10, height = 64,
        x = d3.scaleBand(d3.range(used), [left, right]).paddingInner(0.08);
  rows.forEach((row, k) => {
    const top = 6 + k * (height + 14), all = sum(row.buckets) || 1, most = d3.max(row.buckets) || 1;
    p.text(left - 8, top + height / 2, row.name, {anchor: "end", weight: "600"});
    p.line([[left, top + height], [right, top + height]], p.theme.line);
    row.buckets.slice(0, used).forEach((count, i) => {
      p.marks += 1;
      if (count === 0) return;
      const bar = Math.max(1, (height - 12) * count / most);
      p.rect(x(i), top + height - bar, x.bandwidth(), bar, kClasses[k]);
      if (x.bandwidth() > 26)
        p.text(
            x(i) + x.bandwidth() / 2, top + height - bar - 6,
            count / all < 0.005 ? "<1 %" : percent(count / all, 0),
            {anchor: "middle", size: 10, fill: p.theme.muted});
      p.hit(
          x(i), top, x.bandwidth(), height,
          `${row.name}: ${whole(count)} (${percent(count / all)}) from ${bucketName(i)} ${unit}`);
    });
  });
  const y = 6 + rows.length * (height + 14) - 4;
  d3.range(used).forEach((i) => {
    if (x.step() > 38 || i % 2 === 0)
      p.text(x(i), y, bucketName(i), {anchor: "middle", size: 11, fill: p.theme.muted});
  });
  p.text(
      right, y + 14, `${unit}, in powers of two`, {anchor: "end", size: 11, fill: p.theme.muted});
}
const histogramsHeight = (rows) => 6 + rows * 78 + 22;

view({
  id: "latency",
  half: true,
  schemas: ["flagstone.run/1"],
  question: "Where does the time of a load go?",
  build(panel, run) {
    const rows = kLatencies
                     .map(([name, path, words]) => ({
                            name,
                            words,
                            buckets: list(at(run.totals, `${path}.buckets`)),
                            count: at(run.totals, `${path}.count`),
                            mean: at(run.totals, `${path}.mean`)
                          }))
                     .filter((row) => row.buckets.length > 0 && sum(row.buckets) > 0);
    if (rows.length === 0) return panel.missing("Only a timed run with loads has latencies.");
    panel.answer(`${
        words(rows.map(
            (row) => `${row.name} ${
                whole(row.mean)} cycles in the mean`))}; nine loads of ten took less than ${
        bucketName(bucketOfShare(rows[0].buckets, 0.9) + 1)}.`);
    panel.chart(histogramsHeight(rows.length), (p) => histograms(p, rows, "cycles"));
    panel.table(
        [{name: "level", left: true}, {name: "from cycles"}, {name: "count"}],
        rows.flatMap((row) => row.buckets.map((count, i) => [row.name, bucketFrom(i), count])));
  },
});
