#include "gpu_model/simt/unexecuted.h"

#include <algorithm>
#include <array>

#include "kernels/ptx/instruction_text.h"

namespace flagstone::simt {
namespace {

constexpr std::array<std::string_view, 3> kLogic = {"cnot", "istypep", "szext"};
// Without a result that a warp waits for, and nothing that the machine files count.
constexpr std::array<std::string_view, 5> kControl = {"applypriority", "discard", "pmevent",
                                                      "setmaxnreg", "griddepcontrol"};

bool IsOneOf(std::string_view word, const auto& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::optional<UnexecutedClass> ClassOfUnexecuted(std::string_view text) {
  const std::string_view opcode = ptx::PartsOf(text).opcode;
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  if (IsOneOf(name, kControl)) return UnexecutedClass{};
  const bool video = name.starts_with("vadd") || name.starts_with("vsub") ||
                     name.starts_with("vmin") || name.starts_with("vmax") ||
                     name.starts_with("vavrg") || name.starts_with("vabsdiff") ||
                     name.starts_with("vset");
  if (video) return UnexecutedClass{.pipe = Pipe::kIntAdd};
  if (IsOneOf(name, kLogic)) return UnexecutedClass{.pipe = Pipe::kLogic};
  return std::nullopt;
}

}  // namespace flagstone::simt
