// The grid, a cell for each TB: what did the policy do to it?
const kMostCells = 256;  // in each direction

// Cells along one direction, and how many TBs are in each.
function cellsOf(extent) {
  const step = Math.ceil(extent / kMostCells);
  return {step, count: Math.ceil(extent / step)};
}

// Draws one value per TB of `grid`, by a colour of its own; TBs that share a cell show the last
// one.
function drawGrid(p, grid, colourOf, box) {
  const [gx, gy, gz] = grid;
  const height = gy * gz;
  const across = cellsOf(gx), down = cellsOf(height);
  const pixels = new Uint32Array(across.count * down.count).fill(packed(p.theme.none));
  const count = gx * height;
  for (let tb = 0; tb < count; ++tb) {
    const colour = colourOf(tb);
    p.marks += 1;
    if (colour === null) continue;
    pixels[Math.floor(Math.floor(tb / gx) / down.step) * across.count + Math.floor((tb % gx) / across.step)] = packed(colour);
  }
  const size = Math.min(box.width / across.count, box.height / down.count, 26);
  const width = Math.max(size * across.count, Math.min(box.width, 60)),
        tall = Math.max(size * down.count, Math.min(box.height, 14));
  p.image(box.left, box.top, width, tall, pixels, across.count, down.count);
  const wide = width / across.count, high = tall / down.count;
  if (size > 5) {
    for (let i = 1; i < across.count; ++i)
      p.line(
          [[box.left + i * wide, box.top], [box.left + i * wide, box.top + tall]], p.theme.page,
          0.5);
    for (let i = 1; i < down.count; ++i)
      p.line(
          [[box.left, box.top + i * high], [box.left + width, box.top + i * high]], p.theme.page,
          0.5);
  }
  return {width, height: tall, across, down};
}

const tbAt = (grid, shape, px, py, box) => {
  const x = Math.floor(((px - box.left) / shape.width) * shape.across.count) * shape.across.step;
  const y = Math.floor(((py - box.top) / shape.height) * shape.down.count) * shape.down.step;
  if (x < 0 || y < 0 || x >= grid[0] || y >= grid[1] * grid[2] || px < box.left || py < box.top)
    return -1;
  return y * grid[0] + x;
};

view({
  id: "grid",
  half: true,
  schemas: ["flagstone.run/1"],
  question: "What did the policy do to the grid?",
  build(panel, run) {
    const placed = placements(run);
    const launches = list(run.launches);
    if (!placed) return panel.missing(detailComesBy(run));
    let number = launches.findIndex(
        (launch) => list(at(launch, "timeline.tb")).length > 0 && list(launch.grid).length === 3 &&
            launch.grid.every((extent) => extent > 0));
    if (number < 0) return panel.missing("No launch says its grid.");
    let key = "sm", shape = null, where = null;
    const load = () => {
      const grid = launches[number].grid;
      const count = grid[0] * grid[1] * grid[2];
      where = {
        grid,
        sm: new Int32Array(count).fill(-1),
        group: new Int32Array(count).fill(-1),
        from: new Float64Array(count),
        end: 1
      };
      for (let i = 0; i < placed.count; ++i) {
        if (placed.launch[i] !== number) continue;
        const tb = placed.tb[i];
        where.sm[tb] = placed.sm[i];
        where.group[tb] = placed.group[i];
        where.from[tb] = placed.from[i];
      }
      where.end = Math.max(1, largest(where.from));
    };
    load();
    const colours = {
      sm: (tb) =>
          (where.sm[tb] < 0    ? null :
               placed.sms > 24 ? quantityColour(where.sm[tb] / placed.sms) :
                                 classColour(where.sm[tb])),
      group: (tb) => (where.group[tb] < 0 ? null : classColour(where.group[tb])),
      from: (tb) => (where.sm[tb] < 0 ? null : quantityColour(where.from[tb] / where.end)),
    };
    // Neighbours along x that share an SM: what lrr breaks up.
    const say = () => {
      let together = 0, pairs = 0;
      for (let tb = 0; tb + 1 < where.sm.length; ++tb) {
        if ((tb + 1) % where.grid[0] === 0) continue;
        ++pairs;
        together += where.sm[tb] === where.sm[tb + 1] && where.sm[tb] >= 0;
      }
      const of = launches.length > 1 ? `In launch ${number + 1}, ` : "";
      if (pairs === 0) return of ? `${of}the grid is one TB wide.` : "The grid is one TB wide.";
      return `${of}${percent(together / pairs)} of neighbours along x ran on the same SM; ` +
          `spread at random it would be ${percent(1 / placed.sms)}.`;
    };
    const answer = panel.answer(say());
    panel.controls(
        panel.choice(
            "Colour by",
            [
              ["sm", "SM"], ...(placed.groups > 0 ? [["group", "group"]] : []),
              ["from", "start time"]
            ],
            (chosen) => {
              key = chosen;
              chart.redraw();
            }),
        launches.length > 1 ?
            panel.choice(
                "Launch",
                launches.map((launch, i) => [i, `${i + 1}: ${kernelName(launch)}`]).slice(0, 200),
                (chosen) => {
                  number = +chosen;
                  load();
                  answer.textContent = say();
                  chart.redraw();
                },
                number) :
            "");
    const box = {left: 20, top: 20};
    const chart = panel.chart(
        (width) => {
          const [gx, gy, gz] = launches[number].grid;
          const across = cellsOf(gx).count, down = cellsOf(gy * gz).count;
          return 30 + Math.max(30, Math.min(320, down * Math.min(26, (width - 30) / across)));
        },
        (p) => {
          box.width = p.width - 30;
          box.height = p.height - 30;
          p.text(
              box.left, 9,
              `x: ${plural(where.grid[0], "TB")}, y: ${where.grid[1]}${
                  where.grid[2] > 1 ? `, z: ${where.grid[2]}, one below another` : ""}`,
              {fill: p.theme.muted, size: 11});
          shape = drawGrid(p, where.grid, colours[key], box);
        },
        {
          hover(px, py) {
            const tb = tbAt(where.grid, shape, px, py, box);
            if (tb < 0) return null;
            return where.sm[tb] < 0 ?
                `TB ${tb}: did not run` :
                `TB ${tb}: SM ${where.sm[tb]}${
                    where.group[tb] >= 0 ? `, group ${where.group[tb]}` :
                                           ""}, from cycle ${whole(where.from[tb])}`;
          }
        });
    const {across, down} = {
      across: cellsOf(where.grid[0]),
      down: cellsOf(where.grid[1] * where.grid[2])
    };
    if (across.step * down.step > 1)
      panel.note(`A cell stands for ${across.step} x ${down.step} TBs and shows the last of them.`);
    const perSm = new Int32Array(placed.sms);
    for (let i = 0; i < placed.count; ++i) ++perSm[placed.sm[i]];
    panel.table([{name: "SM"}, {name: "TBs"}], [...perSm].map((count, sm) => [sm, count]));
  },
});
