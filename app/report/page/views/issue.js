// How the schedulers' cycles were spent, of the GPU and of each SM.
const kSlotColours = {
  issued: "#009e73",
  memory: "#d55e00",
  unit: "#e69f00",
  pipe: "#f0e442",
  barrier: "#cc79a7",
  fetch: "#56b4e9",
  no_grant: "#0072b2",
  idle: "#8c8c8c"
};

view({
  id: "issue",
  half: true,
  schemas: ["flagstone.run/1"],
  question: "Why were there not more instructions per cycle?",
  build(panel, run) {
    const wait = largestWait(run.totals);
    if (!wait) return panel.missing("Only a timed run has issue slots: run without --functional.");
    panel.answer(`Schedulers issued in ${
        percent(wait.issued / wait.all)} of their cycles; most of the rest, ${
        percent(wait.share)}, they ${wait.worst.words}.`);
    const perSm =
        at(list(run.launches).find((launch) => at(launch, "sms.sm.issue")), "sms.sm.issue");
    const bars = [{label: "all SMs", source: (key) => at(run.totals, `sm.issue.${key}`)}];
    const sms = perSm ? list(perSm.issued).length : 0;
    const sumOf = (key, sm) =>
        d3.sum(list(run.launches), (launch) => list(at(launch, `sms.sm.issue.${key}`))[sm] || 0);
    if (sms <= 32)
      for (let sm = 0; sm < sms; ++sm)
        bars.push({label: `SM ${sm}`, source: (key) => sumOf(key, sm)});
    const options = {left: 60, top: 2, barHeight: sms > 0 ? 13 : 24, gap: 3, right: 8};
    panel.add(legend(kSlots.map(([key]) => [key.replace("_", " "), kSlotColours[key]])));
    panel.chart(lyingHeight(bars.length, options) + 4, (p) => {
      const rows = bars.map(({label, source}) => {
        const all = sum(kSlots.map(([key]) => source(key))) || 1;
        return {
          label,
          parts: kSlots.map(
              ([key, words]) => ({
                value: source(key) / all,
                colour: kSlotColours[key],
                inside: percent(source(key) / all, 0),
                text: `${label}: in ${percent(source(key) / all)} of cycles schedulers ${words}`
              }))
        };
      });
      lyingBars(p, rows, {...options, most: 1});
    });
    if (sms > 32) panel.note(`${sms} SMs: the table has each.`);
    const each = d3.range(sms).map((sm) => ({label: `SM ${sm}`, source: (key) => sumOf(key, sm)}));
    panel.table(
        [
          {name: "of", left: true}, {name: "cycles of schedulers", left: true}, {name: "count"},
          {name: "share", format: (value) => percent(value)}
        ],
        [bars[0], ...each].flatMap(({label, source}) => {
          const all = sum(kSlots.map(([key]) => source(key))) || 1;
          return kSlots.map(([key, words]) => [label, words, source(key), source(key) / all]);
        }));
  },
});
