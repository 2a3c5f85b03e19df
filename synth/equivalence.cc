#include "synth/equivalence.h"

#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "synth/cell_models.h"
#include "synth/cut_netlist.h"
#include "synth/cut_rtl.h"
#include "synth/yosys.h"

namespace flagstone {
Equivalence ProveEquivalence(const SynthBlock& block, const CellLibrary& library,
                             const MappedBlock& mapped, const std::filesystem::path& folder) {
  const auto abc = FindProgram("berkeley-abc");
  if (!abc) ThrowInternal("equivalence needs abc: install the package 'berkeley-abc'");
  const std::string top(block.name);
  const std::string ram = mapped.macros.empty() ? "" : "*table_storage_ram*";
  RunYosys(ReadScript(block, RtlFilesOf(block.name)) +
               (ram.empty() ? "" : fmt::format("proc {0}\nblackbox {0}\n", ram)) +
               "proc\nflatten\nopt\nmemory_map\nopt -undriven -fine\ntechmap\nopt\n"
               "dfflegalize -cell $_DFF_P_ x -cell $_DLATCH_P_ x -cell $_DLATCH_N_ x\nopt_clean\n"
               "setundef -zero\nwrite_json rtl.json\n",
           folder, block.name);
  CutSide gate;
  CutNetlist(mapped.netlist, {}, {}, &gate);
  const RtlCut rtl = CutRtl(ReadFile(folder / "rtl.json"), mapped.netlist, gate);
  for (const auto& [ours, theirs] :
       {std::pair{gate.inputs, rtl.side.inputs}, std::pair{gate.outputs, rtl.side.outputs}}) {
    for (const std::string& name : ours) {
      if (!theirs.contains(name)) ThrowInternal("{}: the RTL has no '{}'", top, name);
    }
  }
  WriteFileAtomically(folder / "gold.json", rtl.text);
  WriteFileAtomically(folder / "gate.v",
                      CutNetlist(mapped.netlist, rtl.side.inputs, rtl.doubles, &gate));
  WriteFileAtomically(folder / "models.v", CellModels(library));
  RunYosys(fmt::format("read_json gold.json\nhierarchy -top {0}\ntechmap\nopt_clean\n"
                       "write_blif gold.blif\ndesign -reset\n"
                       "read_verilog models.v gate.v\nhierarchy -top {0}\nproc\nflatten\ntechmap\n"
                       "opt_clean\nwrite_blif gate.blif\n",
                       top),
           folder, block.name);
  Equivalence result;
  result.points = gate.outputs.size();
  // What SAT finds equal with little effort (&fraig) goes; the rest, such as sums of many bits, as
  // decision diagrams where these stay small, else by SAT. `cec` also names an output that differs.
  for (const char* command :
       {"miter -m gold.blif gate.blif; &get -n; &fraig -x -C 500; &put; collapse -B 200000; "
        "strash; orpos; prove",
        "cec gold.blif gate.blif"}) {
    const std::string log = RunProcess({abc->string(), "-c", command}, folder).output;
    result.proven =
        log.find("Networks are equivalent") != log.npos || log.find("UNSATISFIABLE") != log.npos;
    result.different.clear();
    if (result.proven) break;
    result.different = TellingLine(log, "Verification failed");
    if (log.find("NOT EQUIVALENT") != log.npos) break;
  }
  return result;
}

}  // namespace flagstone
