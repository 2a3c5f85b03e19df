// Prefetches: in time, and for which load?
const kPrefetchParts = [
  ["used", "used in time", "#009e73"], ["late", "late", "#e69f00"],
  ["early", "evicted before use", "#cc79a7"], ["rest", "never used", "#8c8c8c"]
];

function prefetchParts(load) {
  const late = load.late || 0, early = load.early_evicted || 0;
  const used = Math.max(0, (load.used || 0) - late);
  return {used, late, early, rest: Math.max(0, (load.issued || 0) - used - late - early)};
}

function noPrefetch(run) {
  return run.prefetcher && run.prefetcher !== "none" ?
      `The prefetcher ${run.prefetcher} has issued none in this run.` :
      "Run with --prefetch caps, or on a machine with a prefetcher.";
}

view({
  id: "prefetch",
  half: true,
  schemas: ["flagstone.run/1"],
  question: "Do prefetches come in time?",
  build(panel, run) {
    const prefetch = run.totals.prefetch || {};
    if (!prefetch.issued) return panel.missing(noPrefetch(run));
    const buckets = list(at(prefetch, "distance.buckets"));
    panel.answer(
        `${whole(prefetch.issued)} prefetches: ${
            percent(prefetch.coverage)} of the demand fetches covered, ${
            percent(prefetch.accuracy)} used, ${percent(prefetch.late_rate)} late; ` +
        `${whole(at(prefetch, "distance.mean"))} cycles in the mean from prefetch to use.`);
    panel.chart(
        histogramsHeight(1),
        (p) => histograms(p, [{name: "distance", buckets}], "cycles from prefetch to use"));
    panel.table(
        [{name: "from cycles"}, {name: "prefetches"}],
        buckets.map((count, i) => [bucketFrom(i), count]));
  },
});

view({
  id: "prefetch_loads",
  half: true,
  schemas: ["flagstone.run/1"],
  question: "Which loads are prefetched well?",
  build(panel, run) {
    const merged = new Map();
    for (const launch of list(run.launches)) {
      for (const load of list(launch.load_prefetches)) {
        const key = `${kernelName(launch)} line ${load.line}`;
        const to = merged.get(key) || {
          key,
          indirect: load.indirect,
          issued: 0,
          used: 0,
          late: 0,
          early_evicted: 0,
          demand_fetches: 0,
          distance_cycles: 0
        };
        for (const name
                 of ["issued", "used", "late", "early_evicted", "demand_fetches",
                     "distance_cycles"])
          to[name] += load[name] || 0;
        merged.set(key, to);
      }
    }
    const loads = [...merged.values()];
    if (sum(loads.map((load) => load.issued)) === 0) return panel.missing(noPrefetch(run));
    const best = [...loads].sort((a, b) => b.used - a.used)[0];
    panel.answer(`Of ${plural(loads.length, "load")}, ${
        whole(loads.filter((load) => load.issued > 0).length)} were prefetched; most useful was ${
        best.key}: ${whole(best.used)} of ${whole(best.issued)} used.`);
    const shown = [...loads].sort((a, b) => b.issued - a.issued).slice(0, 24);
    const options = {left: 170, top: 2, right: 70, barHeight: 15, gap: 4};
    panel.add(legend(kPrefetchParts.map(([, name, colour]) => [name, colour])));
    panel.chart(
        lyingHeight(shown.length, options) + 4,
        (p) => lyingBars(
            p, shown.map((load) => {
              const parts = prefetchParts(load);
              return {
                label: load.key,
                issued: load.issued,
                parts: kPrefetchParts.map(([key, name, colour]) => ({
                                            value: parts[key],
                                            colour,
                                            text: `${load.key}: ${whole(parts[key])} ${name}`
                                          }))
              };
            }),
            {
              ...options,
              most: d3.max(shown, (load) => load.issued),
              total: (row) => short(row.issued)
            }));
    if (shown.length < loads.length)
      panel.note(`The ${shown.length} loads with the most prefetches; the table has all.`);
    panel.table(
        [
          {name: "load", left: true}, {name: "indirect"}, {name: "demand fetches"},
          {name: "issued"}, {name: "used"}, {name: "late"}, {name: "evicted early"}
        ],
        loads.map(
            (load) =>
                [load.key, load.indirect, load.demand_fetches, load.issued, load.used, load.late,
                 load.early_evicted]));
  },
});
