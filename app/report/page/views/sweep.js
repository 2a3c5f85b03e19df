// A sweep: points of a grid, and what their axes do.
function sweepData(result) {
  const rows = list(result.rows);
  const keys = rows.length > 0 ? Object.keys(rows[0]) : [];
  const status = keys.indexOf("status");
  const distinct =
      (key) => [...new Set(rows.map((row) => row[key]).filter((value) => value !== null))];
  const all = keys.slice(0, status).map((key) => ({key, values: distinct(key)}));
  const dimensions = all.filter(({values}) => values.length > 1);
  const same = all.filter(({values}) => values.length === 1);
  const done = rows.filter((row) => row.status === "done");
  const statistics = keys.slice(status + 2).filter((key) => done.some((row) => isNumber(row[key])));
  return {rows, keys, done, dimensions, same, statistics};
}
// "volta, matmul, sm_l1_size_kib 16": a number alone says nothing.
const placeOf = (row, dimensions) =>
    dimensions.map(({key}) => (typeof row[key] === "string" ? row[key] : `${key} ${row[key]}`))
        .join(", ");

// Values of one group: geometric where all are above zero, as most figures are ratios or counts.
const middle = (values) =>
    (values.every((value) => value > 0) ? geometricMean(values) : d3.mean(values));

view({
  id: "sweep_head",
  schemas: ["flagstone.sweep/1"],
  question: "How far is the sweep, and what is best?",
  build(panel, result) {
    const {rows, done, dimensions, same} = sweepData(result);
    const failed = rows.filter((row) => row.status === "failed"),
          open = rows.length - done.length - failed.length;
    const byCase = new Map();
    for (const row of done) {
      const name = `${row.workload} on ${row.machine}`;
      if (isNumber(row.cycles) && (!byCase.has(name) || row.cycles < byCase.get(name).cycles))
        byCase.set(name, row);
    }
    panel.answer(`${whole(done.length)} of ${plural(rows.length, "point")} done, ${
        whole(failed.length)} failed, ${whole(open)} open.`);
    const settings = (row) =>
        dimensions.filter(({key}) => !["workload", "machine", "size"].includes(key))
            .map(({key}) => `${key} ${row[key]}`)
            .join(", ");
    const messages = d3.nest().key((row) => row.message).entries(failed);
    for (const {key, values} of messages.slice(0, 5))
      panel.add(element("p", {class: "bad"}, `${plural(values.length, "point")} failed: ${key}`));
    panel.extra = rows.length;
    panel.add(facts([
      ...same.map(({key, values}) => [key.replace(/_/g, " "), values[0]]),
      ["version", result.version], ["command", result.command, true]
    ]));
    panel.add(element("h3", {}, "The fewest cycles"));
    const best = [...byCase].map(([name, row]) => [name, row.cycles, settings(row)]);
    panel.table(
        [{name: "case", left: true}, {name: "cycles"}, {name: "at", left: true, wrap: true}], best,
        {open: true});
    panel.tables = 0;
  },
});

view({
  id: "sweep_axis",
  schemas: ["flagstone.sweep/1"],
  question: "What does an axis do?",
  build(panel, result) {
    const {done, dimensions, statistics} = sweepData(result);
    if (done.length === 0 || dimensions.length === 0 || statistics.length === 0)
      return panel.missing("No two points that differ are done.");
    const axes =
        [...dimensions].sort((a, b) => b.values.every(isNumber) - a.values.every(isNumber));
    let axis = axes[0].key, figure = statistics.includes("cycles") ? "cycles" : statistics[0];
    let by = (dimensions.find(({key}) => key === "variant" && key !== axis) ||
              dimensions.find(({key}) => key !== axis) || {
                key: ""
              }).key;
    const series = () => {
      const known = done.filter((row) => isNumber(row[figure]));
      return d3.nest()
          .key((row) => (by ? row[by] : "all"))
          .entries(known)
          .map(({key, values}) => ({
                 key,
                 points: dimensions.find((dimension) => dimension.key === axis)
                             .values
                             .map((value) => {
                               const of = values.filter((row) => row[axis] === value)
                                              .map((row) => row[figure]);
                               return of.length === 0 ? null : {
                                 value,
                                 mean: middle(of),
                                 low: d3.min(of),
                                 high: d3.max(of),
                                 count: of.length
                               };
                             })
                             .filter(Boolean)
               }));
    };
    const first = series()[0].points;
    panel.answer(
        first.length > 1 ? `${figure} of ${series()[0].key}, in the mean: ${
                               cell(+first[0].mean.toPrecision(4))} at ${axis} ${first[0].value}, ${
                               cell(+first[first.length - 1].mean.toPrecision(
                                   4))} at ${first[first.length - 1].value}.` :
                           `${plural(done.length, "point")} done.`);
    // What is drawn: the means, or their ratios to the first point of their line.
    let ratios = false;
    const shownOf = (line, point) => (ratios ? point.mean / line.points[0].mean : point.mean);
    const key = element("div");
    const options = (keys, chosen) => [chosen, ...keys.filter((key) => key !== chosen)].map(
        (key) => [key, key]);
    panel.controls(
        panel.choice(
            "Along", options(axes.map(({key}) => key), axis),
            (chosen) => {
              axis = chosen;
              chart.redraw();
            }),
        panel.choice(
            "show", options(statistics, figure),
            (chosen) => {
              figure = chosen;
              chart.redraw();
            }),
        panel.choice(
            "a line for each", options(dimensions.map(({key}) => key), by),
            (chosen) => {
              by = chosen;
              chart.redraw();
            }),
        panel.choice(
            "as", [["values", "values, from 0"], ["ratios", "ratios to the first point"]],
            (chosen) => {
              ratios = chosen === "ratios";
              chart.redraw();
            }));
    panel.add(key);
    const chart = panel.chart(300, (p) => {
      const lines = series(), {values} = dimensions.find((dimension) => dimension.key === axis);
      key.replaceChildren(legend(lines.map((line, i) => [line.key, classColour(i)])));
      const x = d3.scalePoint(values, [80, p.width - 40]).padding(0.3);
      const drawn = lines.flatMap((line) => line.points.map((point) => shownOf(line, point)))
                        .filter(Number.isFinite);
      const [least, greatest] = drawn.length > 0 ? d3.extent(drawn) : [1, 1];
      const y =
          d3.scaleLinear(
                ratios ? [Math.min(0.99, least), Math.max(1.01, greatest)] : [0, greatest || 1],
                [250, 26])
              .nice();
      axisLeft(p, y, 80, p.width - 20, {
        label: `${figure}, mean over all else${ratios ? ", relative to the first point" : ""}`,
        format: ratios ? (v) => v.toFixed(3) : short
      });
      lines.forEach((line, i) => {
        p.line(
            line.points.map((point) => [x(point.value), y(shownOf(line, point))]), classColour(i),
            2, i % 2 === 0 ? [] : [6, 3]);
        for (const point of line.points) {
          p.circle(x(point.value), y(shownOf(line, point)), 4, classColour(i));
          p.hit(
              x(point.value) - 7, y(shownOf(line, point)) - 7, 14, 14,
              `${line.key}, ${axis} ${point.value}\nmean ${cell(+point.mean.toPrecision(5))}, ${
                  cell(point.low)} to ${cell(point.high)}, ${plural(point.count, "point")}`);
          p.marks += point.count;
        }
      });
      values.forEach(
          (value) => p.text(
              x(value), 264, String(value),
              {anchor: "middle", size: 11, fill: p.theme.muted, room: x.step()}));
      p.text(p.width - 40, 284, axis, {anchor: "end", size: 11, fill: p.theme.muted});
    });
    panel.note("A mean is geometric where all values are above zero.");
    const columns = ["line", "value", "mean", "least", "most", "points"].map(
        (name) => ({name, left: name === "line" || name === "value"}));
    const rows = () => series().flatMap(
        (line) => line.points.map(
            (point) => [line.key, point.value, point.mean, point.low, point.high, point.count]));
    panel.table(columns, rows());
    panel.csv = () => csvText(columns, rows());
  },
});

view({
  id: "sweep_pairs",
  schemas: ["flagstone.sweep/1"],
  question: "Where does a variant win?",
  build(panel, result) {
    const {done, dimensions} = sweepData(result);
    const variants = (dimensions.find(({key}) => key === "variant") || {values: []}).values;
    if (variants.length < 2) return panel.missing("The sweep has one variant.");
    const base = variants.includes("lrr") ? "lrr" : variants[0];
    const others = dimensions.filter(
        ({key}) => !["variant", "policy", "warp_scheduler", "prefetcher"].includes(key));
    const where = (row) => others.map(({key}) => row[key]).join("\n");
    const bases =
        new Map(done.filter((row) => row.variant === base).map((row) => [where(row), row]));
    const pairs =
        done.filter((row) => row.variant !== base && bases.has(where(row)) && isNumber(row.cycles))
            .map((row) => ({row, ratio: row.cycles / bases.get(where(row)).cycles}));
    if (pairs.length === 0) return panel.missing("No point is done under two variants.");
    const extreme = [...pairs].sort((a, b) => a.ratio - b.ratio);
    const say = ({row, ratio}) =>
        `${row.variant} with ${placeOf(row, others)} (${ratio.toFixed(3)})`;
    panel.answer(`In the geometric mean, cycles relative to ${base}: ${
        words(variants.filter((variant) => variant !== base)
                  .map(
                      (variant) => `${variant} ${
                          fixed(
                              geometricMean(pairs.filter(({row}) => row.variant === variant)
                                                .map(({ratio}) => ratio)),
                              3)}`))}. Best: ${say(extreme[0])}; worst: ${
        say(extreme[extreme.length - 1])}.`);
    const shown = variants.filter((variant) => variant !== base);
    panel.add(legend(shown.map((variant, i) => [variant, classColour(i + 1)])));
    panel.chart(260, (p) => {
      const x =
          d3.scaleLinear([0, Math.max(2, pairs.length / shown.length) - 1], [74, p.width - 34]);
      const [low, high] = d3.extent(pairs, ({ratio}) => ratio);
      const y = d3.scaleLinear([Math.min(0.95, low), Math.max(1.05, high)], [220, 26]).nice();
      axisLeft(
          p, y, 60, p.width - 20,
          {label: `cycles relative to ${base}, points in order`, format: (v) => v.toFixed(2)});
      p.line([[60, y(1)], [p.width - 20, y(1)]], p.theme.ink);
      shown.forEach(
          (variant, v) => [...pairs]
                              .filter(({row}) => row.variant === variant)
                              .sort((a, b) => a.ratio - b.ratio)
                              .forEach(({row, ratio}, i) => {
                                p.circle(x(i), y(ratio), 3.5, classColour(v + 1));
                                p.hit(
                                    x(i) - 5, y(ratio) - 5, 10, 10,
                                    `${variant}: ${ratio.toFixed(3)}\n${
                                        others.map(({key}) => `${key} ${row[key]}`).join("\n")}`);
                                p.marks += 1;
                              }));
      p.text(
          p.width - 20, 240, "points, the best first",
          {anchor: "end", size: 11, fill: p.theme.muted});
    });
    panel.table(
        [
          ...others.map(({key}) => ({name: key, left: true})), {name: "variant", left: true},
          {name: "relative cycles", format: (v) => fixed(v, 3)}
        ],
        pairs.map(({row, ratio}) => [...others.map(({key}) => row[key]), row.variant, ratio]),
        {filter: true});
  },
});

view({
  id: "sweep_points",
  long: true,
  schemas: ["flagstone.sweep/1"],
  question: "What is each point's result?",
  build(panel, result) {
    const {rows, keys} = sweepData(result);
    panel.answer(`${plural(rows.length, "point")}, ${keys.length} columns.`);
    panel.table(
        keys.map((name) => ({name: name, left: rows.some((row) => typeof row[name] === "string")})),
        rows.map((row) => keys.map((key) => row[key])), {filter: true, summary: "All points"});
  },
});
