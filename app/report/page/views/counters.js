// The GPU's counters over time: phases of a kernel.
const kLines = [
  ["L1 miss rate", (g, i) => g.l1_misses[i] / g.l1_accesses[i], percent],
  ["L2 miss rate", (g, i) => g.l2_misses[i] / g.l2_accesses[i], percent],
  ["DRAM bytes a cycle", (g, i) => (32 * g.dram_sectors[i]) / g.cycles, (v) => fixed(v, 1)],
  ["SMs with a TB", (g, i) => g.active_sms[i] / g.samples[i], (v) => fixed(v, 1)],
  ["cycles of a load", (g, i) => g.load_cycles[i] / g.loads[i], whole],
];

view({
  id: "counters",
  schemas: ["flagstone.run/1"],
  question: "What phases does the run have?",
  build(panel, run) {
    const gpu = at(run, "counters.gpu");
    const buckets = gpu ? list(gpu.l1_misses).length : 0;
    if (buckets === 0) return panel.missing(detailComesBy(run));
    const series = kLines.map(
        ([name, of, format]) => ({name, format, values: d3.range(buckets).map((i) => of(gpu, i))}));
    const peak = d3.scan(series[2].values, (a, b) => b - a);
    panel.answer(`DRAM was busiest around cycle ${whole(peak * gpu.cycles)} with ${
        fixed(series[2].values[peak], 1)} bytes a cycle; in the mean ${
        fixed(d3.mean(series[3].values.filter(isNumber)), 1)} SMs had a TB.`);
    const window = windowOf(panel, buckets * gpu.cycles);
    const left = 140, right = 60, height = 46;
    const chart = panel.chart(series.length * (height + 10) + 36, (p) => {
      const x = d3.scaleLinear([window.from, window.to], [left, p.width - right]);
      const first = Math.max(0, Math.floor(window.from / gpu.cycles)),
            last = Math.min(buckets, Math.ceil(window.to / gpu.cycles));
      // Not more points than pixels: the mean of those that share one.
      const step = Math.max(1, Math.floor((last - first) / (p.width - left - right)));
      series.forEach(({name, format, values}, k) => {
        const top = 4 + k * (height + 10),
              known = values.slice(first, last).filter(Number.isFinite);
        const most = d3.max(known) || 1;
        const y = d3.scaleLinear([0, most], [top + height, top]);
        p.text(left - 8, top + height / 2, name, {anchor: "end"});
        p.line([[left, top + height], [p.width - right, top + height]], p.theme.line);
        p.text(p.width - right + 6, top + 4, format(most), {size: 11, fill: p.theme.muted});
        p.text(p.width - right + 6, top + height - 4, format(0), {size: 11, fill: p.theme.muted});
        let part = [];
        const flush = () => {
          if (part.length > 0) {
            p.area(
                [[part[0][0], top + height], ...part, [part[part.length - 1][0], top + height]],
                kClasses[k] + "44");
            p.line(part, kClasses[k], 1.25);
          }
          part = [];
        };
        for (let i = first; i < last; i += step) {
          const value = d3.mean(values.slice(i, i + step).filter(Number.isFinite));
          p.marks += Math.min(step, last - i);
          if (!Number.isFinite(value))
            flush();
          else
            part.push(
                [Math.max(left, x(i * gpu.cycles)), y(value)],
                [Math.min(p.width - right, x(Math.min(i + step, last) * gpu.cycles)), y(value)]);
        }
        flush();
      });
      axisBelow(p, x, series.length * (height + 10) + 2, {label: "core cycles"});
    }, {
      hover(px, py, p) {
        const cycle =
            window.from + ((px - left) / (p.width - right - left)) * (window.to - window.from);
        const i = Math.floor(cycle / gpu.cycles);
        if (px < left || i < 0 || i >= buckets) return null;
        return `cycles ${whole(i * gpu.cycles)} to ${whole((i + 1) * gpu.cycles)}\n` +
            series.map(({name, values, format}) => `${name}: ${format(values[i])}`).join("\n");
      }
    });
    chooseTime(chart, window, left, right);
    panel.table(
        [{name: "cycle"}, ...series.map(({name}) => ({name}))],
        d3.range(buckets).map(
            (i) =>
                [i * gpu.cycles,
                 ...series.map(({values}) => (Number.isFinite(values[i]) ? values[i] : null))]));
  },
});
