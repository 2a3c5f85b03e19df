// Kernels and modules as text.
#include "kernels/ptx/printer.h"

#include <fmt/core.h>

#include <iterator>

#include "kernels/ptx/control_flow.h"

namespace flagstone::ptx {
namespace {

using Out = std::back_insert_iterator<std::string>;

void PrintVariable(const Variable& variable, Out out) {
  fmt::format_to(out, "  .{} {}", ToString(variable.space), variable.name);
  if (variable.count == 0) {
    fmt::format_to(out, ": {}[]", ToString(variable.type));
  } else {
    fmt::format_to(out, ": {} x {} ({} bytes)", ToString(variable.type), variable.count,
                   variable.SizeInBytes());
  }
  const bool in_block = variable.space == Space::kParam || variable.space == Space::kShared ||
                        variable.space == Space::kLocal;
  if (in_block) fmt::format_to(out, " at {}", variable.offset);
  fmt::format_to(out, ", align {}{}\n", variable.alignment, variable.is_extern ? ", extern" : "");
}

std::string PcOrEnd(uint32_t pc, size_t count) {
  return pc < count ? fmt::format("{}", pc) : "end";
}

void PrintThreads(std::string_view what, const std::array<uint32_t, 3>& threads, Out out) {
  if (threads[0] == 0) return;
  fmt::format_to(out, "  {} {} x {} x {}\n", what, threads[0], threads[1], threads[2]);
}

void PrintInstruction(const Instruction& instruction, uint32_t pc, const ControlFlow& flow,
                      size_t count, Out out) {
  fmt::format_to(out, "{:6}  b{:<4} {}", pc, flow.BlockOf(pc), instruction.text);
  const bool branch = instruction.opcode == Opcode::kBra;
  if (branch) fmt::format_to(out, "  -> {}", PcOrEnd(instruction.operands[0].target, count));
  const bool leaves = instruction.opcode == Opcode::kRet || instruction.opcode == Opcode::kExit;
  if (instruction.guard && (branch || leaves)) {
    fmt::format_to(out, "  reconverges at {}", PcOrEnd(flow.ReconvergencePc(pc), count));
  }
  fmt::format_to(out, "\n");
}

}  // namespace

std::string Print(const Kernel& kernel) {
  const ControlFlow flow(kernel);
  const size_t count = kernel.instructions.size();
  std::string text;
  const Out out(text);
  fmt::format_to(out, "kernel {}: {} instructions in {} blocks, {} registers\n", kernel.name, count,
                 flow.blocks().size(), kernel.registers.size());
  fmt::format_to(out, "  {} bytes of parameters, {} of shared memory, {} of local memory\n",
                 kernel.parameter_bytes, kernel.shared_bytes, kernel.local_bytes);
  PrintThreads("at most", kernel.max_threads, out);
  PrintThreads("exactly", kernel.required_threads, out);
  for (const auto* const list : {&kernel.parameters, &kernel.shared, &kernel.locals}) {
    for (const auto& variable : *list) PrintVariable(*variable, out);
  }
  fmt::format_to(out, "{:>6}  {:<5} instruction\n", "pc", "block");
  for (uint32_t pc = 0; pc < count; ++pc) {
    PrintInstruction(kernel.instructions[pc], pc, flow, count, out);
  }
  return text;
}

std::string PrintModuleHeader(const Module& module) {
  std::string text;
  const Out out(text);
  fmt::format_to(out, "PTX {}.{} for {}, {}-bit addresses\n", module.version_major,
                 module.version_minor, module.target, module.address_size);
  for (const auto& variable : module.globals) PrintVariable(*variable, out);
  for (const auto& kernel : module.kernels) {
    fmt::format_to(out, "  entry {}: {} instructions\n", kernel->name, kernel->instructions.size());
  }
  return text;
}

}  // namespace flagstone::ptx
