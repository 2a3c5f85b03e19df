// The locality matrix: which TBs share, in the order of their ids and of their groups.
function matrixPixels(p, matrix, name) {
  const {cells} = matrix, {row, column, weight} = matrix[name];
  const pixels = new Uint32Array(cells * cells).fill(packed(p.theme.none));
  // Logarithmic, as few pairs share most.
  const top = Math.log1p(largest(weight));
  for (let i = 0; i < weight.length; ++i) {
    const colour = packed(quantityColour(0.12 + (0.88 * Math.log1p(weight[i])) / top));
    pixels[row[i] * cells + column[i]] = colour;
    pixels[column[i] * cells + row[i]] = colour;
    p.marks += 1;
  }
  return pixels;
}

// Weight within blocks of consecutive TBs as large as the groups, of all: what an order is worth.
function keptBy(matrix, name, cellsOfGroups) {
  const {row, column, weight} = matrix[name];
  let kept = 0, all = 0;
  for (let i = 0; i < weight.length; ++i) {
    all += weight[i];
    if (cellsOfGroups[row[i]] === cellsOfGroups[column[i]]) kept += weight[i];
  }
  return all > 0 ? kept / all : null;
}

view({
  id: "matrix",
  schemas: ["flagstone.analyze/1"],
  question: "Does the partition find the TBs that belong together?",
  build(panel, result) {
    const launch = chosenLaunch(panel, result);
    const matrix = launch && at(launch, "graph.matrix");
    if (!matrix)
      return panel.missing(
          at(launch, "graph.sharers") ? "Too many pairs of TBs share data for a matrix." :
                                        "Analyze with --detail or --report.");
    const names = ["by_id", "by_group"].filter((name) => matrix[name]);
    const groups = list(launch.groups);
    const ends = [];
    groups.reduce((end, tbs) => {
      ends.push(end + tbs.length);
      return end + tbs.length;
    }, 0);
    const groupOfCell = new Int32Array(matrix.cells);
    for (let cell = 0, group = 0; cell < matrix.cells; ++cell) {
      while (group < ends.length && ends[group] <= cell * matrix.tbs_per_cell) ++group;
      groupOfCell[cell] = group;
    }
    if (matrix.by_id.weight.length === 0) {
      panel.answer(`No two TBs share data${
          matrix.universal > 0 ? ` but for ${whole(matrix.universal)} units that all read` : ""}.`);
      return;
    }
    if (names.length === 2) {
      panel.answer(`In the order of ids, blocks as large as the groups hold ${
          percent(
              keptBy(matrix, "by_id", groupOfCell))} of what pairs share; in the order of groups ${
          percent(keptBy(matrix, "by_group", groupOfCell))}.`);
    } else
      panel.answer(`${whole(matrix.by_id.weight.length)} pairs of cells share data; ${
          result.policy} makes no groups.`);
    const titles = {by_id: "TBs by id", by_group: "TBs by group"};
    const side = (width) => Math.min(520, (width - 30) / 2 - 10);
    panel.chart((width) => side(width) + 44, (p) => {
      names.forEach((name, k) => {
        const size = side(p.width), left = 20 + k * (size + 30), top = 22;
        p.text(left, 10, titles[name], {weight: "600"});
        p.image(left, top, size, size, matrixPixels(p, matrix, name), matrix.cells, matrix.cells);
        if (name === "by_group" && ends.length < 200) {
          const scale = size / (matrix.cells * matrix.tbs_per_cell);
          ends.reduce((from, end) => {
            const at = from * scale, width = (end - from) * scale;
            p.line(
                [
                  [left + at, top + at], [left + at + width, top + at],
                  [left + at + width, top + at + width], [left + at, top + at + width],
                  [left + at, top + at]
                ],
                p.theme.ink, 1);
            return end;
          }, 0);
        }
        p.text(left, top + size + 12, "0", {fill: p.theme.muted, size: 11});
        p.text(
            left + size, top + size + 12, `${whole(at(launch, "graph.tbs"))} TBs`,
            {anchor: "end", fill: p.theme.muted, size: 11});
      });
    });
    panel.note(
        `A point is a pair of ${
            matrix.tbs_per_cell === 1 ?
                "TBs" :
                `cells of ${
                    matrix
                        .tbs_per_cell} TBs`}, brighter where they share more (logarithmic); squares are groups.` +
        (matrix.universal > 0 ? ` All pairs share ${whole(matrix.universal)} units more.` : ""));
    const {row, column, weight} = matrix.by_id;
    panel.table(
        [{name: "row"}, {name: "column"}, {name: "weight"}],
        row.map(
            (value,
             i) => [value * matrix.tbs_per_cell, column[i] * matrix.tbs_per_cell, weight[i]]));
  },
});
