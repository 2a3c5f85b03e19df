// What RTL blocks cost: area, clock, leakage, by Yosys and OpenSTA in a cell library.
#ifndef FLAGSTONE_SYNTH_SYNTH_H_
#define FLAGSTONE_SYNTH_SYNTH_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "synth/blocks.h"
#include "synth/cell_library.h"
#include "synth/mapping.h"

namespace flagstone {

struct SynthOptions {
  double wire_ff = 0;  // capacitance of the wire to each pin that a net drives
  size_t jobs = 2;     // blocks at once
  // Asked for between blocks: true ends the work with an exception (kRunFailed).
  std::function<bool()> interrupted;
};

struct SynthResult {
  SynthBlock block;
  uint64_t cells = 0;            // of the library, and macros
  uint64_t flip_flops = 0;       // of these
  double area_um2 = 0;           // the sum of the next three; no wires, cells side by side
  double sequential_um2 = 0;     // flip-flops and clock gates
  double combinational_um2 = 0;  // all else
  double storage_um2 = 0;    // what holds entries of tables and queues: bits of a memory, latches
                             // and RAM macros
  uint64_t logic_depth = 0;  // cells on the longest path between registers or ports
  double fmax_mhz = 0;       // 0: no path
  std::string from, to;      // of the worst path
  double leakage_uw = 0;
  double default_power_uw = 0;      // OpenSTA's, at its default activity
  std::optional<double> energy_pj;  // at each operation, where it was measured

  // Of a cycle at the default activity, leakage less: an estimate for an operation, if one begins
  // in each cycle. None where OpenSTA reports no more than the leakage (its figures have seven
  // digits): of a RAM's accesses it knows nothing.
  std::optional<double> default_energy_pj() const {
    const double dynamic_uw = default_power_uw - leakage_uw;
    if (dynamic_uw <= 1e-6 * leakage_uw || block.clock_mhz <= 0) return std::nullopt;
    return dynamic_uw / block.clock_mhz;
  }
  double seconds = 0;            // wall clock, of the run that was not in the cache
  std::filesystem::path folder;  // scripts, netlist and reports
};

// Called when a block is done, with its position among those done and the number of blocks.
using SynthProgress = std::function<void(const SynthBlock& block, size_t done, size_t number)>;

// The RTL is read from DataFolder()/rtl. Results, with the folder of each, are kept in
// CacheFolder()/synth under a hash of sources, parameters, tool versions and library. Throws
// kInternal when Yosys or OpenSTA is missing (naming the package) or fails on a block. An
// "implicitly declared" signal is a failure: Yosys makes one of a hierarchical reference, and
// silently drops the logic behind it.
std::vector<SynthResult> Synthesize(const std::vector<SynthBlock>& blocks,
                                    const CellLibrary& library, const SynthOptions& options = {},
                                    const SynthProgress& progress = nullptr);

// The document of schema flagstone.synth/1. A block may stand there several times, with other
// parameters or mapped for other clocks. With `detail`, area by instance and the worst path's
// stages are there too (synth/detail_json.h).
nlohmann::ordered_json ToJson(const std::vector<SynthResult>& results, const CellLibrary& library,
                              bool detail = false);

// Output bits that depend on an input bit within the cycle: none in a block behind the seam.
// `files`: Verilog sources; empty: all of DataFolder()/rtl.
std::vector<std::string> CombinationalOutputs(const SynthBlock& block,
                                              const std::vector<std::string>& files = {});

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_SYNTH_H_
