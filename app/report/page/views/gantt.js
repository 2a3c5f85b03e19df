// TBs by SM and time, coloured by group, with steals.
const kMostBoxes = 20000;  // more spans than this are drawn pixel by pixel

// For each row (an SM's slot) its TBs in the order of their starts.
function rowsOf(placed) {
  const rows = placed.sms * placed.slots;
  const start = new Int32Array(rows + 1);
  for (let i = 0; i < placed.count; ++i) ++start[placed.sm[i] * placed.slots + placed.slot[i] + 1];
  for (let row = 0; row < rows; ++row) start[row + 1] += start[row];
  const next = start.slice(), order = new Int32Array(placed.count);
  for (let i = 0; i < placed.count; ++i)
    order[next[placed.sm[i] * placed.slots + placed.slot[i]]++] = i;
  return {rows, start, order};
}

// Index in `order` of the last TB of a row that begins at `cycle` or before; -1: none.
function lastBefore(placed, {start, order}, row, cycle) {
  let low = start[row], high = start[row + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placed.from[order[middle]] <= cycle)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1 >= start[row] ? low - 1 : -1;
}

const kGanttColours = {
  group: {name: "group", of: (placed) => (i) => placed.group[i], classes: true},
  tb: {name: "TB id", of: (placed) => (i) => placed.tb[i], classes: false},
  launch: {name: "launch", of: (placed) => (i) => placed.launch[i], classes: true},
};

// A function from a TB's index to its colour.
function colouring(placed, key) {
  const {of, classes} = kGanttColours[key];
  const value = of(placed);
  if (classes) {
    const colours = new Map();
    return (i) => {
      const group = value(i);
      if (!colours.has(group)) colours.set(group, group < 0 ? "#9aa3ab" : classColour(group));
      return colours.get(group);
    };
  }
  const most = Math.max(1, largest(placed.tb));
  const shades = d3.range(65).map((k) => quantityColour(k / 64));
  return (i) => shades[Math.round((64 * value(i)) / most)];
}

// Spans as boxes, one path for each colour.
function drawBoxes(p, placed, colour, x, rowTop, rowHeight, window) {
  const boxes = new Map();
  const gap = rowHeight > 4 ? 1 : 0;
  for (let i = 0; i < placed.count; ++i) {
    if (placed.to[i] < window.from || placed.from[i] > window.to) continue;
    const left = x(Math.max(placed.from[i], window.from)),
          right = x(Math.min(placed.to[i], window.to));
    const fill = colour(i);
    if (!boxes.has(fill)) boxes.set(fill, []);
    boxes.get(fill).push(
        left, rowTop(placed.sm[i], placed.slot[i]),
        Math.max(right - left - (right - left > 3 ? 0.6 : 0), 0.6), rowHeight - gap);
    p.marks += 1;
  }
  for (const [fill, list] of boxes) p.boxes(list, fill);
  return 0;
}

// A colour for each TB as pixels have it, worked out once.
const packedOf = new WeakMap();
function packedColours(placed, colour) {
  if (!packedOf.has(colour)) {
    const known = new Map(), fills = new Uint32Array(placed.count);
    for (let i = 0; i < placed.count; ++i) {
      const text = colour(i);
      if (!known.has(text)) known.set(text, packed(text));
      fills[i] = known.get(text);
    }
    packedOf.set(colour, fills);
  }
  return packedOf.get(colour);
}

// Spans as pixels: where several TBs meet in one, it shows the one that ran there longest. Gives
// the number of TBs that are narrower than a pixel.
function drawPixels(p, placed, colour, plot, window, rowsShown) {
  const columns = Math.round((plot.right - plot.left) * (p.ratio || 1));
  const lines =
      Math.max(1, Math.min(rowsShown, Math.round((plot.bottom - plot.top) * (p.ratio || 1))));
  const pixels = new Uint32Array(columns * lines).fill(packed(p.theme.empty));
  const longest = new Float32Array(columns * lines);
  const scale = columns / (window.to - window.from);
  const fills = packedColours(placed, colour);
  let narrow = 0;
  for (let i = 0; i < placed.count; ++i) {
    if (placed.to[i] < window.from || placed.from[i] > window.to) continue;
    p.marks += 1;
    const from = Math.max(0, (placed.from[i] - window.from) * scale);
    const to = Math.min(columns, (placed.to[i] - window.from) * scale);
    if (to - from < 1) ++narrow;
    const fill = fills[i];
    const row =
        Math.floor(((placed.sm[i] * placed.slots + placed.slot[i]) * lines) / rowsShown) * columns;
    const last = Math.min(columns - 1, Math.floor(to));
    for (let at = Math.floor(from); at <= last; ++at) {
      const share = Math.min(to, at + 1) - Math.max(from, at);
      if (share <= longest[row + at]) continue;
      longest[row + at] = share;
      pixels[row + at] = fill;
    }
  }
  p.image(
      plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top, pixels, columns, lines);
  return narrow;
}

function drawSteals(p, placed, x, smMiddle, window) {
  const shown =
      placed.steals.filter((steal) => steal.cycle >= window.from && steal.cycle <= window.to);
  for (const steal of shown) {
    const at = x(steal.cycle), from = smMiddle(steal.donor), to = smMiddle(steal.thief);
    const down = to > from ? 1 : -1;
    if (shown.length <= 400) {
      p.line([[at, from], [at, to]], p.theme.ink, 1.25);
      p.area([[at, to], [at - 4, to - 7 * down], [at + 4, to - 7 * down]], p.theme.ink);
    }
    p.circle(at, from, 2.5, p.theme.ink);
  }
  return shown.length;
}

view({
  id: "gantt",
  schemas: ["flagstone.run/1"],
  question: "Which TB ran where, and when?",
  build(panel, run) {
    const placed = placements(run);
    if (!placed) return panel.missing(detailComesBy(run));
    const index = rowsOf(placed), launches = list(run.launches).length;
    const window = windowOf(panel, placed.end);
    let key = placed.groups > 0 ? "group" : "tb";
    const busy = placed.to.reduce((cycles, to, i) => cycles + to - placed.from[i], 0) /
        (placed.end * index.rows);
    const used = new Set(placed.sm).size;
    panel.answer(
        `${plural(placed.count, "TB")} ran on ${used < placed.sms ? `${whole(used)} of ` : ""}${
            plural(placed.sms, "SM")} in ${whole(placed.end)} cycles; ` +
        `the TB contexts were filled for ${percent(busy)} of the time` +
        (placed.groups > 0 ?
             `. ${plural(placed.allGroups, "group")}${
                 launches > 1 ? ` in ${launches} launches` : ""}; ${
                 placed.steals.length > 0 ?
                     `${plural(placed.steals.length, "steal")} moved TBs from one SM to another` :
                     "no SM took TBs of another"}.` :
             "."));
    panel.controls(
        panel.choice(
            "Colour by",
            [
              ...(placed.groups > 0 ? [["group", "group"]] : []), ["tb", "TB id"],
              ...(launches > 1 ? [["launch", "launch"]] : [])
            ],
            (chosen) => {
              key = chosen;
              chart.redraw();
            }),
        ...timeControls(window));
    const left = 52, right = 8, top = 6, below = 34;
    const rowHeight = Math.max(Math.min(12, 460 / index.rows), Math.min(2, 800 / index.rows));
    const colours = {};
    let note = null;
    const chart = panel.chart(top + below + rowHeight * index.rows, (p) => {
      const plot = {left, right: p.width - right, top, bottom: top + rowHeight * index.rows};
      const x = d3.scaleLinear([window.from, window.to], [plot.left, plot.right]);
      const shades = `${key} ${isDark()}`;
      const colour = colours[shades] || (colours[shades] = colouring(placed, key));
      const smTop = (sm) => top + sm * placed.slots * rowHeight;
      p.rect(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top, p.theme.empty);
      let visible = 0;
      for (let i = 0; i < placed.count; ++i)
        visible += placed.to[i] >= window.from && placed.from[i] <= window.to;
      const together = visible > kMostBoxes ?
          drawPixels(p, placed, colour, plot, window, index.rows) :
          drawBoxes(
              p, placed, colour, x, (sm, slot) => smTop(sm) + slot * rowHeight, rowHeight, window);
      const smHeight = placed.slots * rowHeight, every = Math.ceil(12 / smHeight);
      for (let sm = 0; sm < placed.sms; ++sm) {
        if (smHeight > 6) p.line([[plot.left, smTop(sm)], [plot.right, smTop(sm)]], p.theme.page);
        if (sm % every === 0)
          p.text(
              plot.left - 6, smTop(sm) + smHeight / 2, `SM ${sm}`,
              {anchor: "end", fill: p.theme.muted, size: 11});
      }
      const steals = drawSteals(p, placed, x, (sm) => smTop(sm) + smHeight / 2, window);
      panel.root.dataset.steals = steals;
      axisBelow(p, x, plot.bottom, {label: "core cycles"});
      note.textContent = together > 0 ?
          `Drawn together: ${whole(together)} of ${
              whole(
                  visible)} TBs are narrower than a pixel, which shows the TB that ran there longest. Choose less time to tell them apart.` :
          visible === 1 ? "One TB is drawn." :
                          `Each of ${plural(visible, "TB")} is drawn by itself.`;
      if (steals > 0)
        note.textContent += " Arrows lead from the SM that gave TBs to the one that took them.";
    }, {
      hover(px, py, p) {
        const cycle =
            window.from + ((px - left) / (p.width - right - left)) * (window.to - window.from);
        const row = Math.floor((py - top) / rowHeight);
        if (px < left || row < 0 || row >= index.rows) return null;
        const at = lastBefore(placed, index, row, cycle);
        if (at < 0) return null;
        const i = index.order[at];
        if (placed.to[i] < cycle) return null;
        return `TB ${placed.tb[i]}${placed.group[i] >= 0 ? `, group ${placed.group[i]}` : ""}${
                   launches > 1 ? `, launch ${placed.launch[i] + 1}` : ""}\n` +
            `SM ${placed.sm[i]}, slot ${placed.slot[i]}\ncycles ${whole(placed.from[i])} to ${
                   whole(placed.to[i])}`;
      }
    });
    note = panel.note("");
    chooseTime(chart, window, left, right);
    panel.note("Drag to choose a time, double click for the whole run; keys: arrows, +, -, 0.")
        .classList.add("hint");
    const rows = d3.range(Math.min(placed.count, kMostRows)).map((i) => row(i));
    function row(i) {
      return [
        placed.launch[i] + 1, placed.tb[i], placed.group[i] < 0 ? null : placed.group[i],
        placed.sm[i], placed.slot[i], placed.from[i], placed.to[i]
      ];
    }
    const columns = ["launch", "TB", "group", "SM", "slot", "from", "to"].map((name) => ({name}));
    panel.table(columns, rows);
    panel.csv = () => csvText(columns, d3.range(placed.count).map(row));
    if (placed.count > rows.length)
      panel.note(
          `The table shows ${whole(rows.length)} of ${whole(placed.count)} TBs; the CSV has all.`);
  },
});
