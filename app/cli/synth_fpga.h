// `flagstone synth --fpga`: what the hardware blocks take of an FPGA.
#ifndef FLAGSTONE_APP_CLI_SYNTH_FPGA_H_
#define FLAGSTONE_APP_CLI_SYNTH_FPGA_H_

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/report_option.h"
#include "synth/fpga.h"

namespace flagstone {

// A row for each block, and what its columns mean.
std::string FpgaText(const std::vector<FpgaResult>& results);

// Routes the blocks, prints the table, and writes JSON and page where they are wanted.
void SynthOnFpga(const std::vector<SynthBlock>& blocks, const CommonOptions& common,
                 const ReportOption& report);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_SYNTH_FPGA_H_
