// What ran, whether it was right, and what limited it: one sentence each.
const kSlots = [
  ["issued", "issued an instruction"], ["memory", "waited for data from memory"],
  ["unit", "waited for a busy unit"], ["pipe", "waited for a result in the pipeline"],
  ["barrier", "waited at a barrier"], ["fetch", "waited for instructions"],
  ["no_grant", "had one warp more than may issue"], ["idle", "had no warp"]
];

// Of a program that `exec` has run, only itself and --expect can judge the results.
function verdictOfProgram(run) {
  const {exit_code: code, check, failed_launches: failed} = run.program;
  if (run.interrupted) return ["bad", "Interrupted: the figures are of what ran until then."];
  if (failed > 0) return ["bad", `Wrong: ${plural(failed, "launch", "launches")} failed.`];
  if (code !== 0) return ["bad", `Wrong: the program ended with exit code ${code}.`];
  if (check === "failed") return ["bad", "Wrong: no line of the program's output is as expected."];
  if (check === "passed") return ["good", "Right: the program's output is as expected."];
  return ["", "Not checked: --expect says which line the program's output must have."];
}

function verdictOfChecks(run) {
  if (run.program) return verdictOfProgram(run);
  const checks = list(run.checks);
  const wrong = checks.filter((check) => check.passed === false);
  if (wrong.length > 0) {
    return [
      "bad",
      `Wrong: ${
          words(wrong.map(
              (check) => `${check.buffer} differs in ${plural(check.mismatches, "element")}`))}.`
    ];
  }
  if (run.interrupted) return ["bad", "Interrupted: the figures are of what ran until then."];
  if (checks.length > 0)
    return [
      "good",
      `Right: ${plural(checks.length, "buffer")} as the CPU reference computes ${
          checks.length === 1 ? "it" : "them"}.`
    ];
  return [
    "",
    run.checks_skipped ? "Not checked: the run left its checks out." :
                         "Not checked: the workload states no results."
  ];
}

// The largest part of the schedulers' cycles that issued nothing.
function largestWait(totals) {
  const slots = kSlots.map(([key, words]) => ({key, words, cycles: at(totals, `sm.issue.${key}`)}));
  if (slots.some((slot) => slot.cycles === null)) return null;
  const all = sum(slots.map((slot) => slot.cycles));
  if (all === 0) return null;
  const waits = slots.slice(1).sort((a, b) => b.cycles - a.cycles);
  return {all, issued: slots[0].cycles, worst: waits[0], share: waits[0].cycles / all};
}

function verdictOfLimit(totals) {
  const wait = largestWait(totals);
  if (!wait) return ["", "What limited it is not known: nothing was timed."];
  let cause = "";
  if (wait.worst.key === "unit") {
    const units =
        Object.entries(at(totals, "sm.unit_waits") || {}).filter(([, cycles]) => isNumber(cycles));
    const [name] = units.sort((a, b) => b[1] - a[1])[0] || [""];
    if (name) cause = `, mostly ${name.replace(/_/g, " and ")}`;
  }
  if (wait.worst.key === "memory" && isNumber(at(totals, "l1.load_latency.mean"))) {
    cause = `; a load took ${whole(at(totals, "l1.load_latency.mean"))} cycles in the mean`;
  }
  if (wait.issued / wait.all > wait.share) {
    return [
      "",
      `Limited by its instructions: schedulers issued in ${
          percent(wait.issued / wait.all)} of their cycles.`
    ];
  }
  return [
    "",
    `Limited: in ${percent(wait.share)} of their cycles schedulers ${wait.worst.words}${
        cause}; they issued in ${percent(wait.issued / wait.all)}.`
  ];
}

// The end, in which SMs run dry.
function verdictOfTail(run) {
  const placed = placements(run);
  if (!placed || placed.end === 0) return null;
  const last = new Float64Array(placed.sms);
  for (let i = 0; i < placed.count; ++i)
    last[placed.sm[i]] = Math.max(last[placed.sm[i]], placed.to[i]);
  const used = last.filter((end) => end > 0);
  const idle = d3.mean(used, (end) => placed.end - end) / placed.end;
  return [
    "",
    (used.length < placed.sms ?
         `${whole(placed.sms - used.length)} of ${whole(placed.sms)} SMs got no TB; the others ` :
         "After their last TB, SMs ") +
        `stood idle for ${percent(idle)} of the time${
            used.length < placed.sms ?
                " after their last TB" :
                ""}; the first ran dry at cycle ${whole(d3.min(used))} of ${whole(placed.end)}.`
  ];
}

const kMostOfFact = 60;  // letters of a fact that stands beside others
const kMostOfWord = 40;  // letters of a word that is kept whole

// A command in which options are not cut at their dashes.
function commandWords(command) {
  return String(command).split(" ").flatMap(
      (word, i) =>
          [i > 0 ? " " : "",
           element("span", {class: word.length <= kMostOfWord ? "word" : null}, word)]);
}

function facts(pairs) {
  return element(
      "dl", {class: "facts"},
      pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
          .map(
              ([name, value, wide]) => element(
                  "div", {class: wide || String(value).length > kMostOfFact ? "wide" : null},
                  element("dt", {}, name),
                  element(
                      "dd", {class: /^[0-9a-f]{16}\b/.test(value) ? "digest" : null},
                      name === "command" ? commandWords(value) : String(value)))));
}

const shape = (dims) => (Array.isArray(dims) ? dims.join(" × ") : null);

view({
  id: "head",
  schemas: ["flagstone.run/1"],
  question: "Is this the run I mean, and was it right?",
  build(panel, run) {
    const totals = run.totals;
    const verdicts =
        [verdictOfChecks(run), verdictOfLimit(totals), verdictOfTail(run)].filter(Boolean);
    panel.sentence = verdicts.map(([, text]) => text).join(" ");
    panel.add(element(
        "ul", {class: "verdicts"},
        verdicts.map(([kind, text]) => element("li", {class: kind || null}, text))));
    const pairs = [
      ["workload", run.workload && workloadName(run)],
      ["machine", run.machine],
      ["policy", run.policy],
      ["warp scheduler", run.warp_scheduler],
      ["prefetcher", run.prefetcher],
      ["engine", run.engine && run.engine + (run.from_store ? ", from the store" : "")],
      ["size asked for", run.asked_size !== run.size && run.size ? run.asked_size : null],
      ["cycles", whole(totals.cycles)],
      ["instructions per cycle", fixed(totals.ipc)],
      ["TBs", whole(at(totals, "tb.completed"))],
      ["stolen TBs", whole(at(totals, "tb.stolen"))],
      ["L1 misses", percent(at(totals, "l1.miss_rate"))],
      ["L2 accesses (32 B)", whole(at(totals, "l2.accesses"))],
      ["DRAM reads (32 B)", whole(at(totals, "dram.reads"))],
      [
        "kernel",
        totals.entry ? kernelOf(run, totals.entry) : `${whole(list(run.launches).length)} launches`
      ],
      ["grid", shape(totals.grid)],
      ["block", shape(totals.block)],
      [
        "TBs at once on an SM",
        totals.tbs_per_sm === null ?
            null :
            `${cell(totals.tbs_per_sm)}${
                totals.tbs_per_sm_limit ? ` (limit: ${totals.tbs_per_sm_limit})` : ""}`
      ],
      [
        run.input_hash ? "configuration, input" : "configuration",
        [run.config_hash, run.input_hash].filter(Boolean).join(" ")
      ],
      ["version", run.version],
      [
        "hardware blocks",
        list(run.blocks).map((block) => `${block.path} as ${block.body}`).join(", "), true
      ],
      ["command", run.command, true]
    ];
    panel.add(facts(pairs));
    for (const finding of list(run.findings))
      panel.note(`${finding.kind}: ${finding.text} (${whole(finding.times)} times)`);
    panel.table(
        [
          {name: "buffer", left: true}, {name: "passed"}, {name: "largest error"},
          {name: "wrong elements"}
        ],
        list(run.checks)
            .map((check) => [check.buffer, check.passed, check.max_error, check.mismatches]),
        {summary: "Checks as a table"});
  },
});
