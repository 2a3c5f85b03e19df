// What an analysis found, in sentences.
view({
  id: "analysis_head",
  schemas: ["flagstone.analyze/1"],
  question: "Do its TBs share data, and can grouping them help?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    if (!launch) return panel.missing("The result has no launch.");
    const graph = launch.graph || {};
    const say = [];
    const tbs = graph.tbs || 0;
    if (isNumber(graph.edges)) {
      say.push([
        "",
        graph.edges === 0 ?
            tbs === 1 ? "There is one TB: no other shares its data." :
                        `No two of ${whole(tbs)} TBs read the same data.` :
                        `${whole(graph.shared_tbs)} of ${whole(tbs)} TBs share data; each with ${
                percent(graph.degree_of_sharing)} of the others in the mean.`
      ]);
    } else
      say.push(["", `${whole(tbs)} TBs: too many pairs share data to count them.`]);
    if (isNumber(launch.kept_weight) && graph.edges !== 0) {
      say.push([
        "",
        `The ${plural(list(launch.groups).length, "group")} of ${result.policy} keep ${
            percent(launch.kept_weight)} of what pairs share inside a group, and read ${
            percent(launch.union_ratio)} of the bytes that their TBs read one by one.`
      ]);
    }
    const loads = list(launch.loads),
          indirect = loads.filter((load) => load.class === "indirect").length;
    say.push([
      indirect > 0 && result.data !== "known" ? "bad" : "",
      `${plural(loads.length, "load")}: ${
          words(Object.keys(kLoadClasses)
                    .map((name) => [name, loads.filter((load) => classOf(load) === name).length])
                    .filter(([, count]) => count > 0)
                    .map(([name, count]) => `${count} ${name}`)) ||
          "none"}` +
          (graph.skipped_loads > 0 ?
               `; ${
                   graph
                       .skipped_loads} are left out of the sharing, as their addresses depend on data (--data known finds them).` :
               ".")
    ]);
    panel.sentence = say.map(([, text]) => text).join(" ");
    panel.add(element(
        "ul", {class: "verdicts"},
        say.map(([kind, text]) => element("li", {class: kind || null}, text))));
    panel.add(facts([
      ["workload", workloadName(result)], ["machine", result.machine], ["policy", result.policy],
      ["granularity", result.granularity], ["data", result.data], ["kernel", kernelName(launch)],
      ["grid", shape(launch.grid)], ["block", shape(launch.block)],
      ["TBs at once on an SM", launch.tbs_per_sm],
      ["data units read", whole(graph.total_references)], ["sparseness", fixed(graph.sp_score, 3)],
      ["coalescing degree", percent(at(launch, "coalescing.degree"))],
      ["sectors a request", fixed(at(launch, "coalescing.sectors_per_request"))],
      ["CTA mapping", at(launch, "cta_mapping.direction")],
      ["LADM's TB scheduler", at(launch, "ladm.scheduler")], ["version", result.version],
      ["command", result.command, true]
    ]));
    const launches = list(result.launches);
    if (launches.length > 1)
      panel.note(`The charts show launch ${launches.indexOf(launch) + 1} of ${launches.length}${
          graph.edges === 0 ? "" : ", the one with the most sharing"}.`);
    panel.extra = launches.length;
    panel.csv = () => csvText(
        ["launch", "entry", "TBs", "edges", "kept weight", "union ratio"].map((name) => ({name})),
        launches.map(
            (each, i) =>
                [i + 1, kernelName(each), at(each, "graph.tbs"), at(each, "graph.edges"),
                 each.kept_weight, each.union_ratio]));
  },
});

view({
  id: "policies",
  half: true,
  schemas: ["flagstone.analyze/1"],
  question: "Which policy's groups keep most sharing inside?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    const policies = list(launch && launch.policies);
    if (policies.length === 0)
      return panel.missing("Several policies side by side: analyze with --policy all.");
    const best = [...policies].sort((a, b) => a.union_ratio - b.union_ratio)[0];
    panel.answer(`${best.policy}: its groups read ${
        percent(best.union_ratio)} of what their TBs read one by one, and keep ${
        percent(best.kept_weight)} of the shared weight.`);
    const options = {left: 110, top: 2, right: 60, barHeight: 16, gap: 5};
    panel.chart(lyingHeight(policies.length, options) + 38, (p) => {
      const x = lyingBars(
          p, policies.map((row) => ({
                            label: row.policy,
                            value: row.union_ratio,
                            parts: [{
                              value: row.union_ratio,
                              colour: kClasses[0],
                              text: `${row.policy}: ${plural(row.groups, "group")} of ${
                                  row.smallest} to ${row.largest} TBs`
                            }]
                          })),
          {
            ...options,
            most: Math.max(1, d3.max(policies, (row) => row.union_ratio)),
            total: (row) => percent(row.value)
          });
      axisBelow(p, x, lyingHeight(policies.length, options), {
        label: "bytes that a group reads, of those its TBs read one by one",
        format: (v) => percent(v, 0),
        ticks: 5
      });
    });
    panel.table(
        [
          {name: "policy", left: true}, {name: "groups"}, {name: "smallest"}, {name: "largest"},
          {name: "kept weight", format: (v) => percent(v)},
          {name: "union ratio", format: (v) => percent(v)}
        ],
        policies.map(
            (row) =>
                [row.policy, row.groups, row.smallest, row.largest, row.kept_weight,
                 row.union_ratio]));
  },
});
