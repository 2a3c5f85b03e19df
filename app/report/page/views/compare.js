// Policies by workloads: which wins where?

// Whether some case ran under more than one variant.
const hasSeveral = (set) =>
    set.cases.some((label) => set.variants.filter((variant) => set.of(label, variant)).length > 1);

view({
  id: "compare",
  schemas: ["flagstone.compare/1", "flagstone.reproduce/1"],
  question: "Which policy wins where?",
  build(panel, result) {
    const set = compared(result.runs);
    if (!hasSeveral(set)) return void (panel.skip = true);
    const others = set.variants.filter((variant) => variant !== set.baseline);
    const means = others.map(
        (variant) =>
            [variant,
             geometricMean(set.cases.map((label) => relative(set, label, variant, "cycles")))]);
    const best = [...means].filter(([, mean]) => mean !== null).sort((a, b) => a[1] - b[1])[0];
    if (best) {
      const wins = set.cases.filter((label) => relative(set, label, best[0], "cycles") < 1).length;
      panel.answer(`${best[0]} takes ${change(1, best[1])} cycles than ${
                       set.baseline} in the geometric mean; it is quicker in ${wins} of ${
                       plural(set.cases.length, "case")}.`
                       .replace("as many cycles than", "as many cycles as"));
    } else {
      panel.answer(`${plural(set.runs.length, "run")} of ${plural(set.cases.length, "case")}.`);
    }
    const wrong =
        set.runs.filter((run) => list(run.checks).some((check) => check.passed === false));
    if (wrong.length > 0)
      panel.add(element(
          "p", {class: "bad"},
          `Wrong results in ${words(wrong.map((run) => `${run.workload} under ${run.policy}`))}.`));
    panel.add(factsOfRuns(result, set.runs));
    let metric = kCompared[0];
    panel.controls(panel.choice("Show", kCompared.map(({key, name}) => [key, name]), (key) => {
      metric = kCompared.find((row) => row.key === key);
      chart.redraw();
    }));
    const rowHeight = 24,
          left = Math.max(124, Math.min(260, 40 + 7 * d3.max(set.cases, (label) => label.length)));
    // Names of variants lie in their columns, or lean where a column is narrower.
    const longest = Math.min(160, 7 * d3.max(set.variants, (variant) => variant.length) + 8);
    const columnOf = (all) => Math.min(110, (all - left - 8) / set.variants.length);
    const leans = (all) => longest > columnOf(all);
    const topOf = (all) => (leans(all) ? 14 + longest * Math.sin((35 * Math.PI) / 180) : 28);
    const rows = () => [...set.cases, ...(set.cases.length > 1 ? ["geometric mean"] : [])];
    const chart = panel.chart((all) => topOf(all) + rowHeight * rows().length + 8, (p) => {
      const width = columnOf(p.width), top = topOf(p.width), lean = leans(p.width);
      set.variants.forEach(
          (variant, v) => p.text(left + (v + 0.5) * width, top - (lean ? 6 : 10), variant, {
            anchor: lean ? "start" : "middle",
            weight: variant === set.baseline ? "600" : "normal",
            turn: lean ? -35 : 0,
            size: lean ? 11 : 12,
            room: lean ? Math.min(longest, (p.width - left - (v + 0.5) * width) / 0.82) : width
          }));
      rows().forEach((label, c) => {
        const y = top + c * rowHeight + (c === set.cases.length ? 4 : 0);
        p.text(
            left - 8, y + rowHeight / 2, label,
            {anchor: "end", weight: c === set.cases.length ? "600" : "normal", room: left - 10});
        set.variants.forEach((variant, v) => {
          const ratio = c < set.cases.length ?
              relative(set, label, variant, metric.key) :
              geometricMean(set.cases.map((each) => relative(set, each, variant, metric.key)));
          const run = set.of(label, variant);
          if (c < set.cases.length && run) p.marks += 1;
          const fill = ratio === null ? p.theme.none : ratioColour(ratio, metric.less);
          p.rect(left + v * width + 1, y + 1, width - 2, rowHeight - 2, fill);
          p.text(
              left + (v + 0.5) * width, y + rowHeight / 2, ratio === null ? "-" : ratio.toFixed(3),
              {anchor: "middle", size: width > 44 ? 12 : 9, fill: inkOn(fill)});
          if (run)
            p.hit(
                left + v * width, y, width, rowHeight,
                `${label}, ${variant}\n${metric.name}: ${
                    (metric.format || cell)(at(run.totals, metric.key))}` +
                    (ratio === null ? "" : `, ${ratio.toFixed(3)} of ${set.baseline}'s`));
        });
      });
    });
    panel.note(`Relative to ${
        set.baseline}. Blue: better, orange: worse, full colour at half and at twice.`);
    panel.table(
        [
          {name: "case", left: true}, {name: "variant", left: true},
          ...kCompared.flatMap(
              ({
                name,
                format
              }) => [{name, format}, {name: `relative ${name}`, format: (v) => fixed(v, 3)}]),
          {name: "checks", left: true}
        ],
        set.cases.flatMap(
            (label) => set.variants.filter((variant) => set.of(label, variant)).map((variant) => {
              const run = set.of(label, variant);
              return [
                label, variant,
                ...kCompared.flatMap(
                    ({key}) => [at(run.totals, key), relative(set, label, variant, key)]),
                verdictOfChecks(run)[1]
              ];
            })),
        {filter: true});
  },
});

// "0.93 ±0.02" of a run under several settings, rounded to the deviation's first digit, or "0.934".
function ratioWithDeviation(set, label, variant) {
  const ratio = at(set.of(label, variant), "compared.cycles_ratio");
  if (!ratio || !(ratio.deviation > 0)) return relative(set, label, variant, "cycles").toFixed(3);
  return withDeviation(ratio.mean, ratio.deviation);
}

view({
  id: "compare_bars",
  schemas: ["flagstone.compare/1"],
  question: "By how much?",
  build(panel, result) {
    const set = compared(result.runs);
    const pairs = set.cases.flatMap(
        (label) => set.variants.filter((variant) => set.of(label, variant))
                       .map((variant) => [label, variant]));
    if (set.variants.length < 2 || pairs.length > 240) return void (panel.skip = true);
    const values = pairs.map(([label, variant]) => at(set.of(label, variant).totals, "cycles"));
    if (!values.some(isNumber)) return void (panel.skip = true);
    const ratios =
        pairs.filter(([, variant]) => variant !== set.baseline)
            .map(([label, variant]) => [label, variant, relative(set, label, variant, "cycles")])
            .filter(([, , ratio]) => ratio !== null);
    const extreme = [...ratios].sort((a, b) => a[2] - b[2]);
    if (extreme.length > 0) {
      const say = ([label, variant, ratio]) =>
          `${variant} with ${label} (${ratio.toFixed(3)} of the cycles)`;
      panel.answer(
          extreme.length === 1 ?
              `${say(extreme[0])}.` :
              `Best is ${say(extreme[0])}, worst ${say(extreme[extreme.length - 1])}.`);
    }
    if (!hasSeveral(set)) panel.add(factsOfRuns(result, set.runs));
    panel.add(legend(set.variants.map((variant, v) => [variant, classColour(v)])));
    const left = Math.max(124, Math.min(260, 40 + 7 * d3.max(set.cases, (label) => label.length))),
          bar = pairs.length > 60 ? 9 : 14;
    const groupHeight = (label) =>
        set.variants.filter((variant) => set.of(label, variant)).length * (bar + 2) + 10;
    panel.chart(d3.sum(set.cases, groupHeight) + 34, (p) => {
      const most = Math.max(
          1.05, d3.max(pairs, ([label, variant]) => relative(set, label, variant, "cycles") || 0));
      const x = d3.scaleLinear([0, most], [left, p.width - 90]);
      let y = 2;
      for (const label of set.cases) {
        const variants = set.variants.filter((variant) => set.of(label, variant));
        p.text(
            left - 8, y + (variants.length * (bar + 2)) / 2, label,
            {anchor: "end", room: left - 10});
        for (const variant of variants) {
          const ratio = relative(set, label, variant, "cycles");
          p.marks += 1;
          if (ratio !== null) {
            p.rect(left, y, x(ratio) - left, bar, classColour(set.variants.indexOf(variant)));
            if (bar > 10)
              p.text(
                  behindBar(x(ratio), x(1), 80), y + bar / 2,
                  `${ratioWithDeviation(set, label, variant)} (${
                      short(at(set.of(label, variant).totals, "cycles"))})`,
                  {size: 10, fill: p.theme.muted});
            p.hit(
                left, y, x(ratio) - left, bar,
                `${label}, ${variant}: ${
                    whole(at(set.of(label, variant).totals, "cycles"))} cycles`);
          }
          y += bar + 2;
        }
        y += 10;
      }
      p.line([[x(1), 0], [x(1), y]], p.theme.muted, 1, [3, 3]);
      axisBelow(
          p, x, y, {label: `cycles relative to ${set.baseline}`, format: (v) => v.toFixed(1)});
    });
    const alone =
        set.cases.filter((label) => !isNumber(relative(set, label, set.baseline, "cycles")));
    if (alone.length > 0)
      panel.note(`Without a bar, as no run of ${set.baseline} stands beside: ${
          words(alone.slice(0, 8))}${alone.length > 8 ? " and others" : ""}.`);
    panel.table(
        [
          {name: "case", left: true}, {name: "variant", left: true}, {name: "cycles"},
          {name: "relative", format: (v) => fixed(v, 3)},
          {name: "deviation", format: (v) => (isNumber(v) ? v.toPrecision(1) : "-")}
        ],
        pairs.map(
            ([label, variant], i) =>
                [label, variant, values[i], relative(set, label, variant, "cycles"),
                 at(set.of(label, variant), "compared.cycles_ratio.deviation")]));
  },
});

view({
  id: "prefetchers",
  half: true,
  schemas: ["flagstone.compare/1", "flagstone.reproduce/1"],
  question: "Do prefetchers cover much, and waste little?",
  build(panel, result) {
    const runs = list(result.runs)
                     .filter(
                         (run) => run && isNumber(at(run, "totals.prefetch.coverage")) &&
                             at(run, "totals.prefetch.issued") > 0);
    if (runs.length === 0) return void (panel.skip = true);
    const names = [...new Set(runs.map((run) => run.prefetcher))];
    panel.answer(
        words(names.map((name) => {
          const of = runs.filter((run) => run.prefetcher === name);
          return `${name} covers ${
              percent(d3.mean(of, (run) => run.totals.prefetch.coverage))} and uses ${
              percent(d3.mean(of, (run) => run.totals.prefetch.accuracy))} of its prefetches`;
        })) +
        ", in the mean.");
    panel.add(legend(names.map((name, i) => [name, classColour(i)])));
    panel.chart(300, (p) => {
      const x = d3.scaleLinear(
                [0, Math.max(1, d3.max(runs, (run) => run.totals.prefetch.coverage))],
                [50, p.width - 20]),
            y = d3.scaleLinear([0, 1], [260, 20]);
      axisLeft(
          p, y, 50, p.width - 20,
          {label: "accuracy: used, of those issued", format: (v) => percent(v, 0)});
      axisBelow(
          p, x, 260,
          {label: "coverage: issued, of the demand fetches", format: (v) => percent(v, 0)});
      for (const run of runs) {
        const {coverage, accuracy} = run.totals.prefetch;
        p.marks += 1;
        if (!isNumber(accuracy)) continue;
        p.circle(x(coverage), y(accuracy), 5, classColour(names.indexOf(run.prefetcher)));
        p.hit(
            x(coverage) - 6, y(accuracy) - 6, 12, 12,
            `${run.workload}, ${run.prefetcher}\ncoverage ${percent(coverage)}, accuracy ${
                percent(accuracy)}`);
      }
      const known = runs.filter((run) => isNumber(run.totals.prefetch.accuracy));
      const without = labelPoints(p, known.map((run) => ({
                                                 x: x(run.totals.prefetch.coverage),
                                                 y: y(run.totals.prefetch.accuracy),
                                                 name: run.workload
                                               })));
      note.textContent = without === 0 ?
          "" :
          `${
              plural(
                  without, "point")} without a name, where names would overlap: the table has all.`;
    });
    const note = panel.note("");
    panel.table(
        [
          {name: "workload", left: true}, {name: "prefetcher", left: true},
          {name: "coverage", format: (v) => percent(v)},
          {name: "accuracy", format: (v) => percent(v)}, {name: "issued"}
        ],
        runs.map(
            (run) =>
                [run.workload, run.prefetcher, run.totals.prefetch.coverage,
                 run.totals.prefetch.accuracy, run.totals.prefetch.issued]));
  },
});
