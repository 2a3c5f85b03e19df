// The kernel's instructions, with what is known of each access in the margin.
function marginOf(access, misses) {
  const facts = [];
  if (access)
    facts.push(
        classOf(access), access.array,
        list(access.chain).length > 0 ?
            `address from line ${words(access.chain.map((link) => link.line))}` :
            "");
  if (access && isNumber(at(access, "coalescing.sectors_per_request")))
    facts.push(`${fixed(access.coalescing.sectors_per_request, 1)} sectors a request`);
  if (misses) facts.push(misses);
  return facts.filter(Boolean).join(", ");
}

// Rows of instructions. colours: by pc, where there is something to say; margins: texts by pc.
function sourceTable(panel, {line, text}, colours, margins) {
  const rows = text.map(
      (instruction, pc) => element(
          "tr", {class: margins.get(pc) ? "hot" : null},
          element(
              "td", colours.has(pc) ? {style: `border-left: 6px solid ${colours.get(pc)}`} : {}),
          element("td", {class: "number"}, String(pc)),
          element("td", {class: "number"}, String(list(line)[pc])), element("td", {}, instruction),
          element("td", {}, margins.get(pc) || "")));
  panel.extra += rows.length;
  panel.csv = () => csvText(
      ["pc", "line", "instruction", "access"].map((name) => ({name})),
      text.map((instruction, pc) => [pc, list(line)[pc], instruction, margins.get(pc) || ""]));
  return element(
      "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Instructions"},
      element(
          "table", {class: "source"},
          element(
              "thead", {},
              element(
                  "tr", {},
                  ["", "pc", "line", "instruction", "access"].map(
                      (name) => element("th", {class: "left", scope: "col"}, name)))),
          element("tbody", {}, rows)));
}

view({
  id: "kernel",
  long: true,
  schemas: ["flagstone.analyze/1"],
  question: "Which line of the kernel reads what?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    const instructions = launch && launch.instructions;
    if (!instructions || list(instructions.text).length === 0)
      return panel.missing("Analyze with --detail or --report.");
    const byPc = new Map();
    for (const kind of ["loads", "stores", "atomics"])
      for (const access of list(launch[kind])) byPc.set(access.pc, access);
    const misses = missesByPc(panel.tab.page, result, launch.entry);
    const far =
        list(launch.loads).filter((load) => load.class === "indirect").map((load) => load.line);
    panel.answer(
        `${plural(instructions.text.length, "instruction")}, ${
            whole(byPc.size)} of which read or write memory; ` +
        (far.length > 0 ? `addresses in line ${words(far)} depend on data.` :
                          "all addresses follow from ids and loops."));
    panel.add(legend(Object.entries(kLoadClasses)));
    const colours = new Map([...byPc].map(([pc, access]) => [pc, kLoadClasses[classOf(access)]]));
    panel.add(sourceTable(
        panel, instructions, colours,
        new Map([...byPc].map(([pc, access]) => [pc, marginOf(access, misses.get(pc))]))));
    if (misses.size === 0)
      panel.note(
          "Misses of each load: put a run of the same workload with --detail on the same page.");
  },
});

// Of a run: what each load of a kernel did, over all launches of it.
function loadsOf(run, entry) {
  const sums = new Map();
  for (const launch of list(run.launches)) {
    if (launch.entry !== entry) continue;
    for (const load of list(launch.loads)) {
      const to = sums.get(load.pc) ||
          {pc: load.pc, line: load.line, executed: 0, accesses: 0, misses: 0, cycles: 0};
      for (const key of ["executed", "accesses", "misses", "cycles"]) to[key] += load[key] || 0;
      sums.set(load.pc, to);
    }
  }
  return [...sums.values()];
}

// Of runs of the same workload on this page: words on what each load missed, by pc.
function missesByPc(entries, result, entry) {
  const text = new Map();
  for (const {result: run} of list(entries)) {
    if (run.schema !== "flagstone.run/1" || run.workload !== result.workload ||
        run.size !== result.size)
      continue;
    for (const {pc, accesses, misses} of loadsOf(run, entry)) {
      if (accesses === 0) continue;
      const words = `${run.policy}: ${short(misses)} of ${short(accesses)} accesses missed (${
          percent(misses / accesses)})`;
      text.set(pc, text.has(pc) ? `${text.get(pc)}; ${words}` : words);
    }
  }
  return text;
}

view({
  id: "loads",
  long: true,
  schemas: ["flagstone.run/1"],
  question: "Which line of the kernel misses?",
  build(panel, run) {
    const kernels = list(run.kernels).filter((kernel) => kernel && list(kernel.text).length > 0);
    const all =
        kernels.flatMap((kernel) => loadsOf(run, kernel.entry).map((load) => ({...load, kernel})));
    if (all.length === 0)
      return panel.missing(`${detailComesBy(run)} A kernel without loads has none.`);
    const total = sum(all.map((load) => load.misses)),
          name = (load) => `line ${load.line}${
              kernels.length > 1 ? ` of ${kernelOf(run, load.kernel.entry)}` : ""}`;
    const worst = [...all].sort((a, b) => b.misses - a.misses)[0],
          slow = [...all].sort((a, b) => b.cycles - a.cycles)[0];
    panel.answer(
        (total > 0 ?
             `${name(worst)} causes ${percent(worst.misses / total)} of the L1 misses of loads; ` :
             "No load missed; ")
            .replace(/^l/, "L") +
        `${name(slow)} takes ${
            percent(
                slow.cycles / sum(all.map((load) => load.cycles)))} of the time that loads wait, ${
            whole(slow.cycles / Math.max(1, slow.executed))} cycles each.`);
    const shown = [...all].sort((a, b) => b.cycles - a.cycles).slice(0, 16);
    const options = {left: 200, top: 22, right: 250, barHeight: 15, gap: 4};
    panel.chart(lyingHeight(shown.length, options) + 4, (p) => {
      p.text(
          4, 9, "cycles from issue to the last data, summed over warps",
          {fill: p.theme.muted, size: 11});
      lyingBars(
          p,
          shown.map(
              (load) => ({
                label: name(load),
                load,
                parts: [
                  {value: load.cycles, colour: kClasses[0], text: load.kernel.text[load.pc] || ""}
                ]
              })),
          {
            ...options,
            most: d3.max(shown, (load) => load.cycles),
            total: ({load}) => `${whole(load.cycles / Math.max(1, load.executed))} cycles each, ${
                load.accesses > 0 ? `${percent(load.misses / load.accesses)} missed` :
                                    "past the L1"}`
          });
    });
    const box = element("div");
    const draw = (kernel) => {
      const loads = new Map(loadsOf(run, kernel.entry).map((load) => [load.pc, load]));
      panel.extra = 0;
      box.replaceChildren(sourceTable(
          panel, kernel,
          new Map([...loads].map(
              ([
                pc, load
              ]) => [pc, quantityColour(total > 0 ? load.misses / Math.max(1, worst.misses) : 0)])),
          new Map([...loads].map(
              ([pc, load]) =>
                  [pc,
                   `${short(load.executed)} times, ${
                       load.accesses > 0 ?
                           `${short(load.misses)} of ${short(load.accesses)} accesses missed (${
                               percent(load.misses / load.accesses)}), ` :
                           ""}${whole(load.cycles / Math.max(1, load.executed))} cycles each`]))));
      panel.count();
    };
    const first = kernels.findIndex((kernel) => kernel.entry === worst.kernel.entry);
    if (kernels.length > 1)
      panel.controls(panel.choice(
          "Kernel", kernels.map((kernel, i) => [i, kernelOf(run, kernel.entry)]),
          (i) => draw(kernels[i]), first));
    panel.add(box);
    draw(kernels[first]);
    panel.table(
        [
          {name: "kernel", left: true}, {name: "line"}, {name: "pc"}, {name: "warp instructions"},
          {name: "L1 accesses"}, {name: "misses"}, {name: "cycles"}
        ],
        all.map(
            (load) =>
                [kernelOf(run, load.kernel.entry), load.line, load.pc, load.executed, load.accesses,
                 load.misses, load.cycles]));
  },
});
