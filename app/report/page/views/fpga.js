// What hardware blocks take of an FPGA.
view({
  id: "fpga",
  schemas: ["flagstone.fpga/1"],
  question: "Does it fit the FPGA, and how fast is it there?",
  build(panel, result) {
    const blocks = list(result.blocks), cells = at(result, "device.logic_cells");
    if (blocks.length === 0) return panel.missing("The result has no block.");
    const largest = [...blocks].sort((a, b) => b.logic_cells - a.logic_cells)[0];
    const outside = blocks.filter((block) => !block.fits);
    panel.answer(
        `${shortName(largest, blocks)} takes ${whole(largest.logic_cells)} of ${
            whole(cells)} logic cells (${whole(100 * largest.logic_cells / cells)} %); ` +
        (outside.length === 0 ?
             blocks.length > 1 ? "all fit." : `it runs at ${fixed(largest.fmax_mhz, 1)} MHz.` :
                                 `${words(outside.map((block) => shortName(block, blocks)))} ${
                 outside.length > 1 ? "do" : "does"                    } not fit beside the pin wrapper.`));
    const parts = [["the block", kClasses[0]], ["pin wrapper", kClasses[7]]];
    panel.add(legend(parts));
    const left = Math.min(340, 30 + 7 * d3.max(blocks, (block) => shortName(block, blocks).length));
    const options = {left, top: 2, right: 130, barHeight: 16, gap: 5};
    panel.chart(lyingHeight(blocks.length, options) + 38, (p) => {
      const wrapped = (block) => block.logic_cells + at(block, "wrapper.logic_cells");
      const x = lyingBars(
          p, blocks.map((block) => ({
                          label: shortName(block, blocks),
                          block,
                          parts: [block.logic_cells, at(block, "wrapper.logic_cells")].map(
                              (value, i) => ({
                                value,
                                colour: parts[i][1],
                                hatch: i === 1,
                                text: `${parts[i][0]}: ${whole(value)} logic cells`
                              }))
                        })),
          {
            ...options,
            most: Math.max(cells, d3.max(blocks, wrapped)),
            total: ({block}) => (block.fits ? `${fixed(block.fmax_mhz, 1)} MHz` : "does not fit")
          });
      axisBelow(
          p, x, lyingHeight(blocks.length, options),
          {label: `logic cells; the ${at(result, "device.part")} has ${whole(cells)}`});
    });
    panel.add(facts([
      ["device", `${at(result, "device.part")} (${at(result, "device.package")})`],
      ["Yosys", at(result, "tools.yosys")], ["nextpnr", at(result, "tools.nextpnr")],
      ["version", result.version], ["command", result.command, true]
    ]));
    panel.table(
        [
          {name: "block", left: true},
          ...["LUTs", "flip-flops", "carries", "block RAMs", "logic cells", "MHz", "seed",
              "wrapper's logic cells"]
              .map((name) => ({name})),
          {name: "slowest path from", left: true}, {name: "to", left: true}
        ],
        blocks.map(
            (block) =>
                [nameOfBlock(block), block.luts, block.flip_flops, block.carries, block.block_rams,
                 block.logic_cells, block.fmax_mhz, block.seed, at(block, "wrapper.logic_cells"),
                 at(block, "worst_path.from"), at(block, "worst_path.to")]),
        {filter: blocks.length > 10});
  },
});
