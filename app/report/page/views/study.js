// A study of loads: what strides between warps predict by the warps' distance, how often warps
// repeat their loads, or where the TBs of an SM load.
const kLoadsDrawn = 4;  // as CAPS, Fig. 4

const kShares = {
  accuracy: {words: "predicted right", dash: []},
  accuracy_in_tb: {words: "of those in the same TB", dash: [6, 3]},
  same_tb: {words: "in the same TB", dash: [2, 3]},
};

// A line over the distance of the warps for each workload and each of the measures; points, with
// words under the pointer, on those of the first.
function drawOverDistance(
    p, byWorkload, measures, bottom, {most, far, hint, label, format, below, marked}) {
  const x = d3.scaleLinear([1, Math.max(2, far)], [60, p.width - 30]);
  const y = d3.scaleLinear([0, most], [bottom, 22]).nice();
  axisLeft(p, y, 44, p.width - 20, {label, format});
  byWorkload.forEach(({key, values}, i) => {
    Object.entries(measures).forEach(([measure, {dash}], m) => {
      const known = values.filter((row) => isNumber(row[measure]));
      p.line(known.map((row) => [x(row.distance), y(row[measure])]), classColour(i), 2, dash);
      for (const row of m === 0 ? values : []) {
        if (marked) p.marks += 1;
        if (!isNumber(row[measure])) continue;
        p.circle(x(row.distance), y(row[measure]), 4, classColour(i));
        p.hit(
            x(row.distance) - 7, y(row[measure]) - 7, 14, 14,
            `${key}, distance ${row.distance}: ${hint(row)}`);
      }
    });
  });
  axisBelow(p, x, bottom + 4, {ticks: Math.min(far, 12), counts: true, label: below});
}

function warpDistances(panel, rows) {
  const byWorkload = d3.nest().key((row) => row.workload).entries(rows);
  const far = d3.max(rows, (row) => row.distance);
  for (const {key, values} of byWorkload) {
    const told = (row) => `${percent(row.accuracy)} right and ${
        fixed(row.gap, 0)} cycles ahead at distance ${row.distance}`;
    panel.answer(
        `${key}: ${words([...new Set([values[0], values[values.length - 1]])].map(told))}.`);
  }
  panel.add(legend(byWorkload.map(({key}, i) => [key, classColour(i)])));
  panel.chart(250, (p) => {
    drawOverDistance(p, byWorkload, kShares, 220, {
      most: 1,
      far,
      hint: (row) => `${percent(row.accuracy)} of ${plural(row.targets, "target")} right\n${
          percent(row.same_tb)} in the same TB, ${percent(row.accuracy_in_tb)} of these right`,
      label: "share of targets",
      format: d3.format(".0%"),
      marked: true
    });
  });
  panel.note(`Full line: ${kShares.accuracy.words}; dashed: ${
      kShares.accuracy_in_tb.words}; dotted: ${kShares.same_tb.words}.`);
  panel.chart(186, (p) => drawOverDistance(p, byWorkload, {gap: {dash: []}}, 150, {
                     most: d3.max(rows, (row) => row.gap) || 1,
                     far,
                     hint: (row) => `${fixed(row.gap, 1)} cycles`,
                     label: "cycles from a warp's load to its target's",
                     below: "distance between the two warps, in warps"
                   }));
  const share = (name) => ({name, format: (v) => percent(v)});
  panel.table(
      [
        {name: "workload", left: true}, {name: "distance"}, {name: "targets"}, share("accuracy"),
        share("in the same TB"), share("accuracy there"),
        {name: "gap in cycles", format: (v) => fixed(v, 1)}
      ],
      rows.map(
          (row) =>
              [row.workload, row.distance, row.targets, row.accuracy, row.same_tb,
               row.accuracy_in_tb, row.gap]));
}

function loadIterations(panel, rows) {
  const repeating = rows.filter((row) => row.repeated > 0);
  const deepest = d3.max(rows, (row) => row.iterations[0] || 0);
  const most = rows.find((row) => row.iterations[0] === deepest);
  panel.answer(
      `${repeating.length} of ${plural(rows.length, "workload")} have loads that a warp ` +
      `repeats; of the load that is executed most, a warp executes at most ${cell(deepest)}, in ` +
      `${most.workload}.`);
  const names = ["the load executed most", "2nd", "3rd", "4th"];
  panel.add(legend(names.map((name, i) => [name, classColour(i)])));
  const bar = 6, tall = kLoadsDrawn * bar + 8, left = 170;
  panel.chart(rows.length * tall + 38, (p) => {
    const x = d3.scaleLinear([0, deepest || 1], [left, p.width - 50]);
    rows.forEach((row, i) => {
      const top = 4 + i * tall;
      p.text(left - 8, top + (tall - 8) / 2, row.workload, {anchor: "end", size: 11});
      row.iterations.slice(0, kLoadsDrawn).forEach((value, load) => {
        p.rect(left, top + load * bar, x(value) - left, bar - 1, classColour(load));
      });
      p.text(
          x(row.iterations[0] || 0) + 5, top + bar / 2, cell(row.iterations[0]),
          {size: 9, fill: p.theme.muted});
      p.hit(
          left, top, p.width - left, tall - 4,
          `${row.workload}: ${row.repeated} of ${plural(row.loads, "load")} repeated\n${
              row.iterations.map(cell).join(", ")}`);
      p.marks += 1;
    });
    axisBelow(p, x, 4 + rows.length * tall, {label: "executions of a load by a warp"});
  });
  panel.table(
      [
        {name: "workload", left: true}, {name: "loads"}, {name: "repeated"},
        {name: "executions by a warp, of each load", left: true, wrap: true}
      ],
      rows.map(
          (row) => [row.workload, row.loads, row.repeated, row.iterations.map(cell).join(" ")]));
}

// A point for each TB, in the order in which the SM's TBs came to the load; a line for a workload.
function tbBases(panel, rows) {
  const byWorkload = d3.nest().key((row) => row.workload).entries(rows);
  const different = (values, key) => new Set(values.map((row) => row[key]).filter(isNumber)).size;
  for (const {key, values} of byWorkload) {
    panel.answer(
        `${key}: ${plural(different(values, "stride"), "stride")} between the warps of a TB, ${
            plural(
                different(values, "from_previous"), "distance")} between the bases of TBs that ` +
        `followed one another on SM 0.`);
  }
  panel.add(legend(byWorkload.map(({key}, i) => [key, classColour(i)])));
  const most = d3.max(byWorkload, ({values}) => values.length);
  panel.chart(250, (p) => {
    const x = d3.scaleLinear([1, Math.max(2, most)], [90, p.width - 30]);
    const y = d3.scaleLinear(d3.extent(rows, (row) => row.base), [210, 22]).nice();
    axisLeft(p, y, 74, p.width - 20, {label: "base in bytes, from the first TB's"});
    byWorkload.forEach(({key, values}, i) => {
      p.line(values.map((row, at) => [x(at + 1), y(row.base)]), classColour(i), 2);
      values.forEach((row, at) => {
        p.circle(x(at + 1), y(row.base), 4, classColour(i));
        p.hit(
            x(at + 1) - 7, y(row.base) - 7, 14, 14,
            `${key}, TB ${row.tb} at (${row.coordinates.join(", ")}): base ${row.base}\n${
                plural(row.warps, "warp")}, stride ${cell(row.stride)}`);
        p.marks += 1;
      });
    });
    axisBelow(p, x, 214, {ticks: Math.min(most, 12), counts: true, label: "TB of SM 0, in order"});
  });
  panel.table(
      [
        {name: "workload", left: true}, {name: "TB"}, {name: "(x, y, z)"}, {name: "base in bytes"},
        {name: "from the TB before"}, {name: "warps"}, {name: "stride of its warps"}
      ],
      rows.map(
          (row) =>
              [row.workload, row.tb, row.coordinates.join(", "), row.base, row.from_previous,
               row.warps, row.stride]));
}

view({
  id: "study",
  schemas: ["flagstone.reproduce/1"],
  question: "What did the study of loads find?",
  build(panel, result) {
    const rows = list(result.rows);
    if (rows.length === 0) return void (panel.skip = true);
    const kinds = [
      ["iterations", loadIterations], ["distance", warpDistances], ["degree", coalescingStudy],
      ["arrays", ladmStudy], ["base", tbBases], ["reads", sharingStudy]
    ];
    kinds.find(([key]) => key in rows[0])[1](panel, rows, result.summary);
  },
});
