// What RTL blocks take of an FPGA, and the clock they reach there: Yosys and nextpnr.
#ifndef FLAGSTONE_SYNTH_FPGA_H_
#define FLAGSTONE_SYNTH_FPGA_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "synth/blocks.h"
#include "synth/synth.h"

namespace flagstone {

// The chip that blocks are placed on.
struct FpgaDevice {
  std::string_view family;  // --fpga
  std::string_view part, package;
  uint64_t logic_cells = 0;  // a LUT of four inputs, a carry and a flip-flop each
  uint64_t block_rams = 0;   // of 4 Kbit
};
inline constexpr FpgaDevice kIce40 = {"ice40", "HX8K", "ct256", 7680, 32};

struct FpgaResult {
  SynthBlock block;
  uint64_t luts = 0, flip_flops = 0, carries = 0, block_rams = 0;  // of the block alone
  uint64_t logic_cells = 0;                                        // that these are packed into
  uint64_t wrapper_luts = 0;        // beside these: the pin wrapper (synth/fpga_wrapper.h)
  uint64_t wrapper_flip_flops = 0;  // each a logic cell
  bool fits = false;                // block and wrapper together
  uint32_t seed = 0;                // of the placement that is the fastest; 0: none
  double fmax_mhz = 0;              // after routing; 0: it does not fit
  std::string from, to;             // of the slowest path, by the RTL's names
  double seconds = 0;               // wall clock, of the run that was not in the cache
  std::filesystem::path folder;     // scripts, netlists, logs and nextpnr's report
};

// Places and routes each block, behind a pin wrapper, from each of three fixed seeds, and keeps the
// fastest; equal sources and tools give equal results. They are kept beside those of Synthesize().
// Throws kInternal when Yosys or nextpnr-ice40 is missing (naming the package) or fails on a block.
std::vector<FpgaResult> RouteOnFpga(const std::vector<SynthBlock>& blocks,
                                    const SynthOptions& options = {},
                                    const SynthProgress& progress = nullptr);

// The document of schema flagstone.fpga/1.
nlohmann::ordered_json ToJson(const std::vector<FpgaResult>& results);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_FPGA_H_
