// The grid, coloured by the groups of the analysis.
view({
  id: "groups",
  half: true,
  schemas: ["flagstone.analyze/1"],
  question: "What shape do the groups have?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    const groups = list(launch && launch.groups);
    if (groups.length === 0)
      return panel.missing("This policy makes no groups: analyze with --policy rb.");
    const [gx, gy, gz] = launch.grid;
    const of = new Int32Array(gx * gy * gz).fill(-1);
    groups.forEach((tbs, group) => tbs.forEach((tb) => {
      of[tb] = group;
    }));
    const lines = groups
                      .filter(
                          (tbs) => tbs.every((tb) => tb % gx === tbs[0] % gx) ||
                              tbs.every((tb) => Math.floor(tb / gx) === Math.floor(tbs[0] / gx)))
                      .length;
    const [least, most] = d3.extent(groups, (tbs) => tbs.length);
    panel.answer(`${plural(groups.length, "group")} of ${least < most ? `${least} to ` : ""}${
        plural(most, "TB")}; ${lines} ${
        lines === 1 ? "lies" : "lie"} in one row or one column of the grid.`);
    const box = {left: 20, top: 20};
    let drawn = null;
    panel.chart(
        (width) => 30 +
            Math.max(
                30,
                Math.min(
                    320, cellsOf(gy * gz).count * Math.min(26, (width - 30) / cellsOf(gx).count))),
        (p) => {
          box.width = p.width - 30;
          box.height = p.height - 30;
          p.text(
              box.left, 9, `x: ${plural(gx, "TB")}, y: ${gy}${gz > 1 ? `, z: ${gz}` : ""}`,
              {fill: p.theme.muted, size: 11});
          drawn = drawGrid(p, launch.grid, (tb) => (of[tb] < 0 ? null : classColour(of[tb])), box);
        },
        {
          hover(px, py) {
            const tb = tbAt(launch.grid, drawn, px, py, box);
            return tb < 0 ? null : `TB ${tb}: group ${of[tb]}`;
          }
        });
    panel.table(
        [{name: "group"}, {name: "TBs"}, {name: "ids, in issue order", left: true}],
        groups.map(
            (tbs, group) =>
                [group, tbs.length, tbs.slice(0, 40).join(" ") + (tbs.length > 40 ? " ..." : "")]));
  },
});
