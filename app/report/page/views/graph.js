// The locality graph of a small kernel, laid out by forces.
const kEdgesOfTb = 2;  // drawn; with more the picture is one grey area

// The strongest edges of a graph that has more than can be told apart, in the order of the result.
function drawnEdges(edges, tbs) {
  const most = Math.max(300, kEdgesOfTb * tbs);
  if (edges.length <= most) return edges;
  const order = edges.map((edge, i) => i).sort((a, b) => edges[b][2] - edges[a][2] || a - b);
  const chosen = new Set(order.slice(0, most));
  return edges.filter((edge, i) => chosen.has(i));
}

view({
  id: "graph",
  half: true,
  schemas: ["flagstone.analyze/1"],
  question: "What does the locality graph look like?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    const edges = launch && at(launch, "graph.edge_list"), tbs = at(launch, "graph.tbs") || 0;
    if (!edges || tbs > 500)
      return panel.missing(
          tbs > 500 || edges === null ?
              "A graph is drawn up to 500 TBs and 5,000 edges, with --detail or --report; the matrix shows larger ones." :
              "Analyze with --detail or --report.");
    const nodes = d3.range(tbs).map((id) => ({id})), group = new Int32Array(tbs).fill(-1);
    list(launch.groups).forEach((ids, g) => ids.forEach((tb) => {
      group[tb] = g;
    }));
    const most = d3.max(edges, (edge) => edge[2]) || 1;
    const links = edges.map(([source, target, weight]) => ({source, target, weight}));
    // A hundred steps without a clock: the same picture each time.
    const simulation =
        d3.forceSimulation(nodes)
            .force("charge", d3.forceManyBody().strength(-40))
            .force("x", d3.forceX().strength(0.06))
            .force("y", d3.forceY().strength(0.06))
            .force(
                "link",
                d3.forceLink(links).distance(30).strength((link) => (0.6 * link.weight) / most))
            .stop();
    simulation.tick(100);
    panel.answer(
        edges.length === 0 ?
            "It has no edge." :
            `${plural(tbs, "TB")}, ${plural(edges.length, "edge")}; the strongest stands for ${
                whole(most)} shared data units.`);
    const [left, right] = d3.extent(nodes, (node) => node.x),
                 [top, bottom] = d3.extent(nodes, (node) => node.y);
    const drawn = new Set(drawnEdges(edges, tbs));
    panel.chart(360, (p) => {
      const x = d3.scaleLinear([left, right], [20, p.width - 20]),
            y = d3.scaleLinear([top, bottom], [20, p.height - 20]);
      const faint = d3.interpolateRgb(p.theme.line, p.theme.muted)(0.35);
      links.forEach(({source, target, weight}, i) => {
        if (!drawn.has(edges[i])) return;
        p.line(
            [[x(source.x), y(source.y)], [x(target.x), y(target.y)]], faint,
            0.3 + (1.7 * weight) / most);
        p.marks += 1;
      });
      for (const node of nodes) {
        p.circle(
            x(node.x), y(node.y), tbs > 120 ? 3 : 7,
            group[node.id] < 0 ? p.theme.accent : classColour(group[node.id]));
        p.hit(
            x(node.x) - 6, y(node.y) - 6, 12, 12,
            `TB ${node.id}${group[node.id] >= 0 ? `, group ${group[node.id]}` : ""}`);
        p.marks += 1;
      }
      if (tbs > 120) return;
      for (const node of nodes)
        p.text(
            x(node.x), y(node.y) - 13, String(node.id),
            {anchor: "middle", size: 11, weight: "600"});
    });
    if (drawn.size < edges.length)
      panel.note(`The ${whole(drawn.size)} strongest of ${
          whole(
              edges
                  .length)} edges are drawn; the places of TBs follow from all, and the table has them.`);
    panel.table([{name: "TB"}, {name: "TB"}, {name: "shared units"}], edges);
  },
});
