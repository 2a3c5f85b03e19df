// Where a hardware block's area is, and its worst path.

// One block of several, chosen by its own list in each view.
function chooseBlock(panel, blocks, chosen) {
  if (blocks.length > 1)
    panel.controls(panel.choice(
        "Block", blocks.map((block, i) => [i, nameOfBlock(block)]), (i) => chosen(blocks[i])));
}

view({
  id: "area",
  schemas: ["flagstone.synth/1"],
  question: "Which part takes the area?",
  build(panel, result) {
    const blocks = list(result.blocks).filter((block) => list(block.instances).length > 0);
    if (blocks.length === 0) return panel.missing("Synthesise with --detail or --report.");
    let shown = [...blocks].sort((a, b) => b.area_um2 - a.area_um2)[0];
    const largestPart = [...shown.instances].sort((a, b) => b.area_um2 - a.area_um2)[0];
    panel.answer(`In ${shown.name}, ${largestPart.path} takes ${
        percent(largestPart.area_um2 / shown.area_um2)}; ${
        whole(shown.flip_flops)} flip-flops stand in ${
        plural(shown.instances.filter((part) => part.flip_flops > 0).length, "instance")}.`);
    chooseBlock(panel, [shown, ...blocks.filter((block) => block !== shown)], (block) => {
      shown = block;
      chart.redraw();
    });
    const chart = panel.chart(380, (p) => {
      // By the path's parts: u_queues.gen_sm[3].u_queue stands in u_queues.
      const tree = {name: shown.name, children: [], index: new Map()};
      for (const part of shown.instances) {
        let node = tree;
        for (const name of part.path.split(".")) {
          if (!node.index.has(name)) {
            const child = {name, children: [], index: new Map()};
            node.index.set(name, child);
            node.children.push(child);
          }
          node = node.index.get(name);
        }
        node.children.push({name: part.path, part, children: []});
      }
      const root = d3.hierarchy(tree, (node) => (node.children.length > 0 ? node.children : null))
                       .sum((node) => (node.part ? node.part.area_um2 : 0))
                       .sort((a, b) => b.value - a.value);
      d3.treemap()
          .size([p.width, p.height])
          .paddingInner(1)
          .paddingTop((node) => (node.depth === 1 && node.height > 1 ? 15 : 0))
          .round(true)(root);
      const tops = root.children || [];
      for (const leaf of root.leaves()) {
        if (!leaf.data.part) continue;
        const {x0, x1, y0, y1} = leaf, part = leaf.data.part,
                           top = leaf.ancestors().find((node) => node.depth === 1) || leaf;
        const colour = d3.hsl(part.flip_flops > 0 ? "#56b4e9" : "#e69f00");
        colour.l += 0.16 * ((tops.indexOf(top) % 4) / 4) - 0.04;
        p.rect(x0, y0, x1 - x0, y1 - y0, colour.toString());
        if (x1 - x0 > 60 && y1 - y0 > 16) {
          const name = part.path.split(".").slice(-2).join(".");
          p.text(x0 + 4, y0 + 10, name, {size: 11, fill: "#000", room: x1 - x0 - 8});
          if (y1 - y0 > 30)
            p.text(
                x0 + 4, y0 + 24, `${whole(part.area_um2)} um²`,
                {size: 11, fill: "#000", room: x1 - x0 - 8});
        }
        p.hit(
            x0, y0, x1 - x0, y1 - y0,
            `${part.path}\n${whole(part.area_um2)} um² (${
                percent(part.area_um2 / shown.area_um2)}), ${whole(part.flip_flops)} flip-flops`);
        p.marks += 1;
      }
      for (const node of tops)
        if (node.height > 1 && node.x1 - node.x0 > 40)
          p.text(
              node.x0 + 2, node.y0 + 8, `${node.data.name}: ${whole(node.value)} um²`,
              {size: 11, weight: "600", room: node.x1 - node.x0 - 6});
    });
    panel.note(
        "Blue: instances with registers, by the registers' area; orange: what holds none. The mapping mixes the logic of all instances: it is one tile.");
    panel.table(
        [
          {name: "block", left: true}, {name: "instance", left: true}, {name: "um²"},
          {name: "flip-flops"}
        ],
        blocks.flatMap(
            (block) => block.instances.map(
                (part) => [nameOfBlock(block), part.path, part.area_um2, part.flip_flops])),
        {filter: true});
  },
});

view({
  id: "path",
  schemas: ["flagstone.synth/1"],
  question: "What limits the clock?",
  build(panel, result) {
    const blocks =
        list(result.blocks).filter((block) => list(at(block, "worst_path.stages")).length > 0);
    if (blocks.length === 0)
      return panel.missing(
          "Synthesise with --detail or --report; a block without registers has no path.");
    let shown = [...blocks].sort((a, b) => a.fmax_mhz / a.clock_mhz - b.fmax_mhz / b.clock_mhz)[0];
    const stages = shown.worst_path.stages;
    const slowest = [...stages].sort((a, b) => b.delay_ps - a.delay_ps)[0];
    panel.answer(`In ${shown.name}, ${plural(stages.length, "stage")} from ${
        shown.worst_path.from} to ${shown.worst_path.to} take ${
        whole(stages[stages.length - 1].arrival_ps)} ps; the slowest is ${slowest.cell} with ${
        whole(slowest.delay_ps)} ps.`);
    chooseBlock(panel, [shown, ...blocks.filter((block) => block !== shown)], (block) => {
      shown = block;
      chart.redraw();
    });
    const height = 16, kindOf = (stage) => stage.cell.replace(/_X\d+$/, "");
    const kindsOf = (block) => [...new Set(block.worst_path.stages.map(kindOf))];
    const key = element("div");
    panel.add(key);
    const chart = panel.chart(() => shown.worst_path.stages.length * height + 40, (p) => {
      const rows = shown.worst_path.stages, period = 1e6 / shown.clock_mhz, left = 330;
      const x = d3.scaleLinear(
          [0, Math.max(period, rows[rows.length - 1].arrival_ps) * 1.02], [left, p.width - 70]);
      const cells = kindsOf(shown);
      key.replaceChildren(legend(cells.map((cell, i) => [cell, classColour(i)])));
      rows.forEach((stage, i) => {
        const y = 2 + i * height;
        p.text(
            left - 8, y + height / 2,
            `${stage.pin.length > 40 ? `…${stage.pin.slice(-39)}` : stage.pin}  ${stage.cell}`,
            {anchor: "end", size: 11, room: left - 10});
        const from = x(stage.arrival_ps - stage.delay_ps);
        p.rect(
            from, y + 1, Math.max(1, x(stage.arrival_ps) - from), height - 2,
            classColour(cells.indexOf(kindOf(stage))));
        if (i > 0) p.line([[from, y - height / 2], [from, y + height / 2]], p.theme.muted, 0.75);
        p.text(
            x(stage.arrival_ps) + 5, y + height / 2, `${whole(stage.delay_ps)} ps`,
            {size: 10, fill: p.theme.muted});
        p.hit(
            left, y, p.width - left, height,
            `${stage.pin}\n${stage.cell}: ${fixed(stage.delay_ps, 1)} ps, at ${
                fixed(stage.arrival_ps, 1)} ps`);
        p.marks += 1;
      });
      const bottom = 2 + rows.length * height;
      p.line([[x(period), 0], [x(period), bottom]], "#d55e00", 1.25, [4, 3]);
      axisBelow(p, x, bottom, {
        label: `ps from the clock's edge; dashed: the period at ${whole(shown.clock_mhz)} MHz`,
        format: whole
      });
    });
    panel.table(
        [
          {name: "block", left: true}, {name: "pin", left: true}, {name: "cell", left: true},
          {name: "delay ps"}, {name: "arrival ps"}
        ],
        blocks.flatMap(
            (block) => block.worst_path.stages.map(
                (stage) =>
                    [nameOfBlock(block), stage.pin, stage.cell, stage.delay_ps,
                     stage.arrival_ps])));
  },
});
