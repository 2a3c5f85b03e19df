// What hardware blocks cost: area, clock, energy.
const nameOfBlock = (block) => `${block.name}${
    Object.entries(block.parameters || {}).map(([key, value]) => ` ${key}=${value}`).join("")}`;
const shortName = (block, blocks) =>
    (blocks.filter((other) => other.name === block.name).length > 1 ? nameOfBlock(block) :
                                                                      block.name);
// Small ones are not none: "0.0042 pJ".
const picojoules = (value) =>
    `${value > 0 && value < 0.1 ? value.toPrecision(2) : fixed(value)} pJ`;

view({
  id: "cost",
  schemas: ["flagstone.synth/1"],
  question: "What does the hardware cost, and does it reach its clock?",
  build(panel, result) {
    const blocks = list(result.blocks);
    if (blocks.length === 0) return panel.missing("The result has no block.");
    const largestBlock = [...blocks].sort((a, b) => b.area_um2 - a.area_um2)[0];
    const slow =
        blocks.filter((block) => isNumber(block.fmax_mhz) && block.fmax_mhz < block.clock_mhz);
    panel.answer(
        (blocks.length === 1 ?
             `${largestBlock.name} takes ${whole(largestBlock.area_um2)} um² (${
                 fixed(largestBlock.area_um2 / 1e6, 4)} mm²) and ${
                 whole(largestBlock.flip_flops)} flip-flops` :
             `${blocks.length} blocks; the largest, ${shortName(largestBlock, blocks)}, takes ${
                 whole(largestBlock.area_um2)} um²`) +
        "; " +
        (slow.length === 0 ?
             "all reach the clock that they were mapped for." :
             `${
                 words(slow.map(
                     (block) => `${shortName(block, blocks)} reaches ${whole(block.fmax_mhz)} of ${
                         whole(block.clock_mhz)} MHz`))}.`));
    const parts = [
      ["sequential", "sequential_um2", kClasses[0]],
      ["combinational", "combinational_um2", kClasses[1]], ["storage", "storage_um2", kClasses[2]]
    ];
    panel.add(legend(parts.map(([name, , colour]) => [name, colour])));
    const left = Math.min(340, 30 + 7 * d3.max(blocks, (block) => shortName(block, blocks).length));
    const options = {left, top: 2, right: 190, barHeight: 16, gap: 5};
    panel.chart(lyingHeight(blocks.length, options) + 38, (p) => {
      const x = lyingBars(
          p,
          blocks.map(
              (block) => ({
                label: shortName(block, blocks),
                block,
                parts: parts.map(
                    ([name, key, colour]) =>
                        ({value: block[key], colour, text: `${name}: ${whole(block[key])} um²`}))
              })),
          {
            ...options,
            most: d3.max(blocks, (block) => block.area_um2),
            total: ({block}) => `${whole(block.area_um2)} um², ${
                isNumber(block.fmax_mhz) ? `${whole(block.fmax_mhz)} MHz` : "no path"}`
          });
      axisBelow(
          p, x, lyingHeight(blocks.length, options), {label: "um², cells side by side, no wires"});
    });
    panel.add(facts([
      ["library", result.library], ["Yosys", at(result, "tools.yosys")],
      ["OpenSTA", at(result, "tools.sta")], ["version", result.version],
      ["command", result.command, true]
    ]));
    panel.table(
        [
          {name: "block", left: true},
          ...["cells", "flip-flops", "um²", "sequential", "combinational", "storage", "depth",
              "MHz", "mapped for MHz", "leakage uW", "pJ an operation", "pJ a cycle (10 %)"]
              .map((name) => ({name}))
        ],
        blocks.map(
            (block) =>
                [nameOfBlock(block), block.cells, block.flip_flops, block.area_um2,
                 block.sequential_um2, block.combinational_um2, block.storage_um2,
                 block.logic_depth, block.fmax_mhz, block.clock_mhz, block.leakage_uw,
                 block.energy_pj, block.default_energy_pj]),
        {filter: blocks.length > 10});
  },
});

view({
  id: "energy",
  half: true,
  schemas: ["flagstone.synth/1"],
  question: "How much energy does an operation take?",
  build(panel, result) {
    const blocks =
        list(result.blocks)
            .filter((block) => isNumber(block.energy_pj) || isNumber(block.default_energy_pj));
    if (blocks.length === 0) return panel.missing("No block's energy is known.");
    const measured = blocks.filter((block) => isNumber(block.energy_pj));
    const leak = [...list(result.blocks)].sort((a, b) => b.leakage_uw - a.leakage_uw)[0];
    panel.answer(
        (measured.length > 0 ?
             `${
                 words(measured.slice(0, 3).map(
                     (block) => `${shortName(block, list(result.blocks))} takes ${
                         picojoules(block.energy_pj)} an operation`))}. ` :
             "Estimated from a tenth of the nets changing in a cycle; --activity measures an operation. ") +
        `${shortName(leak, list(result.blocks))} leaks ${
            short(+leak.leakage_uw.toPrecision(3))} uW.`);
    const left = Math.min(
        300, 30 + 7 * d3.max(blocks, (block) => shortName(block, list(result.blocks)).length));
    const options = {left, top: 2, right: 90, barHeight: 16, gap: 5};
    panel.add(
        legend([["measured, an operation", kClasses[2]], ["estimated, a cycle", kClasses[7]]]));
    panel.chart(
        lyingHeight(blocks.length, options) + 4,
        (p) => lyingBars(
            p, blocks.map((block) => {
              const value = isNumber(block.energy_pj) ? block.energy_pj : block.default_energy_pj;
              return {
                label: shortName(block, list(result.blocks)),
                value,
                parts: [{
                  value,
                  colour: isNumber(block.energy_pj) ? kClasses[2] : kClasses[7],
                  hatch: !isNumber(block.energy_pj),
                  text: nameOfBlock(block)
                }]
              };
            }),
            {
              ...options,
              most: d3.max(
                  blocks,
                  (block) =>
                      (isNumber(block.energy_pj) ? block.energy_pj : block.default_energy_pj)),
              total: (row) => picojoules(row.value)
            }));
    panel.table(
        [
          {name: "block", left: true}, {name: "pJ an operation"}, {name: "pJ a cycle (10 %)"},
          {name: "leakage uW"}
        ],
        list(result.blocks)
            .map(
                (block) =>
                    [nameOfBlock(block), block.energy_pj, block.default_energy_pj,
                     block.leakage_uw]));
  },
});
