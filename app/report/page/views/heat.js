// SMs by time: when does locality pay?
const kHeat = {
  misses: {name: "L1 miss rate", part: "l1_misses", whole: "l1_accesses", unit: percent},
  issue: {name: "instructions per cycle", part: "warp_instructions", whole: null, unit: fixed},
  tbs: {name: "TBs at once", unit: (v) => fixed(v, 1)},
  latency: {name: "cycles of a load", part: "load_cycles", whole: "loads", unit: whole},
};

// Values by SM and bucket, the one that 2 % are above, where the scale ends, and whether none is.
const heatOf = new WeakMap();
function heatOfKind(run, sms, kind) {
  if (!heatOf.has(sms)) heatOf.set(sms, new Map());
  const known = heatOf.get(sms);
  if (!known.has(kind)) {
    const values = kind === kHeat.tbs ? tbsAtOnce(run, sms) : heatValues(sms, kind);
    const sorted = Float64Array.from(values.flat().filter(Number.isFinite)).sort();
    const above = sorted[sorted.length - 1];
    const most = d3.quantile(sorted, 0.98) || above || 1;
    known.set(kind, {values, most, ends: !(above > most)});
  }
  return known.get(kind);
}

// TBs on each SM, by the time that they spend in a bucket.
function tbsAtOnce(run, sms) {
  const placed = placements(run), buckets = sms.l1_misses[0].length;
  const values = sms.l1_misses.map(() => new Array(buckets).fill(0));
  for (let i = 0; placed && i < placed.count; ++i) {
    const last = Math.min(buckets - 1, Math.floor(placed.to[i] / sms.cycles));
    for (let bucket = Math.floor(placed.from[i] / sms.cycles); bucket <= last; ++bucket) {
      const time = Math.min(placed.to[i], (bucket + 1) * sms.cycles) -
          Math.max(placed.from[i], bucket * sms.cycles);
      if (values[placed.sm[i]]) values[placed.sm[i]][bucket] += time / sms.cycles;
    }
  }
  return values;
}

function heatValues(sms, {part, whole: base}) {
  return list(sms[part]).map((row, sm) => row.map((count, i) => {
    const all = base ? sms[base][sm][i] : sms.cycles;
    return all > 0 ? count / all : NaN;
  }));
}

view({
  id: "heat",
  schemas: ["flagstone.run/1"],
  question: "When, and on which SM, does locality pay?",
  build(panel, run) {
    const sms = at(run, "counters.sms");
    if (!sms || list(sms.l1_misses).length === 0 || sms.l1_misses[0].length === 0)
      return panel.missing(detailComesBy(run));
    const buckets = sms.l1_misses[0].length, count = sms.l1_misses.length;
    const window = windowOf(panel, buckets * sms.cycles);
    let key = "misses";
    const rate = (from, to) => d3.sum(sms.l1_misses, (row) => d3.sum(row.slice(from, to))) /
        d3.sum(sms.l1_accesses, (row) => d3.sum(row.slice(from, to)));
    const third = Math.max(1, Math.floor(buckets / 3));
    const bySm = sms.l1_misses.map((row, sm) => d3.sum(row) / d3.sum(sms.l1_accesses[sm]));
    const first = rate(0, third), last = rate(buckets - third, buckets);
    const accessing = bySm.filter(isNumber);
    panel.answer(
        accessing.length === 0 ?
            "No SM has read by its L1." :
            (buckets < 3 || !isNumber(first) || !isNumber(last) ?
                 `${percent(rate(0, buckets))} of L1 accesses missed` :
                 `${percent(first)} of L1 accesses missed in the first third of the time, ${
                     percent(last)} in the last`) +
                (accessing.length < 2 ?
                     "." :
                     `; the SMs' rates lie between ${percent(d3.min(accessing))} and ${
                         percent(d3.max(accessing))}.`));
    panel.controls(
        panel.choice("Show", Object.entries(kHeat).map(([id, {name}]) => [id, name]), (chosen) => {
          key = chosen;
          chart.redraw();
        }));
    const left = 52, right = 8, top = 30;
    const rowHeight = Math.max(4, Math.min(14, 300 / count));
    const chart = panel.chart(top + rowHeight * count + 34, (p) => {
      const {values, most, ends} = heatOfKind(run, sms, kHeat[key]);
      const first = Math.max(0, Math.floor(window.from / sms.cycles)),
            last = Math.min(buckets, Math.ceil(window.to / sms.cycles));
      const x = d3.scaleLinear([window.from, window.to], [left, p.width - right]);
      const pixels =
          new Uint32Array(Math.max(1, (last - first) * count)).fill(packed(p.theme.none));
      const shades = d3.range(65).map((k) => packed(quantityColour(k / 64)));
      for (let sm = 0; sm < count; ++sm) {
        for (let bucket = first; bucket < last; ++bucket) {
          const value = values[sm][bucket];
          p.marks += 1;
          if (Number.isFinite(value))
            pixels[sm * (last - first) + bucket - first] =
                shades[Math.min(64, Math.round((64 * value) / most))];
        }
      }
      const begin = x(first * sms.cycles), end = x(last * sms.cycles);
      p.rect(left, top, p.width - right - left, rowHeight * count, p.theme.none);
      if (last > first)
        p.image(begin, top, end - begin, rowHeight * count, pixels, last - first, count);
      // The first and the last cell may begin before the window, and end after it.
      p.rect(0, top, left, rowHeight * count, p.theme.page);
      p.rect(p.width - right, top, right, rowHeight * count, p.theme.page);
      const every = Math.ceil(11 / rowHeight);
      for (let sm = 0; sm < count; sm += every)
        p.text(
            left - 6, top + (sm + 0.5) * rowHeight, `SM ${sm}`,
            {anchor: "end", fill: p.theme.muted, size: 11});
      colourStrip(
          p, p.width - right, 3, kHeat[key].unit(0),
          `${kHeat[key].unit(most)}${ends ? "" : " or more"}`, quantityColour);
      p.text(left, 9, kHeat[key].name, {fill: p.theme.muted, size: 11});
      axisBelow(p, x, top + rowHeight * count, {label: "core cycles"});
    }, {
      hover(px, py, p) {
        const cycle =
            window.from + ((px - left) / (p.width - right - left)) * (window.to - window.from);
        const bucket = Math.floor(cycle / sms.cycles), sm = Math.floor((py - top) / rowHeight);
        if (px < left || bucket < 0 || bucket >= buckets || sm < 0 || sm >= count) return null;
        return `SM ${sm}, cycles ${whole(bucket * sms.cycles)} to ${
                   whole((bucket + 1) * sms.cycles)}\n` +
            Object.values(kHeat)
                .map(
                    (kind) =>
                        `${kind.name}: ${kind.unit(heatOfKind(run, sms, kind).values[sm][bucket])}`)
                .join("\n");
      }
    });
    chooseTime(chart, window, left, right);
    panel.note(`A cell is ${whole(sms.cycles)} cycles of one SM; grey: nothing to count.`);
    panel.table(
        [
          {name: "SM"}, {name: "L1 accesses"}, {name: "L1 misses"},
          {name: "miss rate", format: (value) => percent(value)}, {name: "warp instructions"},
          {name: "cycles of a load", format: (value) => whole(value)}
        ],
        bySm.map(
            (rate, sm) =>
                [sm, d3.sum(sms.l1_accesses[sm]), d3.sum(sms.l1_misses[sm]), rate,
                 d3.sum(sms.warp_instructions[sm]),
                 d3.sum(sms.load_cycles[sm]) / d3.sum(sms.loads[sm])]));
  },
});
