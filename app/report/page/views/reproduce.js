// An experiment beside what was published.
view({
  id: "figures",
  schemas: ["flagstone.reproduce/1"],
  question: "Did it reproduce?",
  build(panel, result) {
    const figures = list(result.figures);
    panel.add(facts([
      ["experiment", result.experiment, true], ["theirs", result.source, true],
      ["version", result.version], ["command", result.command, true]
    ]));
    if (figures.length === 0) {
      panel.answer("It has no single figures to judge: what it found is below.");
      return;
    }
    const judged = figures.filter((row) => isNumber(row.theirs) && isNumber(row.tolerance));
    const agree = judged.filter((row) => row.agrees).length,
          explained = judged.filter((row) => !row.agrees && row.explained).length;
    const differ = (count, why) =>
        (count > 0 ? `, ${count} differ${count === 1 ? "s" : ""}${why}` : "");
    panel.answer(
        `${agree} of ${plural(judged.length, "figure")} agree within their tolerance` +
        differ(explained, " for a reason that is stated") +
        `${differ(judged.length - agree - explained, "")}.`);
    const rows =
        figures.filter((row) => isNumber(row.ours) && isNumber(row.theirs) && row.theirs !== 0);
    panel.add(legend([
      ["ours, agrees", kClasses[2]], ["ours, explained", kClasses[1]],
      ["ours, differs", kClasses[5]], ["not judged", kClasses[7]]
    ]));
    const left = 290, height = 18;
    if (rows.length > 0)
      panel.chart(rows.length * height + 44, (p) => {
        const most = Math.min(
            3,
            Math.max(
                1.2,
                d3.max(rows, (row) => Math.max(row.ours / row.theirs, 1 + (row.tolerance || 0)))));
        const x = d3.scaleLinear([0, most], [left, p.width - 60]).clamp(true);
        rows.forEach((row, i) => {
          const y = 4 + i * height, ratio = row.ours / row.theirs;
          p.text(
              left - 8, y + height / 2, `${row.case}, ${row.metric}`,
              {anchor: "end", size: 11, room: left - 10});
          if (isNumber(row.tolerance))
            p.rect(
                x(1 - row.tolerance), y + 2, x(1 + row.tolerance) - x(1 - row.tolerance),
                height - 4, p.theme.none);
          p.rect(
              left, y + 5, x(ratio) - left, height - 10,
              !isNumber(row.tolerance) ? kClasses[7] :
                  row.agrees           ? kClasses[2] :
                  row.explained        ? kClasses[1] :
                                         kClasses[5]);
          p.text(
              behindBar(x(ratio), x(1), 44), y + height / 2,
              isNumber(row.difference) ? signedPercent(row.difference) : "", {size: 10});
          p.hit(
              left, y, p.width - left, height,
              `${row.case}, ${row.metric}\nours ${cell(row.ours)}, theirs ${cell(row.theirs)}${
                  row.explained ? `\n${row.explained}` : ""}`);
          p.marks += 1;
        });
        p.line([[x(1), 0], [x(1), 4 + rows.length * height]], p.theme.ink, 1);
        axisBelow(p, x, 6 + rows.length * height, {
          label: "ours, relative to theirs; grey band: the tolerance",
          format: (v) => v.toFixed(1)
        });
      });
    if (rows.length < figures.length)
      panel.note(`${figures.length - rows.length} of ${
          figures.length} figures are unknown or zero on one side: they are in the table only.`);
    panel.table(
        [
          {name: "case", left: true}, {name: "figure", left: true}, {name: "ours"},
          {name: "theirs"}, {name: "difference", format: (v) => percent(v)},
          {name: "tolerance", format: (v) => percent(v, 0)}, {name: "agrees"},
          {name: "explained", left: true, wrap: true}
        ],
        figures.map(
            (row) =>
                [row.case, row.metric, row.ours, row.theirs, row.difference, row.tolerance,
                 row.agrees, row.explained]),
        {filter: true});
  },
});

view({
  id: "means",
  schemas: ["flagstone.reproduce/1"],
  question: "How far apart are ours and theirs in the mean?",
  build(panel, result) {
    const means = list(result.means).filter((row) => row && row.mean_absolute_difference);
    if (means.length === 0) return void (panel.skip = true);
    const names = [...new Set(means.flatMap((row) => Object.keys(row.mean_absolute_difference)))];
    const all = means.find((row) => row.machine === "all") || means[0];
    panel.answer(
        `${words(names.map((name) => `${name} ${percent(all.mean_absolute_difference[name])}`))} (${
            all.machine}).`);
    panel.table(
        [
          {name: "figure", left: true},
          ...means.map((row) => ({name: row.machine, format: (v) => percent(v)}))
        ],
        names.map((name) => [name, ...means.map((row) => row.mean_absolute_difference[name])]),
        {open: true});
  },
});

// Bars of a table's values by variant, ours full and theirs hatched.
view({
  id: "tables",
  long: true,
  schemas: ["flagstone.reproduce/1"],
  question: "What is each workload's figure, and the means beside the paper's?",
  build(panel, result) {
    const tables = list(result.tables);
    if (tables.length === 0) return void (panel.skip = true);
    const rows = [];
    for (const table of tables) {
      const variants = [...new Set(list(table.rows).flatMap((row) => Object.keys(row.values)))];
      panel.add(element(
          "h3", {},
          `${table.title} (${table.machine}): ${table.metric}` +
              (table.baseline ? `, relative to ${table.baseline}` : "")));
      for (const mean of list(table.means)) {
        const known = variants.filter(
            (variant) => isNumber(at(mean.ours, variant)) && isNumber(at(mean.theirs, variant)));
        const means = Object.entries(mean.ours || {})
                          .filter(([, value]) => isNumber(value))
                          .sort((a, b) => b[1] - a[1]);
        if (known.length === 0 && means.length > 0)
          panel.answer(`${mean.set}: in the mean from ${means[means.length - 1][0]} ${
              fixed(means[means.length - 1][1], 3)} to ${means[0][0]} ${fixed(means[0][1], 3)}.`);
        if (known.length > 0)
          panel.answer(`${mean.set}: ${
              words(known.map(
                  (variant) => `${variant} ${fixed(mean.ours[variant], 3)}, theirs ${
                      fixed(mean.theirs[variant], 3)}`))}.`);
      }
      const groups = [
        ...list(table.rows)
            .map(
                (row) =>
                    ({label: row.workload, values: row.values, deviations: row.deviations || {}})),
        ...list(table.means)
            .map((mean) => ({
                   label: `mean, ${mean.set}`,
                   values: mean.ours || {},
                   deviations: mean.deviations || {},
                   is_mean: true,
                   theirs: Object.values(mean.theirs || {}).some(isNumber) ? mean.theirs : null
                 }))
      ];
      panel.add(legend([
        ...variants.map((variant, v) => [variant, classColour(v)]),
        ...(groups.some((group) => group.theirs) ? [[
          "hatched: theirs", "repeating-linear-gradient(45deg, #888 0 3px, #fff 3px 6px)"
        ]] :
                                                   [])
      ]));
      const bar = groups.length * variants.length > 80 ? 8 : 12, left = 150;
      // A bar for each value, and one for each of theirs that is known.
      const theirsOf = (group, variant) =>
          (group.theirs && isNumber(group.theirs[variant]) ? group.theirs[variant] : undefined);
      const tall = (group) => d3.sum(
                                  variants,
                                  (variant) => (group.values[variant] === undefined ? 0 : 1) +
                                      (theirsOf(group, variant) === undefined ? 0 : 1)) *
              (bar + 1) +
          8;
      panel.chart(d3.sum(groups, tall) + 34, (p) => {
        const most = d3.max(groups, (group) => d3.max([
          ...Object.values(group.values), ...Object.values(group.theirs || {})
        ].filter(isNumber))) ||
            1;
        const x = d3.scaleLinear([0, most], [left, p.width - 50]);
        let y = 2;
        for (const group of groups) {
          p.text(
              left - 8, y + (tall(group) - 8) / 2, group.label,
              {anchor: "end", size: 11, weight: group.is_mean ? "600" : "normal"});
          variants.forEach((variant, v) => {
            for (const [side, value] of [
                     ["ours", group.values[variant]], ["theirs", theirsOf(group, variant)]]) {
              if (value === undefined) continue;
              p.marks += 1;
              if (isNumber(value)) {
                p.rect(left, y, x(value) - left, bar, classColour(v));
                if (side === "theirs") hatch(p, left, y, x(value) - left, bar);
                const deviation = side === "ours" ? group.deviations[variant] : null;
                p.text(
                    x(value) + 4, y + bar / 2,
                    deviation > 0 ? withDeviation(value, deviation) : value.toFixed(3),
                    {size: 9, fill: p.theme.muted});
                p.hit(
                    left, y, x(value) - left, bar,
                    `${group.label}, ${variant}, ${side}: ${fixed(value, 4)}`);
              }
              y += bar + 1;
            }
          });
          y += 8;
        }
        axisBelow(p, x, y, {label: table.metric});
      });
      for (const group of groups)
        for (const variant of variants)
          rows.push([
            table.title, table.machine, group.label, variant, group.values[variant],
            group.theirs ? group.theirs[variant] : null
          ]);
    }
    panel.table(
        [
          {name: "table", left: true}, {name: "machine", left: true},
          {name: "workload", left: true}, {name: "variant", left: true}, {name: "ours"},
          {name: "theirs"}
        ],
        rows, {filter: true});
  },
});
