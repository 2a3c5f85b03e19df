// The kernel's instructions, with what is known of each load in the margin.
function marginOf(load, misses) {
  const facts = [];
  if (load) facts.push(classOf(load), load.array, list(load.chain).length > 0 ? `address from line ${words(load.chain.map((link) => link.line))}` : "");
  if (load && isNumber(at(load, "coalescing.sectors_per_request"))) facts.push(`${fixed(load.coalescing.sectors_per_request, 1)} sectors a request`);
  if (misses) facts.push(misses);
  return facts.filter(Boolean).join(", ");
}

view({
  id: "kernel", long: true, schemas: ["flagstone.analyze/1"], question: "Which line of the kernel reads what?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    const instructions = launch && launch.instructions;
    if (!instructions || list(instructions.text).length === 0) return panel.missing("Analyze with --detail or --report.");
    const byPc = new Map();
    for (const kind of ["loads", "stores", "atomics"]) for (const access of list(launch[kind])) byPc.set(access.pc, access);
    const misses = missesByPc(panel.tab.page, result, launch.entry);
    const loads = list(launch.loads);
    const far = loads.filter((load) => load.class === "indirect").map((load) => load.line);
    panel.answer(`${plural(instructions.text.length, "instruction")}, ${plural(byPc.size, "access", "es")}${far.length > 0 ? `; addresses in line ${words(far)} depend on data` : "; all addresses follow from ids and loops"}.`.replace("accesss", "accesses"));
    panel.add(legend(Object.entries(kLoadClasses)));
    const rows = instructions.text.map((text, pc) => {
      const access = byPc.get(pc);
      const mark = element("td", access ? { style: `border-left: 6px solid ${kLoadClasses[classOf(access)]}` } : {});
      return element("tr", { class: access ? "hot" : null }, mark, element("td", { class: "number" }, String(pc)), element("td", { class: "number" }, String(instructions.line[pc])),
        element("td", {}, text), element("td", {}, marginOf(access, misses.get(pc))));
    });
    panel.extra = rows.length;
    panel.add(element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Instructions" }, element("table", { class: "source" },
      element("thead", {}, element("tr", {}, ["", "pc", "line", "instruction", "access"].map((name) => element("th", { class: "left", scope: "col" }, name)))), element("tbody", {}, rows))));
    if (misses.size === 0) panel.note("Misses of each load: put a run of the same workload with --detail on the same page.");
    panel.csv = () => csvText(["pc", "line", "instruction", "access"].map((name) => ({ name })), instructions.text.map((text, pc) => [pc, instructions.line[pc], text, marginOf(byPc.get(pc), misses.get(pc))]));
  },
});

// Of runs of the same workload on this page: what each load missed, by pc.
function missesByPc(entries, result, entry) {
  const text = new Map();
  for (const { result: run } of list(entries)) {
    if (run.schema !== "flagstone.run/1" || run.workload !== result.workload || run.size !== result.size) continue;
    const sums = new Map();
    for (const launch of list(run.launches)) {
      if (launch.entry !== entry) continue;
      for (const load of list(launch.loads)) {
        const to = sums.get(load.pc) || { accesses: 0, misses: 0 };
        to.accesses += load.accesses || 0;
        to.misses += load.misses || 0;
        sums.set(load.pc, to);
      }
    }
    for (const [pc, { accesses, misses }] of sums) {
      if (accesses === 0) continue;
      const words = `${run.policy}: ${short(misses)} of ${short(accesses)} accesses missed (${percent(misses / accesses)})`;
      text.set(pc, text.has(pc) ? `${text.get(pc)}; ${words}` : words);
    }
  }
  return text;
}
