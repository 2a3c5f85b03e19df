// Of an analysis: the launch that its views show, chosen in one place for all of them.
function chosenLaunch(panel, result) {
  const launches = list(result.launches);
  const shared = panel.tab.shared;
  if (shared.launch === undefined) {
    // The one that shares most, as it is the most interesting.
    const edges = launches.map((launch) => at(launch, "graph.edges") || 0);
    shared.launch = Math.max(0, edges.indexOf(Math.max(0, ...edges)));
    shared.launchListeners = [];
  }
  return launches[shared.launch] || null;
}

// The class of a load by its colour, the same in all views.
const kLoadClasses = {
  uniform: "#56b4e9",
  affine: "#0072b2",
  deterministic: "#009e73",
  indirect: "#d55e00"
};
const classOf = (load) => (load.uniform ? "uniform" : load.pattern || load.class || "indirect");
