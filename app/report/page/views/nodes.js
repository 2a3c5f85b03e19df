// A machine of several nodes: what goes from node to node, and over which links.
const kSectorBytes = 32;

const kLinkKinds = {
  clockwise: ["ring, clockwise", 0],
  counterclockwise: ["ring, the other way", 4],
  out: ["out of a GPU", 1],
  in : ["into a GPU", 2]
};

function linkName(link) {
  if (link.kind === "out") return `out of GPU ${link.from}`;
  if (link.kind === "in") return `into GPU ${link.to}`;
  return `node ${link.from} to ${link.to}, ${link.kind}`;
}

// GPUs of the machine: each has a link to the switch, where there is one.
const gpusOf = (links) => Math.max(1, list(links).filter((link) => link.kind === "out").length);

view({
  id: "node_traffic",
  schemas: ["flagstone.run/1"],
  question: "How much do nodes fetch from one another?",
  build(panel, run) {
    const nodes = list(at(run.totals, "nodes")), traffic = list(at(run.totals, "traffic"));
    if (nodes.length < 2) return void (panel.skip = true);
    if (traffic.length === 0) return panel.missing("It lacks the key 'traffic': run again.");
    const chiplets = traffic.length / gpusOf(at(run.totals, "links"));
    const gpu = (node) => Math.floor(node / chiplets);
    let all = 0, away = 0, other = 0, most = 0, pair = null;
    traffic.forEach((row, from) => row.forEach((sectors, home) => {
      all += sectors;
      if (home === from) return;
      away += sectors;
      if (gpu(home) !== gpu(from)) other += sectors;
      if (pair === null || sectors > traffic[pair[0]][pair[1]]) pair = [from, home];
    }));
    for (const row of traffic) most = Math.max(most, largest(row));
    if (all === 0)
      panel.answer("No SM missed its node's L2.");
    else
      panel.answer(
          `Of ${bytesText(kSectorBytes * all)} that missed a node's L2, ${
              percent(away / all)} came from another node` +
          (chiplets > 1 && other > 0 ? `, ${percent(other / all)} from another GPU` : "") +
          (away > 0 ?
               `; most, ${bytesText(kSectorBytes * traffic[pair[0]][pair[1]])}, went from node ${
                   pair[1]} to node ${pair[0]}.` :
               "."));
    const left = 64, top = 40;
    const side = (width) => Math.min(560, width - left - 150);
    const colour = (sectors) =>
        quantityColour(0.12 + (0.88 * Math.log1p(sectors)) / Math.log1p(Math.max(1, most)));
    panel.chart((width) => side(width) + top + 12, (p) => {
      const step = side(p.width) / traffic.length;
      p.text(left, 8, "home of the data", {fill: p.theme.muted, size: 11});
      p.text(
          10, top + side(p.width) / 2, "node that asks",
          {anchor: "middle", fill: p.theme.muted, size: 11, turn: -90});
      traffic.forEach((row, from) => {
        p.text(
            left - 8, top + (from + 0.5) * step, `${from}`,
            {anchor: "end", fill: p.theme.muted, size: 11});
        p.text(
            left + (from + 0.5) * step, top - 10, `${from}`,
            {anchor: "middle", fill: p.theme.muted, size: 11});
        row.forEach((sectors, home) => {
          const x = left + home * step, y = top + from * step;
          const fill = sectors > 0 ? colour(sectors) : p.theme.none;
          p.rect(x + 0.5, y + 0.5, step - 1, step - 1, fill);
          if (step >= 30 && sectors > 0)
            p.text(
                x + step / 2, y + step / 2, short(sectors),
                {anchor: "middle", size: 10, fill: inkOn(fill)});
          p.hit(
              x, y, step, step,
              `node ${from} asked node ${home} for ${whole(sectors)} sectors, ${
                  bytesText(kSectorBytes * sectors)}`);
          p.marks += 1;
        });
      });
      // A square around the nodes of each GPU.
      for (let node = 0; chiplets > 1 && node < traffic.length; node += chiplets) {
        const [x, y, size] = [left + node * step, top + node * step, chiplets * step];
        p.line(
            [[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]], p.theme.ink, 1.5);
      }
      const right = left + side(p.width) + 140;
      colourStrip(p, right, top, "0", short(most), (share) => quantityColour(0.12 + 0.88 * share));
    });
    panel.note(
        "Sectors of 32 B, logarithmic. The diagonal is what stayed in its node" +
        (chiplets > 1 ? "; squares are GPUs." : "."));
    panel.table(
        [
          {name: "node that asks"}, {name: "home"}, {name: "sectors"}, {name: "bytes"},
          {name: "way", left: true}
        ],
        traffic.flatMap(
            (row, from) => row.map(
                (sectors, home) =>
                    [from, home, sectors, kSectorBytes * sectors,
                     from === home               ? "own node" :
                         gpu(from) === gpu(home) ? "own GPU" :
                                                   "other GPU"])));
  },
});

view({
  id: "links",
  schemas: ["flagstone.run/1"],
  question: "Which link between nodes is full?",
  build(panel, run) {
    if (list(at(run.totals, "nodes")).length < 2) return void (panel.skip = true);
    const links = list(at(run.totals, "links")).filter((link) => isNumber(link.bytes));
    if (links.length === 0) return panel.missing("It lacks the key 'links': run again.");
    const load = (link) => (link.capacity > 0 ? link.bytes / link.capacity : 0);
    const kinds = Object.keys(kLinkKinds).filter((kind) => links.some((l) => l.kind === kind));
    const rings = links.filter((link) => !["in", "out"].includes(link.kind));
    const switches = links.filter((link) => ["in", "out"].includes(link.kind));
    const whole_load = (some) =>
        sum(some.map((link) => link.bytes)) / Math.max(1, sum(some.map((link) => link.capacity)));
    const busiest = links.reduce((a, b) => (load(b) > load(a) ? b : a));
    const parts = [];
    if (rings.length > 0) parts.push(`the rings' links ${percent(whole_load(rings))}`);
    if (switches.length > 0) parts.push(`the switch's ${percent(whole_load(switches))}`);
    panel.answer(
        load(busiest) > 0 ? `The busiest link, ${linkName(busiest)}, moved ${
                                percent(load(busiest))} of what it can; together ${words(parts)}.` :
                            "Nothing went from node to node.");
    panel.add(legend(kinds.map((kind) => [kLinkKinds[kind][0], classColour(kLinkKinds[kind][1])])));
    // By GPU: the links of its ring, then out of it and into it.
    const gpus = gpusOf(links), perGpu = list(at(run.totals, "nodes")).length / gpus;
    const end = (link) => (link.kind === "in" ? link.to : link.from);
    const gpuOf = (link) =>
        (["in", "out"].includes(link.kind) ? end(link) : Math.floor(end(link) / perGpu));
    const groups = d3.range(gpus).map(
        (gpu) => links.filter((link) => gpuOf(link) === gpu)
                     .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)));
    panel.chart(220, (p) => {
      const left = 56, right = p.width - 10, bottom = 180;
      const y = d3.scaleLinear([0, Math.max(load(busiest), 1e-4)], [bottom, 24]).nice(4);
      axisLeft(
          p, y, left, right,
          {label: "share of a link's bytes", ticks: 4, format: (v) => `${short(100 * v)} %`});
      const width = (right - left) / (links.length + gpus);
      let x = left + width / 2;
      groups.forEach((group, gpu) => {
        const start = x;
        for (const link of group) {
          const height = Math.max(1, bottom - y(load(link)));
          p.rect(x, bottom - height, width * 0.86, height, classColour(kLinkKinds[link.kind][1]));
          p.hit(
              x, 10, width, bottom - 10,
              `${linkName(link)}: ${percent(load(link))}, ${whole(link.packets)} packets, ${
                  bytesText(link.bytes)}`);
          if (width > 16)
            p.text(
                x + width * 0.43, bottom + 9,
                ["in", "out"].includes(link.kind) ? link.kind : `${end(link)}`,
                {anchor: "middle", size: 9, fill: p.theme.muted});
          p.marks += 1;
          x += width;
        }
        p.text((start + x) / 2, bottom + 26, `GPU ${gpu}`, {anchor: "middle", size: 12});
        x += width;
      });
    });
    if (rings.length > 0) panel.note("A number below a ring's link is the node that it leaves.");
    panel.table(
        [
          {name: "link", left: true}, {name: "packets"}, {name: "bytes"}, {name: "could move"},
          {name: "share", format: (v) => percent(v, 2)}
        ],
        links.map((link) => [linkName(link), link.packets, link.bytes, link.capacity, load(link)]));
  },
});
