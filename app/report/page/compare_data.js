// Runs side by side: which differ in what, and figures relative to a baseline.
const kCompared = [
  {key: "cycles", name: "cycles", less: true},
  {key: "ipc", name: "instructions per cycle", less: false},
  {key: "l1.miss_rate", name: "L1 miss rate", less: true, format: percent},
  {key: "l2.accesses", name: "L2 accesses", less: true},
  {key: "dram.reads", name: "DRAM reads", less: true},
  {key: "l1.load_latency.mean", name: "cycles of a load", less: true, format: whole},
  {key: "tb.mean_wait", name: "cycles a TB is waited for", less: true, format: (v) => fixed(v, 1)}
];

// {cases, variants, baseline, of(case, variant)}: a case is a workload on a machine, a variant what
// was tried on it. Names hold what differs.
function compared(runs) {
  const known = list(runs).filter((run) => run && run.totals);
  const many = (key) => new Set(known.map((run) => run[key])).size > 1;
  const varies = ["policy", "prefetcher", "warp_scheduler", "engine"].filter(
      (key) => key === "policy" || many(key));
  const machine = many("machine"), size = many("size"), config = many("config_hash");
  const cases = [], variants = [], table = new Map();
  for (const run of known) {
    const label =
        `${size ? workloadName(run) : run.workload}${machine ? ` on ${run.machine}` : ""}`;
    let variant =
        varies.map((key) => run[key]).filter((value) => value && value !== "none").join(" + ") ||
        "?";
    // The same names twice: the machines' settings differ.
    for (let copy = 2; table.has(`${label}\n${variant}`); ++copy)
      variant = `${variant.replace(/ #\d+$/, "")} #${copy}`;
    if (!cases.includes(label)) cases.push(label);
    if (!variants.includes(variant)) variants.push(variant);
    table.set(`${label}\n${variant}`, run);
  }
  const baseline = variants.find((variant) => variant === "lrr") || variants[0];
  return {
    cases,
    variants,
    baseline,
    config,
    of: (label, variant) => table.get(`${label}\n${variant}`) || null,
    runs: known
  };
}

// What all runs of a comparison share, and what they do not: values of a key, each once.
const valuesOf = (runs, key) => [...new Set(runs.map((run) => run[key])
                                                .filter((value) => value !== null && value !== ""))]
                                    .filter((value) => value !== undefined);

function factsOfRuns(result, runs) {
  const stored = runs.filter((run) => run.from_store).length;
  const checks =
      d3.nest()
          .key((run) => verdictOfChecks(run)[0] || "none")
          .entries(runs)
          .map(
              ({key, values}) => `${values.length} ${
                  {good: "right", bad: "wrong or interrupted", none: "not checked"}[key] || key}`);
  return facts([
    ["runs", whole(runs.length)], ["size", words(valuesOf(runs, "size"))],
    ["machine", words(valuesOf(runs, "machine"))],
    ["engine", words(valuesOf(runs, "engine")) + (stored > 0 ? `; ${stored} from the store` : "")],
    ["warp scheduler", words(valuesOf(runs, "warp_scheduler"))], ["checks", words(checks)],
    ["version", words(valuesOf(runs, "version"))],
    ["machine keys set", words(valuesOf(runs, "settings")), true], ["command", result.command, true]
  ]);
}

// The figure relative to the baseline's; null where either is undefined.
function relative(set, label, variant, key) {
  const run = set.of(label, variant), base = set.of(label, set.baseline);
  const value = run && at(run.totals, key), of = base && at(base.totals, key);
  return isNumber(value) && isNumber(of) && of !== 0 ? value / of : null;
}

function geometricMean(values) {
  const known = values.filter((value) => isNumber(value) && value > 0);
  return known.length > 0 ? Math.exp(d3.mean(known, Math.log)) : null;
}

// Blue where the variant is better, orange where it is worse; the ratio counts, not the difference.
function ratioColour(ratio, less) {
  const log = Math.log2(ratio) * (less ? 1 : -1);
  const share = Math.max(-1, Math.min(1, log));
  const none = d3.color(theme().none);
  return (share < 0 ? d3.interpolateRgb(none, "#0072b2")(-share) :
                      d3.interpolateRgb(none, "#d55e00")(share))
      .toString();
}
