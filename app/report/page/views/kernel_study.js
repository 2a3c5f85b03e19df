// Studies whose rows are kernels, beside what is published of them: static coalescing, LADM's
// localities and schedulers, and which data TBs share.
const verdict = (row) => (row.agrees ? "agrees" : row.explained || (row.theirs ? "differs" : ""));

// A point for each kernel, the paper's in a colour of their own; what lies beyond the scale is at
// its end.
function scatter(panel, rows, x, y, {diagonal = false, marked = false} = {}) {
  panel.chart(250, (p) => {
    const across = d3.scaleLinear([0, x.most], [60, p.width - 30]);
    const up = d3.scaleLinear([0, y.most], [206, 22]);
    axisLeft(p, up, 44, p.width - 20, {label: y.label, format: y.format});
    axisBelow(p, across, 210, {label: x.label, format: x.format});
    const end = Math.min(x.most, y.most);
    if (diagonal) p.line([[across(0), up(0)], [across(end), up(end)]], p.theme.muted, 1, [3, 3]);
    for (const row of [...rows].reverse()) {  // the paper's, which come first, on top
      if (marked) p.marks += 1;
      if (!isNumber(row[x.key]) || !isNumber(row[y.key])) continue;
      const left = across(Math.min(row[x.key], x.most)), top = up(Math.min(row[y.key], y.most));
      p.circle(left, top, 4, classColour(row.theirs ? 0 : 1));
      p.hit(
          left - 6, top - 6, 12, 12,
          `${row.label}\n${x.label}: ${x.format(row[x.key])}\n${y.label}: ${y.format(row[y.key])}`);
    }
  });
}

function coalescingStudy(panel, rows, summary) {
  for (const set of list(summary && summary.sets)) {
    const correlated = isNumber(set.degree_and_hits) ?
        `Pearson's r of degree and L1 hits is ${fixed(set.degree_and_hits)} (${
            fixed(
                set.degree_and_hits_with_stores)} with stores as hits), of expected and executed ` +
            `sectors ${fixed(set.expectation_and_sectors)}; ` :
        "too few for a correlation; ";
    panel.answer(
        `${set.set === "all" ? "All" : "The paper's"} ${plural(set.kernels, "kernel")}: ` +
        `${correlated}${set.high_hits} of ${set.high_degree} ` +
        `above a degree of 70 % hit in more than 60 % (${
            set.high_hits_with_stores} with stores as hits).`);
  }
  panel.add(legend([["kernels of the paper", classColour(0)], ["others", classColour(1)]]));
  const share = {most: 1, format: d3.format(".0%")};
  scatter(
      panel, rows, {...share, key: "degree", label: "degree of coalescing"},
      {...share, key: "hit_rate", label: "L1 hits of loads"}, {marked: true});
  const sectors = {most: 34, format: d3.format(".3~g")};
  scatter(
      panel, rows, {...sectors, key: "sector_expectation", label: "expected sectors of a request"},
      {...sectors, key: "sectors_per_request", label: "executed"}, {diagonal: true});
  const asShare = (name) => ({name, format: (v) => percent(v, 2)});
  const asNumber = (name) => ({name, format: (v) => fixed(v)});
  panel.table(
      [
        {name: "kernel", left: true}, {name: "workload", left: true}, asShare("degree"),
        asShare("theirs"), {name: "sectors in range"}, {name: "theirs"}, asNumber("expected"),
        asNumber("theirs"), asNumber("executed"), asNumber("theirs"), asShare("L1 hits"),
        asShare("with stores"), {name: "", left: true, wrap: true}
      ],
      rows.map((row) => {
        const theirs = row.theirs || {};
        return [
          row.label, row.workload, row.degree, theirs.degree, row.sectors_in_range,
          theirs.sectors_in_range, row.sector_expectation, theirs.sector_expectation,
          row.sectors_per_request, theirs.sectors_per_request, row.hit_rate,
          row.hit_rate_with_stores, verdict(row)
        ];
      }));
}

function ladmStudy(panel, rows, summary) {
  panel.answer(
      `Of ${plural(summary.kernels, "kernel")}, ${
          summary.localities} have the published locality ` +
      `and ${summary.schedulers} the published scheduler, ${summary.both} both.`);
  const tall = 18;
  panel.add(legend([["agrees", classColour(0)], ["differs", classColour(1)]]));
  panel.chart(rows.length * tall + 8, (p) => {
    rows.forEach((row, i) => {
      const middle = 4 + (i + 0.5) * tall;
      const ours = `${cell(row.locality)}, ${cell(row.scheduler)}`;
      const theirs = `${row.theirs.locality}, ${row.theirs.scheduler}`;
      p.text(110, middle, row.label, {anchor: "end", size: 11});
      p.circle(124, middle, 5, classColour(row.agrees ? 0 : 1));
      p.text(138, middle, row.agrees ? ours : `${ours}; theirs ${theirs}`, {size: 11});
      p.hit(0, middle - tall / 2, p.width, tall, `${row.label}: ${verdict(row)}`);
      p.marks += 1;
    });
  });
  const left = (name) => ({name, left: true});
  panel.table(
      [
        left("workload"), left("kernel"), {...left("types of its arrays"), wrap: true},
        left("decided by"), left("locality"), left("theirs"), left("scheduler"), left("theirs"),
        {...left(""), wrap: true}
      ],
      rows.map(
          (row) =>
              [row.label, row.kernel, row.arrays.map((a) => `${a.name}: ${a.type}`).join(", "),
               row.decided_by, row.locality, row.theirs.locality, row.scheduler,
               row.theirs.scheduler, verdict(row)]));
}

// Who reads the data that a kernel reads, as shares of its reads: a bar for each kernel.
function sharingStudy(panel, rows, summary) {
  const kernels = at(summary, "kernels"), agree = at(summary, "agree");
  const explained = rows.filter((row) => !row.agrees && row.explained).length;
  panel.answer(`${whole(agree)} of ${plural(kernels, "kernel")} share as published${
      explained > 0 ? `, ${whole(explained)} differ for a reason that is stated` :
                      ""}; in the mean, ${
      percent(at(summary, "mean_shared"))} of reads are of data that several TBs read.`);
  panel.add(legend(kSharing.map(([, words], i) => [words, classColour(i)])));
  const options = {left: 120, top: 4, right: 120, barHeight: 16, gap: 5};
  const bars = rows.map(
      (row) => ({
        label: row.label,
        row,
        parts: kSharing.map(([key, words], i) => ({
                              value: at(row, `reads.${key}`),
                              colour: classColour(i),
                              inside: percent(at(row, `reads.${key}`), 0),
                              text: `${row.label}: ${percent(at(row, `reads.${key}`))} of reads ` +
                                  `are of data of ${words}`
                            }))
      }));
  panel.chart(lyingHeight(rows.length, options) + 38, (p) => {
    const total = ({row}) => (row.agrees ? "agrees" : row.explained ? "explained" : "differs");
    const x = lyingBars(p, bars, {...options, most: 1, total});
    axisBelow(
        p, x, lyingHeight(rows.length, options),
        {label: "of the reads of a kernel", format: (v) => percent(v, 0)});
  });
  const left = (name) => ({name, left: true});
  const score = (name) => ({name, format: (v) => fixed(v, 6)});
  panel.table(
      [
        left("kernel"), left("workload"), {name: "TBs"}, {name: "theirs"}, {name: "references"},
        {name: "theirs"}, score("SpScore"), score("theirs"), {name: "TBs that share"},
        {name: "theirs"}, left("between TBs"), left("theirs"), {...left(""), wrap: true}
      ],
      rows.map((row) => {
        const theirs = row.theirs || {};
        return [
          row.label, row.workload, row.tbs, theirs.tbs, row.references, theirs.references,
          row.sp_score, theirs.sp_score, row.shared_tbs, theirs.shared_tbs, row.inter_tb,
          theirs.inter_tb, verdict(row)
        ];
      }));
}
