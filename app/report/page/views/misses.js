// Why loads missed in the L1, and why it could not take a request.
const kMissClasses = [
  ["cold", "first touch"], ["capacity", "the cache is too small"],
  ["conflict", "the set is too small"], ["written", "a store had taken it away"]
];
const kFails = [
  ["mshr", "no miss entry is free"], ["merge", "too many wait for the line"],
  ["way", "all ways wait for data"], ["queue", "the queue to the network is full"],
  ["load_slot", "too many loads are under way"]
];

view({
  id: "misses",
  half: true,
  schemas: ["flagstone.run/1"],
  question: "What limits the L1?",
  build(panel, run) {
    const misses = at(run.totals, "l1.misses");
    if (!isNumber(misses))
      return panel.missing("Only a timed run has misses: run without --functional.");
    const group = (title, path, rows) => rows.map(
        ([key, words]) =>
            ({title, key: key.replace("_", " "), words, value: at(run.totals, `${path}.${key}`)}));
    const classes = group("misses by class", "l1.classes", kMissClasses),
          fails = group("refused, by reason", "l1.fails", kFails);
    const known = classes.filter((row) => isNumber(row.value));
    const worst = [...known].sort((a, b) => b.value - a.value)[0];
    const allFails = sum(fails.map((row) => row.value));
    const fail = [...fails].sort((a, b) => b.value - a.value)[0];
    panel.answer(
        (worst && worst.value > 0 ?
             `Most loads that missed, ${
                 percent(worst.value / sum(known.map((row) => row.value)))}, were ${
                 worst.key} misses: ${worst.words}. ` :
             `${short(misses)} accesses missed. `) +
        (allFails > 0 ? `The L1 refused ${short(allFails)} requests for a time, mostly because ${
                            fail.words}.` :
                        "The L1 refused no request."));
    const shown = [...known, ...fails];
    const options = {left: 90, top: 22, barHeight: 15, gap: 5, right: 120};
    panel.chart(
        lyingHeight(known.length, options) + lyingHeight(fails.length, options) + 8, (p) => {
          const draw = (rows, title, top, colour) => {
            if (rows.length === 0) return top;
            p.text(4, top + 10, title, {fill: p.theme.muted, size: 11});
            const all = sum(rows.map((row) => row.value)) || 1;
            lyingBars(
                p,
                rows.map(
                    (row) => ({
                      label: row.key,
                      value: row.value,
                      parts: [{value: row.value, colour, text: `${whole(row.value)}: ${row.words}`}]
                    })),
                {
                  ...options,
                  top: top + 22,
                  most: d3.max(rows, (row) => row.value),
                  total: (row) => `${short(row.value)} (${percent(row.value / all)})`
                });
            return top + lyingHeight(rows.length, options);
          };
          draw(
              fails, "requests refused, by reason",
              draw(known, "loads that missed, by class", 0, kClasses[0]) + 4, kClasses[1]);
        });
    if (known.length === 0)
      panel.note(`Why loads missed: ${
          run.program ? "exec with --miss-classes" : "run with --miss-classes or --report"}.`);
    panel.table(
        [
          {name: "", left: true}, {name: "kind", left: true}, {name: "count"},
          {name: "meaning", left: true}
        ],
        shown.map((row) => [row.title, row.key, row.value, row.words]));
  },
});
