// What changed between two results, and what its cycles are explained by.
function chosenPair(panel, result) {
  const shared = panel.tab.shared;
  if (shared.pair === undefined) {
    const moved =
        list(result.pairs).map((pair) => Math.abs(Math.log1p(at(pair, "cycles.change") || 0)));
    shared.pair = Math.max(0, moved.indexOf(d3.max(moved)));
  }
  return list(result.pairs)[shared.pair];
}
// A change, as a share; from ten times on, as a factor.
const signed = (value) =>
    (!isNumber(value) ? "-" :
         value >= 9   ? `${short(1 + value)}×` :
                        signedPercent(value));

view({
  id: "diff_head",
  schemas: ["flagstone.diff/1"],
  question: "What changed?",
  build(panel, result) {
    const pairs = list(result.pairs);
    const same = pairs.filter((pair) => list(pair.differences).length === 0).length;
    const timed = pairs.filter((pair) => isNumber(at(pair, "cycles.change")));
    const asked = list(pairs[0] && pairs[0].asked)
                      .filter((row) => !["command", "version", "config_hash"].includes(row.name));
    const configured =
        pairs.some((pair) => list(pair.asked).some((row) => row.name === "config_hash"));
    panel.answer(
        (asked.length > 0 ?
             `Asked for differently: ${
                 words(asked.map((row) => `${row.name} ${cell(row.a)} → ${cell(row.b)}`))}. ` :
             configured ? "The machines are set differently. " :
                          "The same was asked for. ") +
        (same === pairs.length ?
             "No figure differs." :
             timed.length === 1 ?
             `Cycles: ${whole(timed[0].cycles.a)} → ${whole(timed[0].cycles.b)} (${
                 signed(timed[0].cycles.change)}).` :
             timed.length > 1 ?
             `Cycles of ${plural(timed.length, "pair")}: ${
                 signed(
                     geometricMean(timed.map((pair) => 1 + pair.cycles.change)) -
                     1)} in the geometric mean; ${same} of ${pairs.length} pairs are the same.` :
             ""));
    if (timed.length > 1) {
      const options = {left: 300, top: 2, right: 60, barHeight: 14, gap: 4};
      panel.chart(lyingHeight(timed.length, options) + 38, (p) => {
        const most = Math.max(1.05, d3.max(timed, (pair) => 1 + pair.cycles.change));
        const x = lyingBars(
            p, timed.map((pair) => ({
                           label: pair.a,
                           pair,
                           parts: [{
                             value: 1 + pair.cycles.change,
                             colour: pair.cycles.change <= 0 ? kClasses[0] : kClasses[5],
                             text: `${whole(pair.cycles.a)} → ${whole(pair.cycles.b)}`
                           }]
                         })),
            {...options, most, mark: 1, total: ({pair}) => signed(pair.cycles.change)});
        p.line([[x(1), 0], [x(1), lyingHeight(timed.length, options)]], p.theme.muted, 1, [3, 3]);
        axisBelow(p, x, lyingHeight(timed.length, options), {label: "cycles of B, relative to A"});
      });
    }
    panel.add(facts([
      ["A", result.a, true], ["B", result.b, true],
      ...list(pairs[0] && pairs[0].asked)
          .map((row) => [row.name, `${cell(row.a)} → ${cell(row.b)}`, true])
    ]));
    for (const [side, names] of [["A", list(result.only_a)], ["B", list(result.only_b)]])
      if (names.length > 0) panel.note(`Only in ${side}: ${names.join("; ")}`);
    panel.table(
        [
          {name: "A", left: true}, {name: "B", left: true}, {name: "cycles A"}, {name: "cycles B"},
          {name: "change", format: signed}, {name: "figures that differ"}
        ],
        pairs.map(
            (pair) =>
                [pair.a, pair.b, at(pair, "cycles.a"), at(pair, "cycles.b"),
                 at(pair, "cycles.change"), list(pair.differences).length]));
  },
});

view({
  id: "explained",
  schemas: ["flagstone.diff/1"],
  question: "What explains the cycles?",
  build(panel, result) {
    const pair = chosenPair(panel, result);
    const rows = list(pair && pair.explained_by);
    if (rows.length === 0)
      return panel.missing(
          "Issue slots of both results explain cycles: they need timed runs whose cycles differ.");
    const first = rows.find((row) => isNumber(row.share));
    const name = (row) => row.name.replace("sm.issue.", "").replace("_", " ");
    panel.answer(
        (result.pairs.length > 1 ? `Of ${pair.a}: ` : "") +
        (first ? `${percent(first.share)} of the change of scheduler cycles is '${name(first)}'` +
                 (first.reasons.length > 0 ?
                      `, with ${
                          words(first.reasons.slice(0, 4).map(
                              (reason) => `${reason.name} ${signed(reason.change)}`))}.` :
                      ".") :
                 "Scheduler cycles did not change in sum, only in kind."));
    const left = 90;
    panel.chart(rows.length * 26 + 40, (p) => {
      const deltas = rows.map((row) => row.b - row.a), most = d3.max(deltas, Math.abs) || 1;
      const x = d3.scaleLinear([-most, most], [left + 10, p.width - 120]);
      rows.forEach((row, i) => {
        const y = 4 + i * 26, delta = deltas[i];
        p.text(left, y + 10, name(row), {anchor: "end"});
        p.rect(
            Math.min(x(0), x(delta)), y, Math.max(1, Math.abs(x(delta) - x(0))), 20,
            kSlotColours[row.name.replace("sm.issue.", "")] || kClasses[7]);
        p.text(
            Math.max(x(0), x(delta)) + 6, y + 10,
            `${delta > 0 ? "+" : ""}${short(delta)}${
                isNumber(row.share) ? ` (${percent(row.share, 0)})` : ""}`,
            {size: 11, fill: p.theme.muted});
        p.hit(
            left, y, p.width - left, 20,
            `${row.name}: ${whole(row.a)} → ${whole(row.b)}\n${
                row.reasons.map((reason) => `${reason.name} ${signed(reason.change)}`)
                    .join("\n")}`);
        p.marks += 1;
      });
      p.line([[x(0), 0], [x(0), rows.length * 26]], p.theme.ink);
      axisBelow(
          p, x, rows.length * 26 + 2,
          {label: "more or fewer scheduler cycles; in brackets: of the change of all"});
    });
    panel.table(
        [
          {name: "scheduler cycles", left: true}, {name: "A"}, {name: "B"},
          {name: "of the change", format: (v) => percent(v)},
          {name: "figures that moved with it", left: true, wrap: true}
        ],
        rows.map(
            (row) =>
                [row.name, row.a, row.b, row.share,
                 row.reasons.map((reason) => `${reason.name} ${signed(reason.change)}`)
                     .join(", ")]));
  },
});

view({
  id: "moved",
  long: true,
  schemas: ["flagstone.diff/1"],
  question: "Which figures moved most?",
  build(panel, result) {
    const pair = chosenPair(panel, result);
    const rows = list(pair && pair.differences);
    if (rows.length === 0) return void (panel.skip = true);
    const known = rows.filter((row) => isNumber(row.change) && row.change > -1).slice(0, 24);
    panel.answer(`${plural(rows.length, "figure")} differ${rows.length === 1 ? "s" : ""}${
        result.pairs.length > 1 ? ` in ${pair.a}` : ""}; ${
        known.length === 0 ?
            "each is 0 or unknown in one of the two" :
            `most ${
                words(known.slice(0, 3).map((row) => `${row.name} (${signed(row.change)})`))}`}.`);
    const left = 230;
    if (known.length > 0)
      panel.chart(known.length * 19 + 40, (p) => {
        const log = (row) => Math.log2(1 + row.change),
              most = Math.max(1, d3.max(known, (row) => Math.abs(log(row))));
        const x = d3.scaleLinear([-most, most], [left + 60, p.width - 70]);
        known.forEach((row, i) => {
          const y = 2 + i * 19, value = log(row);
          p.text(left - 6, y + 8, row.name, {anchor: "end", size: 11, room: left - 8});
          p.rect(
              Math.min(x(0), x(value)), y, Math.max(1, Math.abs(x(value) - x(0))), 15,
              value < 0 ? kClasses[0] : kClasses[1]);
          p.text(
              value < 0 ? x(value) - 5 : x(value) + 5, y + 8, signed(row.change),
              {size: 10, fill: p.theme.muted, anchor: value < 0 ? "end" : "start"});
          p.hit(left, y, p.width - left, 16, `${row.name}: ${cell(row.a)} → ${cell(row.b)}`);
          p.marks += 1;
        });
        p.line([[x(0), 0], [x(0), known.length * 19]], p.theme.ink);
        axisBelow(p, x, known.length * 19 + 2, {
          label: "B, relative to A",
          format: (v) =>
              (v === 0   ? "1" :
                   v > 0 ? `${short(2 ** v)}×` :
                           `1/${short(2 ** -v)}`)
        });
      });
    panel.table(
        [{name: "figure", left: true}, {name: "A"}, {name: "B"}, {name: "change", format: signed}],
        rows.map((row) => [row.name, row.a, row.b, row.change]), {filter: true});
  },
});
