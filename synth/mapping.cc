#include "synth/mapping.h"

#include "base/error.h"
#include "base/file.h"
#include "synth/output_buffers.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

// Registers narrower than this keep their multiplexers: a clock gate costs about two of them.
constexpr int kGatedBits = 4;
// Widest register behind one clock gate: what its output can drive.
constexpr int kGateFanout = 64;

bool HasRam(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (fs::path(file).stem() == "table_storage_ram") return true;
  }
  return false;
}

// The expression's pin, without inversion and brackets.
std::string PinName(std::string expression) {
  std::erase_if(expression,
                [](char c) { return std::string_view("()!' ").find(c) != std::string_view::npos; });
  return expression;
}

const CellPin* Output(const LibraryCell& cell, const std::string& function) {
  for (const CellPin& pin : cell.pins) {
    if (!pin.input && (function.empty() || pin.function == function)) return &pin;
  }
  return nullptr;
}

// A word-wide register with an enable becomes clock gates and plain registers.
std::string ClockGateMap(const CellLibrary& library) {
  const LibraryCell* gate = library.Smallest(CellKind::kClockGate);
  if (gate == nullptr) return "";
  return fmt::format(R"((* techmap_celltype = "$dffe" *)
module clock_gated (CLK, EN, D, Q);
  parameter WIDTH = 0;
  parameter CLK_POLARITY = 1'b1;
  parameter EN_POLARITY = 1'b1;
  input CLK, EN;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire _TECHMAP_FAIL_ = WIDTH < {0} || !CLK_POLARITY;
  wire enable = EN_POLARITY ? EN : ~EN;
  genvar i;
  generate for (i = 0; i < WIDTH; i = i + {1}) begin : part
    localparam Bits = (WIDTH - i < {1}) ? WIDTH - i : {1};
    wire gated;
    {2} clock_gate (.{3}(CLK), .{4}(enable), .{5}(gated));
    \$dff #(.WIDTH(Bits), .CLK_POLARITY(1'b1)) register (.CLK(gated), .D(D[i +: Bits]), .Q(Q[i +: Bits]));
  end endgenerate
endmodule
)",
                     kGatedBits, kGateFanout, gate->name, gate->clock, gate->data,
                     Output(*gate, "")->name);
}

std::string LatchMap(const CellLibrary& library) {
  std::string text;
  for (const char* level : {"+", "-"}) {
    const LibraryCell* latch = library.Smallest(CellKind::kLatch, level);
    if (latch == nullptr) continue;
    const CellPin* output = Output(*latch, latch->state);
    text += fmt::format(
        "module \\$_DLATCH_{}_ (input E, input D, output Q);\n"
        "  {} _TECHMAP_REPLACE_ (.{}(E), .{}(D), .{}(Q));\nendmodule\n",
        level[0] == '+' ? 'P' : 'N', latch->name, PinName(latch->clock), PinName(latch->data),
        output->name);
  }
  return text;
}

std::string FromAbcOn(const AbcScript& abc, const CellLibrary& library) {
  std::string script =
      fmt::format("abc -script {} -liberty \"{}\" -constr abc.constr\nsetundef -zero\n", abc.file,
                  library.file);
  const LibraryCell* one = library.Tie('1');
  const LibraryCell* zero = library.Tie('0');
  if (one != nullptr && zero != nullptr) {
    script += fmt::format("hilomap -singleton -hicell {} {} -locell {} {}\n", one->name,
                          one->pins[0].name, zero->name, zero->pins[0].name);
  }
  return script + "opt_clean\ncheck\nwrite_json netlist.json\n";
}

}  // namespace

std::string MappingScript(const SynthBlock& block, const std::vector<std::string>& files,
                          const CellLibrary& library) {
  std::string script = ReadScript(block, files);
  if (HasRam(files)) {
    script +=
        "proc *table_storage_ram*\njson -o macros.json *table_storage_ram*\n"
        "blackbox *table_storage_ram*\n";
  }
  // -nordff: else Yosys copies a memory's read pointer. -nofsm: states keep their encoding, so that
  // the netlist can be compared with the RTL, register by register.
  script +=
      "synth -flatten -nofsm -nordff -run coarse:fine\n"
      "opt -fast -full\nmemory_map\nopt -undriven -fine\n"
      "dffunmap -srst-only\nopt_clean\n";
  script += fmt::format("read_liberty -lib \"{}\"\n", library.file);
  if (library.Smallest(CellKind::kClockGate) != nullptr) script += "techmap -map clock_gates.v\n";
  script +=
      "techmap\nopt\n"
      "dfflegalize -cell $_DFF_P_ x -cell $_DLATCH_P_ x" +
      std::string(library.Smallest(CellKind::kLatch, "-") != nullptr ? " -cell $_DLATCH_N_ x"
                                                                     : "") +
      "\nopt\ntechmap -map latches.v\n";
  script += fmt::format("dfflibmap -liberty \"{}\"\ndump -o unmapped.il\n", library.file);
  return script + FromAbcOn(kAbcScripts[0], library);
}

std::string RemappingScript(const AbcScript& abc, const CellLibrary& library) {
  return "design -reset\nread_rtlil unmapped.il\n" + FromAbcOn(abc, library);
}

std::vector<NamedText> MappingFiles(const CellLibrary& library, double period_ns) {
  const LibraryCell* buffer = library.Follower(false);
  const LibraryCell* inverter = library.Follower(true);
  if (buffer == nullptr) buffer = inverter;
  // Sums of products, balanced by when their inputs come.
  const std::string balance = "if -g -K 6\nstrash\ndch\n";
  const std::string clean = "&get -n\n&fraig -x\n&put\nscorr\ndc2\nstrash\n";
  const std::string depth = "&get -n\n&st\n&syn4\n&b -d\n";
  // `map` chooses among the structures stored, where there is time the smaller.
  const std::string store = "fraig_store\n", choose = store + "fraig_restore\n";
  // In the order of kAbcScripts.
  const std::string structures[] = {
      // For area: to &nf each gate is as slow as any other, since Yosys has abc read no delays for
      // it. Restructures for depth (&syn4, &synch2) before; without, carry chains ripple.
      "strash\n" + clean + depth + "&synch2\n&nf\n&put\n",
      // `map` knows the delays.
      "strash\n" + clean + store + depth + "&put\n" + store + balance + choose + "map {}\n",
      // -f: no large gates where many are driven.
      "strash\n" + store + "scorr\ndc2\nstrash\n" + store + depth + "&put\n" + store + balance +
          choose + "map -f {}\n",
      // Keeps the structure of the RTL: what is shared above makes chains of what stood side by
      // side. -B: few inputs a gate.
      "strash\n&get -n\n&st\n&b -d\n&put\n" + balance + "map -B 0.9 {}\n"};
  std::vector<NamedText> files = {
      {"clock_gates.v", ClockGateMap(library)},
      {"latches.v", LatchMap(library)},
      {"abc.constr",
       fmt::format("set_driving_cell {}\nset_load {:.3f}\n", buffer->name, OutputLoad(library))}};
  for (size_t i = 0; i < std::size(kAbcScripts); ++i) {
    const std::string target =
        fmt::format("-D {:.0f}", period_ns * 1000 * kAbcScripts[i].share_of_period);
    // topo drops what nothing reads any more, on which `buffer` fails.
    files.push_back(
        {std::string(kAbcScripts[i].file),
         fmt::format(fmt::runtime(structures[i]), target) +
             fmt::format("topo\nbuffer -c -N 12\ntopo\nupsize {0}\ndnsize {0}\nstime -p\n",
                         target)});
  }
  return files;
}

MappedBlock ReadMapped(const SynthBlock& block, const CellLibrary& library,
                       const fs::path& folder) {
  MappedBlock mapped;
  std::error_code ignored;
  std::vector<std::string> names;
  if (fs::exists(folder / "macros.json", ignored)) {
    mapped.macros = ReadRamMacros(ReadFile(folder / "macros.json"));
  }
  for (const RamMacro& macro : mapped.macros) names.push_back(macro.module);
  mapped.netlist =
      ReadNetlist(ReadFile(folder / "netlist.json"), std::string(block.name), library, names);
  for (NetlistCell& cell : mapped.netlist.cells) {
    for (const RamMacro& macro : mapped.macros) {
      if (cell.type_name == macro.module) cell.type_name = macro.cell_name();
    }
  }
  BufferOutputs(library, &mapped.netlist);
  return mapped;
}

MappedBlock MapBlock(const SynthBlock& block, const CellLibrary& library, double period_ns,
                     const fs::path& folder) {
  for (const NamedText& file : MappingFiles(library, period_ns)) {
    WriteFileAtomically(folder / file.name, file.text);
  }
  RunYosys(MappingScript(block, RtlFilesOf(block.name), library), folder, block.name);
  return ReadMapped(block, library, folder);
}

MappedBlock RemapBlock(const SynthBlock& block, const AbcScript& abc, const CellLibrary& library,
                       const fs::path& folder) {
  const std::string first = ReadFile(folder / "script.ys");
  RunYosys(RemappingScript(abc, library), folder, block.name);
  WriteFileAtomically(folder / "script.ys", first + ReadFile(folder / "script.ys"));
  return ReadMapped(block, library, folder);
}

}  // namespace flagstone
